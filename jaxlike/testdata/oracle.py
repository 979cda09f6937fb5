"""The programs of oracle_test.go, run by JAX 0.12.0.1: python oracle.py OUT.json"""
import jax, jax.numpy as jnp, json, sys
from jax import lax
from jax.experimental.xla_metadata import set_xla_metadata
from jax._src.xla_metadata import xla_metadata_call
P={}
def p(name, *args):
    def d(f): P[name]=(f,args); return f
    return d
x3=jnp.arange(3.); 
z=jnp.zeros
# jacobians
p('jacfwd', x3)(jax.jacfwd(lambda x: jnp.sin(x)*x))
p('jacrev', x3)(jax.jacrev(lambda x: jnp.sin(x)*x))
p('jacrev-two', x3, 2.)(jax.jacrev(lambda x,y: (x*y, jnp.cos(y)), argnums=(0,1)))
p('jacfwd-aux', x3)(jax.jacfwd(lambda x: (x*x, x.sum()), has_aux=True))
p('hessian', x3)(jax.hessian(lambda x: jnp.sum(x*x*x)))
p('jit-hessian', x3)(jax.jit(jax.hessian(lambda x: jnp.sum(jnp.sin(x)))))
p('jacfwd-scalar', 1.)(jax.jacfwd(lambda x: x*x))
p('jacrev-scalar', 1.)(jax.jacrev(lambda x: x*x))
p('vmap-grad', x3)(jax.vmap(jax.grad(lambda x: jnp.sin(x)*x)))
p('grad-vmap', x3)(jax.grad(lambda x: jnp.sum(jax.vmap(lambda y: y*jnp.cos(y))(x))))
# linear
p('linearize', 1., 2.)(lambda x, t: jax.linearize(lambda y: jnp.sin(y)*y, x)[1](t))
p('vjp', x3, x3)(lambda x, ct: jax.vjp(lambda y: jnp.exp(y)*y, x)[1](ct))
p('vjp-two', 1., 2.)(lambda x, y: jax.vjp(lambda a, b: (a*b, a+b), x, y)[1]((1., 2.)))
p('linear-transpose', 3.)(lambda ct: jax.linear_transpose(lambda x: 2.*x, 1.)(ct))
p('linear-transpose-sum', 3.)(lambda ct: jax.linear_transpose(lambda x: jnp.sum(x*3.), jax.ShapeDtypeStruct((3,), 'float32'))(ct))
p('jvp-two', 1., 2.)(lambda x, y: jax.jvp(lambda a, b: a*jnp.sin(b), (x, y), (1., 1.)))
p('jvp-of-vjp', 1.)(lambda x: jax.jvp(lambda y: jax.vjp(jnp.sin, y)[1](1.)[0], (x,), (1.,)))
p('grad-of-linearize', 1.)(jax.grad(lambda x: jax.linearize(lambda y: y*y*x, x)[1](1.)))
# stop gradient, named call
p('stop-gradient', 1.)(jax.grad(lambda x: lax.stop_gradient(jnp.sin(x))*x))
p('named-call', 1.)(jax.named_call(lambda x: jnp.sin(x)+1., name='inner'))
p('grad-named-call', 1.)(jax.grad(jax.named_call(lambda x: jnp.sin(x)*x, name='inner')))
# custom rules


@jax.custom_jvp
def f(x): return jnp.sin(x)
@f.defjvp
def f_jvp(ps, ts): return f(ps[0]), 2.*ts[0]*jnp.cos(ps[0])
p('cjvp', 1.)(f)
p('cjvp-grad', 1.)(jax.grad(f))
p('cjvp-vmap-grad', x3)(jax.vmap(jax.grad(f)))
p('cjvp-jit-grad', 1.)(jax.jit(jax.grad(lambda x: f(x)*x)))
p('cjvp-jvp-jit', 1.)(lambda x: jax.jvp(jax.jit(lambda y: f(y)+y), (x,), (1.,)))
from functools import partial
@partial(jax.custom_jvp, nondiff_argnums=(0,))
def app(g, x): return g(x)
@app.defjvp
def app_jvp(g, ps, ts): return app(g, ps[0]), 3.*ts[0]
p('cjvp-nondiff', 1.)(lambda x: app(jnp.sin, x))
p('cjvp-nondiff-grad', 1.)(jax.grad(lambda x: app(jnp.sin, x)*x))
@partial(jax.custom_jvp, nondiff_argnums=(1,))
def pw(x, n): return x*n
@pw.defjvp
def pw_jvp(n, ps, ts): return pw(ps[0], n), ts[0]*n
p('cjvp-nondiff-1', 1.)(jax.grad(lambda x: pw(x, 3)))
@jax.custom_vjp
def h(x, y): return jnp.sin(x)*y
def h_fwd(x, y): return h(x, y), (jnp.cos(x), jnp.sin(x), y)
def h_bwd(res, g):
    c, s, y = res
    return (c*g*y, s*g)
