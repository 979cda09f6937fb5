package interp

import (
	"context"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gopherlo/xla/hlo"
)

// hloAbove is a module up to its entry computation.
const hloAbove = `%%hlo
HloModule m
// a comment (with [what {opens
%sum (a: f32[], b: f32[]) -> f32[] {
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %c = f32[] add(%a, %b), metadata={op_name="x = (y {" source_line=3}
}
less { p = f32[] parameter(0) q = f32[] parameter(1) ROOT r = pred[] compare(p, q), direction=LT }
ENTRY e (x: f32[2,3]{1,0}) -> f32[2,3]{1,0} {
  x = f32[2,3]{1,0} parameter(0)
  %zero = f32[] constant(0)
  pair = (f32[2,3], f32[]) tuple(x, %zero), frontend_attributes={tag="a, b = (",other="}"}
`

// hloPlaces are texts with a cursor and what is offered there; ↑ is hloAbove.
var hloPlaces = []struct{ code, has, hasNot string }{
	{"%%hlo\n¦", "HloModule:keyword", "ENTRY"},
	{"%%hlo f =\n¦", "HloModule", ""},
	{"%%hlo\nHloModule m¦", "", "multiply"},
	{"%%hlo\nHloModule m, ¦", "is_scheduled:property replica_count", "ROOT"},
	{"%%hlo\nHloModule m, is_scheduled=¦", "true false", ""},
	{"%%hlo\nHloModule m, is_scheduled=true, ¦", "num_partitions", "is_scheduled"},
	{"%%hlo\nHloModule m\n¦", "ENTRY", "HloModule"},
	{"%%hlo\nHloModule m\n%add (a: ¦", "f32:class=32-bit s32 pred bf16 f8e4m3fn", "tuple"},
	{"%%hlo\nHloModule m\n%add (a: f32[], b: f¦", "f32 f16", "s32"},
	{"%%hlo\nHloModule m\n%add (a: f32[]) -> ¦", "f32 s32", "add"},
	{"%%hlo\nHloModule m\n%add (a: f32[]) -> f32[] ¦", "", "f32 add"},
	{"↑  ¦", "ROOT", "add"},
	{"↑  ROOT ¦", "", "ROOT add"},
	{"↑  y = ¦", "f32 s32", "add x"},
	{"↑  y = (f32[2], ¦", "f32 s32", "add"},
	{"↑  y = f32[2,3] ¦", "add:function=(x, y) multiply custom-call", "f32 x"},
	{"↑  y = f32[2,3]{1,0} mul¦", "multiply mulhi", "add"},
	{"↑  y = (f32[2,3], f32[]) tu¦", "tuple", ""},
	{"↑  y = f32[2,3] shift-r¦", "shift-right-logical shift-right-arithmetic", ""},
	{"↑  y = f32[2,3] add(¦", "x:instance=f32[2,3]{1,0} %zero=f32[] pair", "a e sum"},
	{"↑  y = f32[2,3] add(x, ¦", "x %zero", "add"},
	{"↑  y = f32[2,3] add(%¦", "%x %zero %pair", ""},
	{"↑  y = f32[2,3] add(f32[2,3] ¦", "x", ""},
	{"↑  y = f32[2,3] add(z¦", "zero", "%zero"},
	{"↑  y = f32[2,3] parameter(¦", "1:value", "x"},
	{"↑  y = f32[2,3] constant(¦", "", "x"},
	{"↑  y = f32[2,3] add(x, x)¦", "", "x dimensions"},
	{"↑  y = f32[2,3] add(x, x), ¦", "metadata frontend_attributes", "dimensions to_apply"},
	{"↑  y = f32[] reduce(x, %zero), ¦", "dimensions:property to_apply=the metadata", "direction"},
	{"↑  y = f32[] reduce(x, %zero), dimensions={0,1}, ¦", "to_apply", "dimensions"},
	{"↑  y = f32[] reduce(x, %zero), dimensions={0,1}, to_apply=¦", "%sum:function=%sum(a less", "e"},
	{"↑  y = f32[] reduce(x, %zero), dimensions={0,1}, to_apply=s¦", "sum", "%sum"},
	{"↑  y = f32[] reduce(x, %zero), dimensions={¦", "", "x sum"},
	{"↑  y = pred[2,3] compare(x, x), direction=¦", "EQ LT", "x"},
	{"↑  y = f32[2,3] fusion(x), kind=k¦", "kLoop kInput", ""},
	{"↑  y = f32[2,3] fusion(x), kind=kLoop, calls=¦", "%sum less", "e"},
	{"↑  y = f32[2,2] dot(x, x), lhs_contracting_dims={1}, operand_precision={default,¦", "high highest", ""},
	{"↑  y = f32[2,2] dot(x, x), algorithm=¦", "dot_bf16_bf16_f32", "rng_philox"},
	{"↑  y = u32[2] rng-bit-generator(x), algorithm=¦", "rng_philox", "dot_bf16_bf16_f32"},
	{"↑  y = f32[] while(x), condition=less, body=¦", "%sum less", ""},
	{"↑  y = f32[] conditional(x, x, x), branch_computations={sum, ¦", "less %sum", ""},
	{"↑  y = f32[] sine(x), frontend_attributes={¦", "must_fuse", "x"},
	{"↑  y = f32[] sine(x), frontend_attributes={a=\"b\",¦", "must_fuse", ""},
	{"↑  y = f32[] sine(x), metadata={op_name=\"a\" source_¦", "source_file source_line", ""},
	{"↑  y = f32[] sine(x), metadata={op_name=\"a¦", "", "x sine"},
	{"↑  y = f32[] sine(x), control-predecessors={¦", "x %zero", ""},
	{"↑  y = f32[] sine(x) /* a comm¦", "", "compare"},
	{"↑  y = f32[] sine(x) // a comm¦", "", "compare"},
	// What is not finished above does no harm.
	{"↑  y = f32[2,3] add(x, x\n  z = f32[2,3] mul¦", "multiply", "x"},
	{"↑  y = f32[2,3] add(x, x\n  z = f32[2,3] multiply(¦", "x %zero", ""},
	{"↑  y = f32[2,\n  z = f32[2,3] multiply(x, ¦)\n}", "x %zero", ""},
	{"↑  y = f32[2,3] add(x, x)\n  z = f32[2,3] multiply(x, ¦)\n}", "x y %zero", "z"},
	{"↑}\n%other {\n  p = f32[] par¦", "parameter", ""},
	{"↑  y = f32[] call(x), to_apply=¦\n}\nlate {\n  ROOT p = f32[] parameter(0)\n}", "late less", ""},
	// In texts that Go holds.
	{"m, err := xla.Parse(`HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  y = f32[2] mul¦\n}`)", "multiply", "math"},
	{"xla.Compile(`\nHloModule m\nENTRY e { x = f32[] parameter(0) ROOT y = f32[] add(¦", "x", ""},
	// StableHLO.
	{"%%stablehlo\nmodule @m {\n  func.func public @main(%arg0: tensor<2xf¦", "f32 f16", "i32"},
	{"%%stablehlo\nmodule @m {\n  func.func public @main(%arg0: tensor<¦", "f32 i32", ""},
	{"%%stablehlo\nmodule @m {\n  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {\n    %0 = stablehlo.mul¦", "stablehlo.multiply:function=(x,", "stablehlo.add"},
	{"%%stablehlo\nmodule @m {\n  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {\n    %0 = stablehlo.multiply %arg¦", "%arg0", ""},
	{"%%stablehlo\nmodule @m {\n  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {\n    %0 = call @¦\n  }\n  func.func private @f(%arg0: tensor<f32>) -> tensor<f32> {", "@f:function=(%arg0 @main", ""},
	{"%%stablehlo\nmodule @m {\n  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {\n    ret¦", "return", ""},
}

