package metadata

import (
	"strings"

	"gopherlo/jaxlike"
	"gopherlo/jaxlike/ad"
	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/batching"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/partialeval"
	"gopherlo/jaxlike/stages"
	"gopherlo/jaxlike/tree"
	"gopherlo/xla/stablehlo"
)

// CallP is the primitive of a tagged call. Parameters: jaxpr, xla_metadata (a
// tuple of pairs of strings, by key), ad_metadata ("same" or such a tuple).
var CallP = core.NewPrimitive("xla_metadata_call")

func init() {
	CallP.Define(core.Rules{
		Multi: true,
		AbstractEval: func(_ []*core.ShapedArray, p core.Params) []*core.ShapedArray {
			return p.Jaxpr("jaxpr").OutAvals()
		},
		JVP:            ad.JVPCall(CallP),
		Linearize:      ad.LinearizeCall(CallP, ad.CallOptions{TangentParams: tangentParams}),
		FancyTranspose: ad.TransposeCall(bindTransposed),
		Batch:          batching.Call(CallP),
		DCE:            partialeval.DCECall("jaxpr"),
		SplitPolicy:    partialeval.SplitPolicyCall("jaxpr"),
		Lower:          lowerCall,
	})
}

// resolve is the metadata of derived computations: ad_metadata, or for "same"
// the call's own.
func resolve(p core.Params) core.Params {
	meta := p.Get("xla_metadata")
	if ad := p.Get("ad_metadata"); ad != "same" {
		meta = ad
	}
	return p.With("xla_metadata", meta).With("ad_metadata", "same")
}

func tangentParams(p core.Params) core.Params { return resolve(p) }

func bindTransposed(j *core.Jaxpr, args []core.Value, p core.Params) []core.Value {
	return CallP.Bind(resolve(p).With("jaxpr", j), args...)
}

func lowerCall(c *core.LowerCtx, args []*stablehlo.Value, p core.Params) []*stablehlo.Value {
	op, out := c.Module.Call(c, "xla_metadata_call", p.Jaxpr("jaxpr"), args)
	op.Tag(attributes(p.Get("xla_metadata")))
	return out
}

func attributes(meta any) map[string]string {
	kvs, _ := meta.(core.Tuple)
	out := make(map[string]string, len(kvs))
	for _, kv := range kvs {
		pair := kv.(core.Tuple)
		out[pair[0].(string)] = pair[1].(string)
	}
	return out
}

// Option is a setting of a tagged call.
type Option struct {
	adMetadata any
}

// AdMetadata says what the computations that autodiff derives from a tagged
// call carry: "same" (the default), "drop", or attributes of their own.
func AdMetadata(v any) Option { return Option{adMetadata: v} }

// Tag gives a decorator that makes a function a tagged call: its operations
// are staged as a computation of their own, which is called with the
// attributes.
func Tag(attrs Attrs, opts ...Option) jaxlike.Decorator {
	return func(f any) jaxlike.Func { return call(f, attrs, opts) }
}

// Call makes f a tagged call.
func Call(f any, attrs Attrs, opts ...Option) jaxlike.Func { return call(f, attrs, opts) }

// Call2 is Call in the form that refuses what is no function at once, as
// xla_metadata_call2 does. Called with attributes alone it gives a decorator.
func Call2(f any, attrs Attrs, opts ...Option) jaxlike.Func {
	if !stages.IsCallable(f) {
		core.TypeErrorf("expected a callable to wrap, got %s", core.PyRepr(f))
	}
	return call(f, attrs, opts)
}

func call(f any, attrs Attrs, opts []Option) jaxlike.Func {
	meta := attrs.texts()
	var adMeta any = "same"
	for _, o := range opts {
		adMeta = canonicalAd(o.adMetadata)
	}
	if !stages.IsCallable(f) {
		return badFunction(f)
	}
	fn := stages.NewCallable(f)
	return jaxlike.MakeFunc(fn, func(args []any) jaxlike.Array {
		a := fn.Flatten(args, nil, "xla_metadata_call")
		t := fn.TraceArgs(a, "xla_metadata_call")
		in := append(append([]core.Value{}, t.Consts...), a.Leaves...)
		outs := CallP.Bind(core.P("jaxpr", t.Jaxpr, "xla_metadata", meta, "ad_metadata", adMeta), in...)
		return array.NewResults(outs, t.OutDef)
	})
}

// badFunction fails when it is called, as JAX's wrapper of something that is no
// function does.
func badFunction(f any) jaxlike.Func {
	fn := stages.NewCallable(func(...any) jaxlike.Array { return jaxlike.Array{} })
	return jaxlike.MakeFunc(fn, func([]any) jaxlike.Array {
		core.TypeErrorf("cannot create weak reference to '%s' object", className(f))
		return jaxlike.Array{}
	})
}

// className is a value's class without the words around it.
func className(v any) string {
	s := strings.TrimSuffix(strings.TrimPrefix(tree.ClassOf(v), "<class '"), "'>")
	return s[strings.LastIndexByte(s, '.')+1:]
}

func canonicalAd(v any) any {
	switch v := v.(type) {
	case string:
		switch v {
		case "same":
			return "same"
		case "drop":
			return core.Tuple(nil)
		}
	case Attrs:
		return v.texts()
	case map[string]any:
		return Attrs(v).texts()
	}
	core.TypeErrorf("ad_metadata must be 'same', 'drop', or a dict of metadata, got %s", core.PyRepr(v))
	return nil
}

// SchedulingGroup tags a function with the name of a scheduling group.
func SchedulingGroup(name string) jaxlike.Decorator { return Tag(Attrs{"scheduling_group": name}) }

// MustFuseCall asks XLA (on TPU) to fuse the function's operations into one;
// id tells groups apart.
func MustFuseCall(id any) jaxlike.Decorator { return Tag(Attrs{"MUST_FUSE": id}) }