h.defvjp(h_fwd, h_bwd)
p('cvjp', 1., 2.)(h)
p('cvjp-grad', 1., 2.)(jax.grad(h, (0,1)))
p('cvjp-vmap', x3, 2.)(jax.vmap(h, (0, None)))
p('cvjp-jit-grad', 1., 2.)(jax.jit(jax.grad(lambda x, y: h(x, y)*x)))
p('cvjp-grad-jit', 1., 2.)(jax.grad(jax.jit(lambda x, y: h(x, y)*x)))
@partial(jax.custom_vjp, nondiff_argnums=(0,))
def clip(g, x): return g(x)
def clip_fwd(g, x): return clip(g, x), x
def clip_bwd(g, x, ct): return (ct*g(x),)
clip.defvjp(clip_fwd, clip_bwd)
p('cvjp-nondiff', 1.)(lambda x: clip(jnp.cos, x))
p('cvjp-nondiff-grad', 1.)(jax.grad(lambda x: clip(jnp.cos, x)*x))
# metadata in control flow and under transformations
def blk(x): return jnp.sin(x)*x
b=xla_metadata_call(blk, tag="b")
def body(c, a): return b(c)+a, c
p('m-scan', 1., x3)(lambda c, xs: lax.scan(body, c, xs))
p('m-scan-grad', 1., x3)(jax.grad(lambda c, xs: lax.scan(body, c, xs)[0]))
p('m-while', 1.)(lambda c: lax.while_loop(lambda v: v<3., lambda v: b(v)+1., c))
p('m-fori', 1.)(lambda c: lax.fori_loop(0, 3, lambda i, v: b(v), c))
p('m-fori-grad', 1.)(jax.grad(lambda c: lax.fori_loop(0, 3, lambda i, v: b(v), c)))
p('m-cond', True, 1.)(lambda q, c: lax.cond(q, b, lambda v: v*2., c))
p('m-cond-grad', True, 1.)(jax.grad(lambda q, c: lax.cond(q, b, lambda v: v*2., c), 1))
p('m-switch', 1, 1.)(lambda i, c: lax.switch(i, [b, lambda v: v*2., jnp.cos], c))
p('m-map', x3)(lambda xs: lax.map(b, xs))
def ctxed(v):
    with set_xla_metadata(k='v'): return jnp.sin(v)*v
p('ctx-scan', 1., x3)(lambda c, xs: lax.scan(lambda c, a: (ctxed(c)+a, c), c, xs))
p('ctx-scan-grad', 1., x3)(jax.grad(lambda c, xs: lax.scan(lambda c, a: (ctxed(c)+a, c), c, xs)[0]))
p('ctx-cond-grad', True, 1.)(jax.grad(lambda q, c: lax.cond(q, ctxed, lambda v: v*2., c), 1))
def outerctx(c, xs):
    with set_xla_metadata(o='1'): return lax.scan(lambda c, a: (jnp.sin(c)+a, c), c, xs)
p('ctx-around-scan', 1., x3)(outerctx)
p('ctx-around-scan-grad', 1., x3)(jax.grad(lambda c, xs: outerctx(c, xs)[0]))
def outerwhile(c):
    with set_xla_metadata(o='1'): return lax.while_loop(lambda v: v<3., lambda v: jnp.sin(v)+1., c)
p('ctx-around-while', 1.)(outerwhile)
def vtag(v): return set_xla_metadata(jnp.sin(v), w='1')*v
p('val-scan', 1., x3)(lambda c, xs: lax.scan(lambda c, a: (vtag(c)+a, c), c, xs))
p('val-scan-grad', 1., x3)(jax.grad(lambda c, xs: lax.scan(lambda c, a: (vtag(c)+a, c), c, xs)[0]))
p('val-cond', True, 1.)(lambda q, c: lax.cond(q, vtag, lambda v: v*2., c))
p('val-while', 1.)(lambda c: lax.while_loop(lambda v: v<3., lambda v: vtag(v)+1., c))
p('m-jvp', 1.)(lambda x: jax.jvp(b, (x,), (1.,)))
p('m-vmap-grad', x3)(jax.vmap(jax.grad(b)))
p('m-hessian', x3)(jax.hessian(lambda x: jnp.sum(b(x))))
p('m-linearize', 1., 2.)(lambda x, t: jax.linearize(b, x)[1](t))
p('m-cjvp', 1.)(jax.grad(lambda x: b(f(x))))
p('m-of-cjvp', 1.)(jax.grad(lambda x: b(x)*f(x)))
p('m-cvjp', 1., 2.)(jax.grad(lambda x, y: b(h(x, y))))
p('m-jit-jit', 1.)(jax.jit(lambda x: jax.jit(lambda y: b(y))(x)+b(x)))
p('ctx-grad', 1.)(jax.grad(ctxed))
p('ctx-vmap', x3)(jax.vmap(ctxed))
p('ctx-jit-inner', 1.)(lambda x: jax.jit(ctxed)(x)+1.)
p('m-two-outs', 1., 2.)(jax.grad(lambda x, y: b(x)*b(y)))
out={}
for k,(fn,args) in P.items():
    try:
        out[k]={'jaxpr': str(jax.make_jaxpr(fn)(*args))}
        l=jax.jit(lambda *a: fn(*a)).lower(*args)
        out[k]['hlo']=l.as_text('hlo'); out[k]['stablehlo']=l.as_text()
    except Exception as e:
        out[k]={'error': type(e).__name__+': '+str(e)}
json.dump(out, open(sys.argv[1],'w'), indent=0, sort_keys=True)
print(len(out), [k for k in out if 'error' in out[k]], [out[k]['error'][:200] for k in out if 'error' in out[k]][:3])
