//go:build cgo

package pjrt

import (
	"errors"
	"math"
	"strings"
	"testing"

	gopjrt "github.com/gomlx/gopjrt/pjrt"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"gopherlo/xla"
	"gopherlo/xla/flags"
	"gopherlo/xla/hlo"
)

func TestCompileOptionsReachTheProto(t *testing.T) {
	opts, err := OptionsProto(xla.Program{NumParams: 2, NumResults: 1}, xla.CompileOptions{
		Overrides: map[string]any{
			"xla_embed_ir_in_executable": true, "xla_backend_optimization_level": 0, "xla_dump_to": "",
			"xla_cpu_x": 0.5,
		},
		OptimizationLevel:  int(flags.O1),
		MemoryFittingLevel: int(flags.O2),
	})
	if err != nil {
		t.Fatal(err)
	}
	var cc gopjrt.CompileConfig
	field := privatePaths["options"].field(&cc)
	field.Set(reflectNew(field.Type()))
	if err := setOptions(&cc, opts); err != nil {
		t.Fatal(err)
	}
	m := field.Interface().(proto.Message)
	if name := m.ProtoReflect().Descriptor().FullName(); name != "xla.CompileOptionsProto" {
		t.Errorf("options are a %s", name)
	}
	if u := m.ProtoReflect().GetUnknown(); len(u) > 0 {
		t.Errorf("unknown fields %x", u)
	}
	got := strings.Join(strings.Fields(prototext.MarshalOptions{Multiline: true}.Format(m)), " ")
	for _, want := range []string{
		"device_ordinal: -1", "num_replicas: 1", "num_partitions: 1", "compile_portable_executable: true",
		"allow_spmd_sharding_propagation_to_parameters: true allow_spmd_sharding_propagation_to_parameters: true",
		"allow_spmd_sharding_propagation_to_output: true",
		"optimization_level: EFFORT_O1", "memory_fitting_level: EFFORT_O2",
		`key: "xla_embed_ir_in_executable" value: { bool_field: true }`,
		`key: "xla_backend_optimization_level" value: { int_field: 0 }`,
		`key: "xla_dump_to" value: { string_field: "" }`,
		`key: "xla_cpu_x" value: { double_field: 0.5 }`,
	} {
		if !strings.Contains(strings.ReplaceAll(got, "value: {", "value: {"), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestBadOptions(t *testing.T) {
	c := openCPU(t)
	for _, test := range []struct {
		name string
		opts map[string]any
		want string
	}{
		{"unknown", map[string]any{"not_a_real_flag": true}, "INVALID_ARGUMENT: No such compile option: 'not_a_real_flag'"},
		{"bool", map[string]any{"xla_embed_ir_in_executable": "banana"}, "INVALID_ARGUMENT: While setting option xla_embed_ir_in_executable, 'banana' is not a valid bool value."},
		{"int", map[string]any{"xla_backend_optimization_level": 1.5}, "INVALID_ARGUMENT: While setting option xla_backend_optimization_level, '1.5' is not a valid int32 value."},
		{
			"first of several",
			map[string]any{"zz": 1, "mm": 1, "aa": 1, "xla_embed_ir_in_executable": true},
			"INVALID_ARGUMENT: No such compile option: 'aa'",
		},
		{
			"after a good one",
			map[string]any{"xla_embed_ir_in_executable": true, "zz": 1, "yy": 2},
			"INVALID_ARGUMENT: No such compile option: 'yy'",
		},
	} {
		for range 5 {
			_, err := c.Compile(mlir(sinProgram, 1, 1), xla.CompileOptions{Overrides: test.opts})
			if err == nil || err.Error() != test.want {
				t.Errorf("%s: %v\nwant %s", test.name, err, test.want)
			}
		}
	}
	if _, err := c.Compile(mlir(sinProgram, 1, 1), xla.CompileOptions{Overrides: map[string]any{"xla_embed_ir_in_executable": true}}); err != nil {
		t.Errorf("a good option: %v", err)
	}
}

// TestFloatOptions: floats of float32's range are taken, as by JAX 0.12.0.1,
// also those that this plugin's own check refuses.
func TestFloatOptions(t *testing.T) {
	c := openCPU(t)
	const name = "xla_gpu_autotune_gemm_rtol"
	for _, v := range []float64{0, math.Copysign(0, -1), -0.5, -1e30, 1e-39, 5e-324, -1e-300, 0.1, 3.4028234e38} {
		if _, err := c.Compile(mlir(sinProgram, 1, 1), xla.CompileOptions{Overrides: map[string]any{
			name: v, "xla_gpu_auto_spmd_partitioning_memory_budget_ratio": -v,
		}}); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
	for _, opts := range []map[string]any{{name: 3.5e38}, {name: -3.5e38}, {name: 0.0, "zz": 1}} {
		if _, err := c.Compile(mlir(sinProgram, 1, 1), xla.CompileOptions{Overrides: opts}); err == nil {
			t.Errorf("%v is taken", opts)
		} else if opts["zz"] != nil && err.Error() != "INVALID_ARGUMENT: No such compile option: 'zz'" {
			t.Errorf("%v: %v", opts, err)
		}
	}
}

func TestBadPrograms(t *testing.T) {
	c := openCPU(t)
	for _, p := range []xla.Program{
		{Format: xla.FormatMLIR, Code: []byte("not a module")},
		{Format: xla.FormatHLO, Code: []byte("not a proto")},
		{Format: xla.FormatHLO},
		{Format: "dot", Code: []byte("x")},
	} {
		_, err := c.Compile(p, xla.CompileOptions{})
		var s *xla.StatusError
		if !errors.As(err, &s) {
			t.Errorf("%s %q: %v is no status", p.Format, p.Code, err)
		}
	}
	if _, err := c.Compile(mlir(sinProgram, 1, 1), xla.CompileOptions{DeviceOrdinal: 7}); err == nil || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("device 7: %v", err)
	}
}

func TestOptimizedModule(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, sinProgram, 1, 1, xla.CompileOptions{})
	code, format, err := e.OptimizedProto()
	if err != nil || format != "hlo_with_config" || len(code) == 0 {
		t.Fatalf("%d bytes of %q, %v", len(code), format, err)
	}
	m, err := e.OptimizedModule()
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "jit_f" {
		t.Errorf("module %q", m.Name)
	}
}

func TestCompileHLO(t *testing.T) {
	c := openCPU(t)
	m, err := hlo.Parse(`HloModule jit_f, entry_computation_layout={(f32[2]{0}, f32[2]{0})->(f32[2]{0}, f32[])}

region_0.1 {
  a.1 = f32[] parameter(0)
  b.1 = f32[] parameter(1)
  ROOT add.2 = f32[] add(a.1, b.1)
}

ENTRY main.2 {
  x.1 = f32[2]{0} parameter(0)
  y.1 = f32[2]{0} parameter(1)
  mul.1 = f32[2]{0} multiply(x.1, y.1)
  constant.1 = f32[] constant(0)
  reduce.1 = f32[] reduce(mul.1, constant.1), dimensions={0}, to_apply=region_0.1
  ROOT tuple.1 = (f32[2]{0}, f32[]) tuple(mul.1, reduce.1)
}
`)
	if err != nil {
		t.Fatal(err)
	}
	code, err := m.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.Compile(xla.Program{Format: xla.FormatHLO, Code: code, NumParams: 2, NumResults: 2}, xla.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Delete()
	outs, err := e.Execute([]xla.Buffer{buffer32(t, c, []int64{2}, 2, 3), buffer32(t, c, []int64{2}, 5, 7)}, nil)
	if err != nil || len(outs) != 2 {
		t.Fatalf("%d results, %v", len(outs), err)
	}
	if got, err := outs[1].ToHost(); err != nil || asFloats(got)[0] != 31 {
		t.Errorf("got %v, %v", asFloats(got), err)
	}
	made, err := e.OptimizedModule()
	if err != nil {
		t.Fatal(err)
	}
	const want = "allow_spmd_sharding_propagation_to_parameters={true,true}, allow_spmd_sharding_propagation_to_output={true,true}"
	if text := made.Text(hlo.DefaultOptions()); !strings.Contains(text, want) {
		t.Errorf("the header lacks %q:\n%s", want, text)
	}
}

func TestSerialize(t *testing.T) {
	c := openCPU(t)
	e := compileText(t, c, twoResults, 1, 2, xla.CompileOptions{})
	data, err := e.Serialize()
	if err != nil {
		t.Fatal(err)
	}
	again, err := c.Deserialize(data)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Delete()
	if again.Name() != "jit_g" {
		t.Errorf("name %q", again.Name())
	}
	x := buffer32(t, c, []int64{2, 3}, 1, 2, 3, 4, 5, 6)
	outs, err := again.Execute([]xla.Buffer{x}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := outs[1].ToHost()
	if err != nil || asFloats(got)[5] != 12 {
		t.Errorf("got %v, %v", asFloats(got), err)
	}
	made, err1 := e.OptimizedModule()
	loaded, err2 := again.OptimizedModule()
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	if a, b := made.Text(hlo.DefaultOptions()), loaded.Text(hlo.DefaultOptions()); a != b {
		t.Errorf("a loaded executable shows another module:\n%s\n%s", a, b)
	}
	for _, bad := range [][]byte{nil, data[:len(data)/2], []byte("garbage")} {
		if x, err := c.Deserialize(bad); err == nil {
			x.Delete()
			t.Errorf("%d bytes of rubbish load", len(bad))
		}
	}
}
