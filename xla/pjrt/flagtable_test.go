//go:build cgo

package pjrt

import (
	"context"
	"regexp"
	"testing"

	"gopherlo/xla/flags"
	"gopherlo/xla/plugin"
)

// defaultPlugin is fastatomstruct-xla-cpu 2026.6.23.
const defaultPlugin = "0a0fe56ca17be9efc7b942e89e534e5e0ad4a0f1e369b66d27b62184509015b9"

func TestFlagTable(t *testing.T) {
	t.Setenv(plugin.EnvData, t.TempDir())
	found, err := plugin.Find("cpu")
	if err != nil {
		t.Skip("no CPU plugin: run `gopherlo plugin install cpu`")
	}
	table, err := FlagTable(context.Background(), "cpu")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	described := 0
	rows := map[string]flags.Flag{}
	for _, f := range table {
		rows[f.Name] = f
		count[f.Where()]++
		if f.Description != "" {
			described++
		}
		if f.Where() == "" {
			t.Errorf("%s works nowhere", f.Name)
		}
	}
	t.Logf("%s: %d flags, %v, %d described", found.Path, len(table), count, described)
	if n := count["both"] + count["option"]; n < 250 {
		t.Errorf("only %d options", n)
	}
	// Every field of DebugOptions is a row; the default plugin has 296.
	schema, err := flags.Schema(found.Path)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range schema {
		if row, ok := rows[f.Name]; !ok || row.Type != f.Type || !row.Option {
			t.Errorf("field %s has the row %+v", f.Name, row)
		}
	}
	if sum, err := plugin.Hash(found.Path); err == nil && sum == defaultPlugin && len(schema) != 296 {
		t.Errorf("%d fields, not 296", len(schema))
	}
	full := 0
	for _, f := range flags.Match(table, regexp.MustCompile("fast_math")) {
		if f.Type != "" && f.Default != "" && f.Description != "" {
			full++
		}
	}
	if full < 5 {
		t.Errorf("only %d flags of fast_math with type, default and description", full)
	}
	if described < 150 {
		t.Errorf("only %d described", described)
	}
	want := flags.Flag{
		Name: "xla_cpu_enable_fast_math", Type: "bool", Default: "false", Option: true, XLAFlags: true,
		Description: rows["xla_cpu_enable_fast_math"].Description,
	}
	if got := rows[want.Name]; got.Name != want.Name || got.Type != want.Type || got.Default != want.Default || got.Where() != "both" || got.Description == "" {
		t.Errorf("got %+v", got)
	}
	if f := rows["xla_fuel"]; f.Where() != "XLA_FLAGS" {
		t.Errorf("xla_fuel %+v", f)
	}
	if s := flags.Nearest(table, "xla_cpu_enable_fastmath"); s != "xla_cpu_enable_fast_math" {
		t.Errorf("nearest %q", s)
	}
	if s := flags.Nearest(table, "not_a_real_flag"); s != "" {
		t.Errorf("nearest %q", s)
	}
}
