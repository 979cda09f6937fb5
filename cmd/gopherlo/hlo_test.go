package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gopherlo/xla/plugin"
)

const addText = `HloModule jit_f, entry_computation_layout={(f32[2]{0}, f32[2]{0})->f32[2]{0}}

ENTRY main.1 {
  x.1 = f32[2]{0} parameter(0)
  y.1 = f32[2]{0} parameter(1)
  ROOT add.1 = f32[2]{0} add(x.1, y.1)
}

`

const addMLIR = `module @jit_f {
  func.func public @main(%arg0: tensor<2xf32> loc("x"), %arg1: tensor<2xf32> loc("y")) -> (tensor<2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.add %arg0, %arg1 : tensor<2xf32> loc("jit(f)/add")
    return %0 : tensor<2xf32>
  }
}
`

func TestHLOCommand(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	add, mlir := file("add.hlo", addText), file("add.mlir", addMLIR)
	sub := file("sub.hlo", strings.ReplaceAll(addText, "add", "subtract"))
	bad := file("bad.hlo", strings.Replace(addText, "add(x.1", "ad(x.1", 1))
	wrong := file("wrong.hlo", strings.Replace(addText, "parameter(1)", "parameter(2)", 1))
	pb := filepath.Join(dir, "add.pb")
	type row struct {
		args   []string
		status int
		out    string // the whole output, or with a leading "~" a part of it
	}
	rows := []row{
		{[]string{"print", add}, 0, addText},
		{[]string{"print", "--style", "canonical", add}, 0, "~tmp_0"},
		{[]string{"print", add, "--style=compiled"}, 0, "~%add.1"},
		{[]string{"print", "--style", "pretty", add}, 2, "~unknown style"},
		{[]string{"convert", mlir}, 0, addText},
		{[]string{"parse", add}, 0, "~3 instructions"},
		{[]string{"parse", "-o", pb, mlir}, 0, ""},
		{[]string{"print", pb}, 0, addText},
		{[]string{"parse", bad}, 1, "~bad.hlo:6:26: unknown opcode"},
		{[]string{"parse", wrong}, 1, "~wrong.hlo: hlo: computation main.1"},
		{[]string{"diff", add, mlir}, 0, ""},
		{[]string{"diff", add, sub}, 1, "~-  ROOT add.1 = f32[2]{0} add(x.1, y.1)\n+  ROOT subtract.1"},
		{[]string{"diff", add, filepath.Join(dir, "none")}, 2, "~no such file"},
		{[]string{"print"}, 2, "~1 file(s) wanted"},
		{[]string{"help"}, 0, "~usage: gopherlo hlo print"},
		{[]string{"mend"}, 2, "~unknown command"},
	}
	if _, err := plugin.Find("cpu"); err == nil {
		rows = append(rows, []row{
			{[]string{"run", add, "--input", "{1, 2}", "--input", "ones"}, 0, "f32[2] {2, 3}\n"},
			{[]string{"run", "--fill", "iota", mlir, "--option", "optimization_level=O1"}, 0, "f32[2] {0, 2}\n"},
			{[]string{"run", add, "--input", "{1, 2}"}, 1, "~no input for parameter 1 (y.1, f32[2]{0})"},
			{[]string{"run", "--fill", "ones", add, "--option", "nonsense"}, 2, "~want NAME=VALUE"},
			{[]string{"run", "--fill", "ones", add, "--option", "xla_embed_ir_in_executable=banana"}, 1, "~INVALID_ARGUMENT: While setting option xla_embed_ir_in_executable, 'banana' is not a valid bool value.\nxla_embed_ir_in_executable takes true or false"},
			{[]string{"run", "--fill", "ones", wrong}, 1, "~wrong.hlo: hlo: computation main.1"},
		}...)
	}
	for _, r := range rows {
		status, out := capture(t, append([]string{"hlo"}, r.args...)...)
		part, some := strings.CutPrefix(r.out, "~")
		if status != r.status || some && !strings.Contains(out, part) || !some && out != r.out {
			t.Errorf("gopherlo hlo %q: status %d, want %d; output\n%s\nwant %q", r.args, status, r.status, out, r.out)
		}
	}
}