// TestCompleteHLO completes in the text of modules.
func TestCompleteHLO(t *testing.T) {
	in := session(t)
	for _, p := range hloPlaces {
		before, after, _ := strings.Cut(strings.Replace(p.code, "↑", hloAbove, 1), "¦")
		at := utf8.RuneCountInString(before)
		got := in.Complete(context.Background(), before+after, at)
		for _, want := range splitPlaces(p.has) {
			checkMatch(t, p.code, want, got.Matches, func(i int) (string, string) {
				return got.Types[i].Type, strings.ReplaceAll(got.Types[i].Signature, " ", "")
			})
		}
		for _, not := range strings.Fields(p.hasNot) {
			if slices.Contains(got.Matches, not) {
				t.Errorf("%q: %s is among the matches", p.code, not)
			}
		}
		if p.has == "" && len(got.Matches) > 0 {
			t.Errorf("%q: %q", p.code, got.Matches)
		}
	}
}

// splitPlaces divides what is wanted; the signatures have no blanks.
func splitPlaces(has string) []string {
	return strings.Fields(strings.NewReplacer("=(x, y)", "=(x,y)").Replace(has))
}

// hloDescribed are texts with a cursor and what the inspection there says.
var hloDescribed = []struct{ code, want string }{
	{"↑  y = f32[2,3] mult¦iply(x, x)", "multiply(x, y)|product of each pair"},
	{"↑  y = f32[2,3] multiply(x¦, x)", "x = f32[2,3]{1,0} parameter(0)|argument"},
	{"↑  y = f32[2,3] multiply(x, ¦)", "multiply(x, y)"},
	{"↑  y = f32[2,3] multiply(x, %ze¦ro)", "%zero = f32[] constant(0)"},
	{"↑  y = f3¦2[2,3] multiply(x, x)", "f32|32-bit floating point"},
	{"↑  ROOT y¦ = f32[2,3] multiply(x, x)\n}", "y = f32[2,3] multiply(x, x)|product"},
	{"↑  y¦ = f32[2,3] multiply(x, x)\n}", "y = f32[2,3] multiply(x, x)"},
	{"↑  RO¦OT y = f32[2,3] multiply(x, x)", "ROOT|value is the computation's"},
	{"↑  y = f32[] reduce(x, %zero), dimens¦ions={0}", "dimensions=|dimensions of the operand"},
	{"↑  y = f32[] reduce(x, %zero), ¦", "reduce(x..., init...)|Attributes: dimensions, to_apply; it needs dimensions"},
	{"↑  y = f32[] reduce(x, %zero), dimensions={0}, to_apply=%s¦um", "%sum (a: f32[], b: f32[]) -> f32[]"},
	{"↑  y = pred[] compare(x, x), direc¦tion=EQ", "direction=EQ|NE|which comparison"},
	{"↑  y = f32[] dot(x, x), algor¦ithm=", "algorithm=|dot_f32_f32_f32"},
	{"↑  y = f32[] nothing¦(x)", ""},
	{"↑  y = f32[] sine(unknown¦)", ""},
	{"%%stablehlo\nmodule @m {\n  func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {\n    %0 = stablehlo.dot_gen¦eral %arg0, %arg0", "stablehlo.dot_general x, y|product of matrices"},
	{"%%hl¦o f =\nHloModule m", "%%hlo [{OPTIONS}]"},
}

