package metadata_test

import (
	"strings"
	"testing"

	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/metadata"
	"gopherlo/xla/hlo"

	_ "gopherlo/xla/pjrt" // the runtime
)

func tagged() jax.Compiled {
	blk := metadata.Call(jax.Named(func(x jax.Array) jax.Array { return jnp.Sin(x).Mul(jnp.Cos(x)) }, "blk", "x"), metadata.Attrs{"tag": "my_block"})
	f := jax.Jit(jax.Named(func(x jax.Array) jax.Array {
		folded := metadata.Set(jnp.Exp(x), metadata.Attrs{"twin": true})
		return jnp.Sum(blk(x).Add(1.).Add(metadata.Set(jnp.Exp(x), metadata.Attrs{"e": 1})).Add(folded))
	}, "f", "x"))
	return f.Lower(jnp.Arange(8.)).Compile()
}

func TestSurvival(t *testing.T) {
	c := tagged()
	r := metadata.Survival(c, metadata.SurvivalOptions{Passes: true})
	by := map[string]metadata.TaggedOp{}
	for _, o := range r.Ops {
		for k := range o.Attributes {
			by[k] = o
		}
	}
	if len(r.Ops) != 3 || len(by) != 3 {
		t.Fatalf("found %s", r)
	}
	if o := by["tag"]; len(o.Carriers) != 1 || o.Carriers[0].Opcode != hlo.OpMultiply || o.Opcode != hlo.OpCall || o.Carriers[0].OpName != "jit(f)/xla_metadata_call/mul" {
		t.Errorf("the block's attributes are not on its multiply alone: %+v", o)
	} else if o.Steps[1].Pass != "call-inliner" {
		t.Errorf("they moved by %q, not by the call inliner", o.Steps[1].Pass)
	}
	if o := by["e"]; len(o.Carriers) != 1 || o.Carriers[0].Opcode != hlo.OpExp || o.DroppedAfter() != "" {
		t.Errorf("exp: %+v", o)
	}
	if o := by["twin"]; !o.Dropped() || o.DroppedAfter() != "cse" {
		t.Errorf("one of two equal operations goes: %+v", o)
	}
	if text := r.String(); !strings.Contains(text, ": dropped after cse") || !strings.Contains(text, "call xla_metadata_call.1 {tag=\"my_block\"}: on multiply ") {
		t.Errorf("report:\n%s", text)
	}
	if got := metadata.Survival(c); len(got.Ops) != 3 || got.Ops[0].Steps != nil {
		t.Errorf("without passes: %s", got)
	}
}

// TestMarksChangeNothing holds Survival to its promise: the program that is
// followed is the one that was asked about.
func TestMarksChangeNothing(t *testing.T) {
	c := tagged()
	m := c.Lowered().HLO()
	n := 0
	for _, i := range m.Instructions() {
		if len(i.FrontendAttributes) > 0 {
			i.SetAttr("gopherlo_mark", "1")
			n++
		}
	}
	marked := c.Recompile(m, nil)
	for _, i := range marked.Instructions() {
		i.RemoveAttr("gopherlo_mark")
	}
	if got, want := marked.Text(hlo.CompiledText()), c.AsText(); n == 0 || got != want {
		t.Errorf("marked:\n%s\nplain:\n%s", got, want)
	}
}

func TestSurvivalWithoutTags(t *testing.T) {
	c := jax.Jit(func(x jax.Array) jax.Array { return jnp.Sin(x) }).Lower(1.).Compile()
	if got := metadata.Survival(c).String(); got != "no operation of the lowered module has attributes" {
		t.Error(got)
	}
}
