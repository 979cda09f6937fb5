import json,re,sys
import jax, functools, numpy as np; import jax.numpy as jnp; from jax import lax
f32=jnp.float32
G=jax.grad
cp=jax.checkpoint
P=jax.checkpoint_policies
from jax.ad_checkpoint import checkpoint_name as name
x3=jnp.ones(3)
def ops(t): return '\n'.join(f'{n} {o}' for n,o in re.findall(r'^\s*(?:ROOT )?(\S+) = .*op_name="([^"]*)"',t,re.M))
progs=[
("remat-jit","G(cp(lambda x: jax.jit(lambda y: jnp.sin(y)*y)(jnp.sin(x))))","(1.,)"),
("remat-jit-save-dots","G(cp(lambda x: jnp.sum(jax.jit(lambda y: jnp.sin(y@jnp.ones((3,3))))(jnp.sin(x))), policy=P.dots_saveable))","(x3,)"),
("remat-scan","G(cp(lambda c,xs: lax.scan(lambda c,x:(jnp.sin(c)*x,None),c,xs)[0]))","(1.,x3)"),
("remat-scan-dots","G(cp(lambda c,xs: jnp.sum(lax.scan(lambda c,x:(jnp.sin(c@jnp.ones((3,3)))*x,None),c,xs)[0]), policy=P.dots_saveable))","(x3,x3)"),
("remat-scan-consts-dots","G(cp(lambda w,c,xs: jnp.sum(lax.scan(lambda c,x:(jnp.sin(c@jnp.sin(w))*x,c),c,xs)[1]), policy=P.dots_saveable))","(jnp.ones((3,3)),x3,x3)"),
("remat-scan-hoist-dots","G(cp(lambda w,c,xs: jnp.sum(lax.scan(lambda c,x:(jnp.sin(c*(w@w))*x,c),c,xs)[1]), policy=P.dots_saveable),1)","(x3,1.,x3)"),
("remat-cond","G(cp(lambda x: lax.cond(x>0,lambda x: jnp.sin(jnp.sin(x)),lambda x: jnp.exp(x),x)))","(1.,)"),
("remat-cond-save","G(cp(lambda x: lax.cond(x>0,lambda x: jnp.sin(jnp.sin(x)),lambda x: jnp.exp(x)*x,x), policy=P.everything_saveable))","(1.,)"),
("remat-while","G(cp(lambda x: jnp.sin(x)*lax.while_loop(lambda c: c<10., lambda c: c*2., lax.stop_gradient(x))))","(1.,)"),
("remat-names","G(cp(lambda x: jnp.sin(name(jnp.sin(name(jnp.sin(x),'a')),'b')), policy=P.save_only_these_names('a')))","(1.,)"),
("remat-names-any","G(cp(lambda x: jnp.sin(name(jnp.sin(name(jnp.sin(x),'a')),'b')), policy=P.save_any_names_but_these('a')))","(1.,)"),
("remat-everything","G(cp(lambda x: jnp.sin(jnp.sin(jnp.sin(x))), policy=P.everything_saveable))","(1.,)"),
("remat-nested","G(cp(lambda x: jnp.sin(cp(lambda y: jnp.sin(jnp.sin(y)))(x))))","(1.,)"),
("remat-nested-save","G(cp(lambda x: jnp.sin(cp(lambda y: jnp.sin(jnp.sin(y)))(x)), policy=P.everything_saveable))","(1.,)"),
("remat-two-args","G(cp(lambda x,y: jnp.sin(x)*y,prevent_cse=False),(0,1))","(1.,2.)"),
("remat-cse-tuple","G(cp(lambda x,y: jnp.sin(x)*y,prevent_cse=(True,False)),(0,1))","(1.,2.)"),
("remat-jvp","lambda x: jax.jvp(cp(lambda x: jnp.sin(jnp.sin(x))),(x,),(1.,))","(1.,)"),
("remat-vmap","jax.vmap(cp(lambda x,y: jnp.sin(x)*y),(0,None))","(x3,2.)"),
("remat-vmap-grad","jax.vmap(G(cp(lambda x,y: jnp.sin(jnp.sin(x))*y)),(0,None))","(x3,2.)"),
("remat-grad-grad","G(G(cp(lambda x: jnp.sin(jnp.sin(x)))))","(1.,)"),
("remat-closure","lambda x,w: G(cp(lambda x: jnp.sin(x*w)))(x)","(1.,2.)"),
("remat-closure-array","(lambda w: G(cp(lambda x: jnp.sum(jnp.sin(x*w)))))(jnp.arange(3.))","(1.,)"),
("remat-jit-grad","jax.jit(G(cp(lambda x: jnp.sin(jnp.sin(x)))))","(1.,)"),
("remat-custom-jvp","G(cp(lambda x: jax.nn.relu(jnp.sin(x))))","(1.,)"),
("remat-linearize","lambda x,t: jax.linearize(cp(lambda x: jnp.sin(jnp.sin(x))),x)[1](t)","(1.,1.)"),
("remat-two-outs","lambda x,a,b: jax.vjp(cp(lambda x: (jnp.sin(x), x*2., 3.)),x)[1]((a,b,0.))","(1.,1.,1.)"),
("scan-jvp-jvp","lambda c,xs,t: jax.jvp(lambda c: jax.jvp(lambda c: lax.scan(lambda c,x:(jnp.sin(c)*x,c+x),c,xs),(c,),(t,)),(c,),(t,))","(1.,x3,1.)"),
("scan-jvp-of-grad","lambda c,xs,t: jax.jvp(G(lambda c: lax.scan(lambda c,x:(jnp.sin(c)*x,c+x),c,xs)[0]),(c,),(t,))","(1.,x3,1.)"),
("scan-grad-of-jvp","lambda c,xs: G(lambda c: jax.jvp(lambda c: lax.scan(lambda c,x:(jnp.sin(c)*x,c+x),c,xs)[0],(c,),(1.,))[1])(c)","(1.,x3)"),
("scan-hessian","jax.hessian(lambda c,xs: lax.scan(lambda c,x:(jnp.sin(c)*x,None),c,xs)[0])","(1.,x3)"),
("scan-vmap-carry-xs","jax.vmap(lambda c,xs: lax.scan(lambda c,x:(c*x,c),c,xs),(0,1))","(x3,jnp.ones((4,3)))"),
("scan-vmap-out","jax.vmap(lambda c,xs: lax.scan(lambda c,x:(c*x,(c,x)),c,xs),(0,None),(0,1))","(x3,jnp.ones(4))"),
("scan-int-carry-grad","G(lambda x: lax.scan(lambda c,_:((c[0]+1,c[1]*x),c[0]),(0,1.),None,length=3)[0][1])","(2.,)"),
("scan-int-ys-grad","G(lambda x,xs: jnp.sum(lax.scan(lambda c,k:(c*x,c*k),1.,xs)[1]))","(2.,jnp.arange(3))"),
("scan-zero-ct","G(jax.jit(lambda xs: lax.scan(lambda c,x:(c*x,(c*2.,jnp.sin(x))),f32(1.),xs)[1][0][1]))","(x3,)"),
("scan-vjp-zero-carry","lambda xs,ct: jax.vjp(lambda xs: lax.scan(lambda c,x:(c*x,c),f32(1.),xs)[1],xs)[1](ct)","(x3,x3)"),
("scan-jit-inside","G(lambda c,xs: lax.scan(lambda c,x: jax.jit(lambda c,x:(jnp.sin(c)*x,c))(c,x),c,xs)[0])","(1.,x3)"),
("scan-cond-inside","G(lambda c,xs: lax.scan(lambda c,x:(lax.cond(x>0,lambda c: jnp.sin(c),lambda c:c*c,c),None),c,xs)[0])","(1.,x3)"),
("scan-scan-inside","G(lambda c,xs: lax.scan(lambda c,x:(lax.scan(lambda d,y:(jnp.sin(d)*y,None),c,x)[0],None),c,xs)[0])","(1.,jnp.ones((2,3)))"),
("scan-scan-vmap","jax.vmap(lambda c,xs: lax.scan(lambda c,x:(lax.scan(lambda d,y:(jnp.sin(d)*y,None),c,x)[0],None),c,xs)[0],(0,None))","(x3,jnp.ones((2,3)))"),
("scan-while-inside","lambda c,xs: jax.jvp(lambda c: lax.scan(lambda c,x:(lax.while_loop(lambda d:d<x,lambda d:d*2.,c),None),c,xs)[0],(c,),(1.,))","(1.,x3)"),
("scan-hoist-jit","G(lambda w,xs: lax.scan(lambda c,x:(c+jax.jit(jnp.sin)(w)*x,None),f32(0.),xs)[0])","(f32(1.),x3)"),
("scan-hoist-jit-mixed","G(lambda w,xs: lax.scan(lambda c,x: jax.jit(lambda c,w,x: (c+jnp.sin(w)*x,None))(c,w,x),f32(0.),xs)[0])","(f32(1.),x3)"),
("scan-hoist-cond","G(lambda w,xs: lax.scan(lambda c,x:(c+lax.cond(w>0,jnp.sin,jnp.cos,w)*x,None),f32(0.),xs)[0])","(f32(1.),x3)"),
("scan-hoist-two","G(lambda w,v,xs: lax.scan(lambda c,x:(c*jnp.sin(w)+jnp.cos(v)*x*w,c*v),f32(0.),xs)[0],(0,1))","(f32(1.),f32(2.),x3)"),
("scan-xs-as-res","G(lambda c,xs: jnp.sum(lax.scan(lambda c,x:(c*x*x,c*x),c,xs)[1]),(0,1))","(1.,x3)"),
("scan-custom-jvp","G(lambda c,xs: lax.scan(lambda c,x:(jax.nn.relu(c)*x,None),c,xs)[0])","(1.,x3)"),
("scan-np-xs","G(lambda c: lax.scan(lambda c,x:(c*x,None),c,np.ones(3,np.float32))[0])","(1.,)"),
("scan-np-const","G(lambda c,xs: jnp.sum(lax.scan(lambda c,x:(c*x*np.ones(2,np.float32),None),c,xs)[0]))","(jnp.ones(2),x3)"),
("scan-reverse-grad","G(lambda c,xs: lax.scan(lambda c,x:(jnp.sin(c)*x,None),c,xs,reverse=True,unroll=2)[0])","(1.,x3)"),
("scan-length0-grad","G(lambda c,xs: lax.scan(lambda c,x:(jnp.sin(c)*x,None),c,xs)[0])","(1.,jnp.ones(0))"),
("scan-dce-carry","lambda c,xs: jax.linearize(lambda c: lax.scan(lambda c,x:((c[0]*x,c[1]*c[0]),c[1]),(c,c),xs)[0][0],c)[1](1.)","(1.,x3)"),
("while-vmap-mixed","jax.vmap(lambda x,y: lax.while_loop(lambda c: c[0]<y,lambda c: (c[0]+1.,c[1]*x),(0.,1.)),(0,None))","(x3,5.)"),
("while-vmap-cond-batched-const","jax.vmap(lambda y: lax.while_loop(lambda c: c<y,lambda c: c+1.,0.))","(x3,)"),
("while-vmap-vmap","jax.vmap(jax.vmap(lambda x,y: lax.while_loop(lambda c: c<y,lambda c: c*x,1.),(0,None)),(None,0))","(x3,x3)"),
("while-readonly","lambda x,w: lax.while_loop(lambda c: c[0]<10.,lambda c: (c[0]*c[1],c[1]),(x,w))","(1.,2.)"),
("while-linearize","lambda x,t: jax.linearize(lambda x: lax.while_loop(lambda c: c[0]<3,lambda c: (c[0]+1,jnp.sin(c[1])),(0,x))[1],x)[1](t)","(1.,1.)"),
("while-jit-jvp","lambda x: jax.jvp(jax.jit(lambda x: lax.while_loop(lambda c: c<10.,lambda c: c*x,x)),(x,),(1.,))","(2.,)"),
("fori-dyn-jvp","lambda n,x: jax.jvp(lambda x: lax.fori_loop(0,n,lambda i,c: c*x+i,1.),(x,),(1.,))","(3,2.)"),
("fori-vmap-n","jax.vmap(lambda n,x: lax.fori_loop(0,n,lambda i,c: c*x,1.),(0,None))","(jnp.arange(3),2.)"),
("fori-tuple","lambda x: lax.fori_loop(1,4,lambda i,c: (c[1],c[0]*i),(x,2.))","(1.,)"),
("fori-unroll","lambda x: lax.fori_loop(0,4,lambda i,c: c*x,1.,unroll=2)","(1.,)"),
("cond-jvp-two","lambda p,x,y: jax.jvp(lambda x,y: lax.cond(p,lambda x,y: (x*y,y),lambda x,y:(x,x),x,y),(x,y),(1.,1.))","(True,1.,2.)"),
("cond-grad-two","G(lambda x,y: lax.cond(x>y,lambda x,y: jnp.sin(x)*y,lambda x,y: jnp.exp(x)*jnp.cos(y)*x,x,y),(0,1))","(1.,2.)"),
("cond-grad-array-res","G(lambda x: jnp.sum(lax.cond(x[0]>0,lambda x: jnp.sin(x)*2.,lambda x: x*jnp.sum(x),x)))","(x3,)"),
("cond-vmap-grad","jax.vmap(G(lambda x: lax.cond(x>0,jnp.sin,lambda x:x*x,x)))","(x3,)"),
("cond-vmap-unbatched","lambda p,x,y: jax.vmap(lambda x: lax.cond(p,lambda x: x*y,lambda x: y,x))(x)","(True,x3,2.)"),
("cond-vmap-consts","lambda x,y: jax.vmap(lambda x: lax.cond(x>0,lambda: y*x,lambda: y))(x)","(x3,2.)"),
("switch-grad","G(lambda x,i: lax.switch(i,[jnp.sin,jnp.cos,lambda x:x*x*x],x))","(1.,1)"),
("switch-vmap","jax.vmap(lambda i,x: lax.switch(i,[jnp.sin,jnp.cos,lambda x:x*x],x))","(jnp.arange(3),x3)"),
("cond-const-out","lambda p,x: lax.cond(p,lambda: (1.,x),lambda: (2.,x))","(True,3.)"),
("cond-jit-branch-grad","G(lambda x: lax.cond(x>0,jax.jit(jnp.sin),jax.jit(lambda x:x*x),x))","(1.,)"),
("map-grad","G(lambda xs: jnp.sum(lax.map(lambda v: jnp.sin(v)*v,xs)))","(x3,)"),
("map-tree","lambda x,y: lax.map(lambda t: (t[0]*t[1],t[0]),(x,y))","(x3,x3)"),
("assoc-grad","G(lambda x: jnp.sum(lax.associative_scan(lax.mul,x)))","(jnp.ones(4),)"),
("assoc-rev","lambda x: lax.associative_scan(lax.add,x,reverse=True,axis=1)","(jnp.ones((2,3)),)"),
("custom-jvp-scan-rule","(lambda: (lambda f: (f.defjvp(lambda p,t: jax.jvp(lambda x: lax.scan(lambda c,_:(jnp.sin(c),None),x,None,length=2)[0],p,t)), G(f))[1])(jax.custom_jvp(lambda x: jnp.sin(x))))()","(1.,)"),
("custom-jvp-cond-rule","(lambda: (lambda f: (f.defjvp(lambda p,t: jax.jvp(lambda x: lax.cond(x>0,jnp.sin,jnp.cos,x),p,t)), G(f))[1])(jax.custom_jvp(lambda x: jnp.sin(x))))()","(1.,)"),
("custom-jvp-jit-rule","(lambda: (lambda f: (f.defjvp(lambda p,t: jax.jvp(jax.jit(lambda x: jnp.sin(x)*x),p,t)), G(f))[1])(jax.custom_jvp(lambda x: jnp.sin(x))))()","(1.,)"),
("psum-grad","jax.vmap(G(lambda x: lax.psum(x*x,'i')),axis_name='i')","(x3,)"),
("grad-vmap-psum","G(lambda x: jnp.sum(jax.vmap(lambda x: lax.psum(x,'i')*x,axis_name='i')(x)))","(x3,)"),
("psum-jit","jax.vmap(jax.jit(lambda x: lax.psum(x*x,'i')),axis_name='i')","(x3,)"),
("psum-const","jax.vmap(lambda x: x*lax.psum(1,'i'),axis_name='i')","(x3,)"),
("psum-scan","jax.vmap(lambda x: lax.scan(lambda c,_:(c+lax.psum(c,'i'),None),x,None,length=2)[0],axis_name='i')","(x3,)"),
("psum-two-axes","jax.vmap(jax.vmap(lambda x: lax.psum(x,('i','j')),axis_name='j'),axis_name='i')","(jnp.ones((2,3)),)"),
("pmax-two","jax.vmap(jax.vmap(lambda x: lax.pmax(x,'i'),axis_name='j'),axis_name='i')","(jnp.ones((2,3)),)"),
("pmin-unmapped","jax.vmap(lambda x,y: (x,lax.pmin(y,'i')),(0,None),axis_name='i')","(x3,2.)"),
("psum-unmapped","jax.vmap(lambda x,y: (x,lax.psum(y,'i')),(0,None),axis_name='i')","(x3,2.)"),
("axis-index-jit","jax.vmap(jax.jit(lambda x: x*lax.axis_index('i')),axis_name='i')","(x3,)"),
("linear-transpose-scan","lambda ct: jax.linear_transpose(lambda x: lax.scan(lambda c,_:(c*2.,c),x,None,length=3),1.)(ct)","((1.,x3),)"),
("barrier-grad","G(lambda x: lax.optimization_barrier(jnp.sin(x))*x)","(1.,)"),
("reduce-precision-grad","G(lambda x: lax.reduce_precision(jnp.sin(x),5,10))","(1.,)"),
("dynslice-grad","G(lambda x,i: jnp.sum(lax.dynamic_slice(x,(i,),(2,))))","(x3,1)"),
("dynslice-neg","lambda x: lax.dynamic_slice(x,(-1,0),(1,2))","(jnp.ones((2,3)),)"),
("dynupdate-grad","G(lambda x,u,i: jnp.sum(lax.dynamic_update_slice(x,u,(i,))*x),(0,1))","(x3,jnp.ones(2),1)"),
("solve-grad","G(lambda a,b: jnp.sum(lax.custom_linear_solve(lambda x: a*x,b,lambda m,b: b/a,lambda m,b: b/a)),(0,1))","(x3,x3)"),
("solve-vmap","jax.vmap(lambda a,b: jnp.sum(lax.custom_linear_solve(lambda x: a*x,b,lambda m,b: b/a,lambda m,b: b/a)),(0,None))","(jnp.ones((2,3)),x3)"),
("solve-jvp-sym","lambda b: jax.jvp(lambda b: lax.custom_linear_solve(lambda x: 2.*x,b,lambda m,b: b/m(b),symmetric=True),(b,),(b,))","(x3,)"),
("solve-aux","lambda b: jax.jvp(lambda b: lax.custom_linear_solve(lambda x: 2.*x,b,lambda m,b: (b/2.,jnp.sin(b)),has_aux=True),(b,),(b,))","(x3,)"),
("dynindex","lambda x,i: (lax.dynamic_index_in_dim(x,i,0,False),lax.dynamic_update_index_in_dim(x,1.,i,0))","(x3,1)"),
]
# Prints the jaxprs and lowered texts of the programs above with JAX 0.12.0.1:
#   python control.py && gzip -9 -n control.jsonl
out=[]
only=sys.argv[1:] 
for id,f,a in progs:
    if only and id not in only: continue
    try:
        j=str(jax.make_jaxpr(eval(f))(*eval(a)))
        d=dict(id=id,f=f,args=a,jaxpr=j)
        low=jax.jit(eval(f)).lower(*eval(a))
        d['hlo'],d['stablehlo']=low.as_text("hlo"),low.as_text()
        d['names']=ops(low.as_text("hlo",debug_info=True))
    except Exception as e:
        d=dict(id=id,f=f,args=a,error=[type(e).__name__,str(e)])
        print(id,'ERR',type(e).__name__,str(e)[:300])
    out.append(d)
    if only: print(id); print(d.get('jaxpr'))
if not only:
    with open('control.jsonl','w') as fh:
        for d in out: fh.write(json.dumps(d)+'\n')
    print(len(out))
