package pjrt

import (
	"context"
	"testing"

	"gopherlo/xla/flags"
	"gopherlo/xla/plugin"
)

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