func TestInspectHLO(t *testing.T) {
	in := session(t)
	for _, p := range hloDescribed {
		before, after, _ := strings.Cut(strings.Replace(p.code, "↑", hloAbove, 1), "¦")
		got := in.Inspect(context.Background(), before+after, utf8.RuneCountInString(before), 0)
		text, _ := got.Data["text/plain"].(string)
		if got.Found != (p.want != "") {
			t.Errorf("%q: found %v, %q", p.code, got.Found, text)
		}
		for _, want := range strings.Split(p.want, "|") {
			if !strings.Contains(text, want) {
				t.Errorf("%q: %q\nhas no %q", p.code, text, want)
			}
		}
	}
}

// TestHLODocs: opcodes and attributes have their documentation, and none is there
// for what does not exist.
func TestHLODocs(t *testing.T) {
	attrs := map[string]bool{}
	for _, op := range hlo.Opcodes() {
		if d := hloDocs()[string(op)]; d.doc == "" && op != hlo.OpShuffle {
			t.Errorf("opcode %s has no documentation", op)
		}
		for _, name := range op.Attributes() {
			attrs[name] = true
		}
	}
	for _, name := range hlo.ModuleAttributes() {
		attrs[name] = true
	}
	for name := range attrs {
		if hloAttrDocs[name] == "" {
			t.Errorf("attribute %s has no documentation", name)
		}
	}
	for name := range hloAttrDocs {
		if !attrs[name] {
			t.Errorf("attribute %s does not exist", name)
		}
	}
	for name := range hloDocs() {
		if !hlo.Opcode(name).Known() {
			t.Errorf("opcode %s does not exist", name)
		}
	}
}

// FuzzHLOText reads texts that may be cut anywhere.
func FuzzHLOText(f *testing.F) {
	for _, p := range hloPlaces {
		f.Add(strings.Replace(p.code, "↑", hloAbove, 1))
	}
	var in *Interp // made late: it takes the standard streams, which the fuzzer's processes use
	f.Fuzz(func(t *testing.T, text string) {
		if in == nil {
			in = New(Options{})
		}
		text = "%%hlo\n" + text
		n := utf8.RuneCountInString(text)
		in.Complete(context.Background(), text, n)
		in.Inspect(context.Background(), text, n/2, 0)
	})
}
