package stages

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopherlo/xla"
	"gopherlo/xla/flags"
)

// Options lists every option that the program was compiled with and that
// differs from XLA's default, and where it was given: XLA_FLAGS, a process-wide
// setting, jit, or the compile step.
func (f Compiled) Options() Options {
	x := f.inside().exec
	table := flagTable()
	var out Options
	add := func(name string, value any, from Origin) {
		row := table[name]
		if row == nil || !isDefault(row, value) {
			o := Option{Name: name, Value: value, From: from}
			if row != nil {
				o.Default = row.Default
			}
			out = append(out, o)
		}
	}
	for name, value := range x.Options.Overrides {
		add(name, value, x.origin(name))
	}
	if c, ok := Client().(xla.FlagClient); ok {
		for _, s := range flags.ParseEnv(c.XLAFlags()) {
			if _, over := x.Options.Overrides[s.Name]; !over {
				add(s.Name, s.Typed(table[s.Name]), FromXLAFlags)
			}
		}
	}
	out = append(out, x.levels()...)
	slices.SortFunc(out, func(a, b Option) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// origin is where an option of x was given: jit's options are the first layer.
func (x *Executable) origin(name string) Origin {
	if x.Options.From[name] == 0 {
		return FromJit
	}
	return FromCompile
}

// levels are the effort levels that are not JAX's defaults.
func (x *Executable) levels() Options {
	var out Options
	for _, l := range []struct {
		name        string
		value, deft flags.Level
	}{
		{flags.KeyOptimizationLevel, x.Options.Optimization, flags.DefaultOptimization},
		{flags.KeyMemoryFittingLevel, x.Options.MemoryFitting, flags.DefaultMemoryFitting},
	} {
		if l.value == l.deft {
			continue
		}
		o := Option{Name: l.name, Value: l.value.Name(), Default: l.deft.Name(), From: FromProcess}
		if _, given := x.Options.From[l.name]; given {
			o.From = x.origin(l.name)
		}
		out = append(out, o)
	}
	return out
}

// flagTableTimeout bounds the first look at a plugin's flags, which asks child
// processes; later ones read a file.
const flagTableTimeout = 20 * time.Second

// flagTable has the plugin's flags by name; it is empty where they cannot be
// known, so that every option is listed.
func flagTable() map[string]*flags.Flag {
	ctx, cancel := context.WithTimeout(context.Background(), flagTableTimeout)
	defer cancel()
	rows, err := xla.FlagTable(ctx, Platform)
	if err != nil {
		return nil
	}
	table := make(map[string]*flags.Flag, len(rows))
	for i := range rows {
		table[rows[i].Name] = &rows[i]
	}
	return table
}

// isDefault compares by meaning: True, "True" and true are one value, and so
// are 0.5 and 5e-1. A flag whose default is not known has none.
func isDefault(row *flags.Flag, value any) bool {
	if !row.XLAFlags || row.Default == "" {
		return false
	}
	have := fmt.Sprint(value)
	switch row.Type {
	case "bool":
		return strings.EqualFold(have, row.Default)
	case "int32", "int64", "float", "double":
		a, errA := strconv.ParseFloat(strings.TrimSpace(have), 64)
		b, errB := strconv.ParseFloat(row.Default, 64)
		return errA == nil && errB == nil && a == b
	}
	return have == strings.Trim(row.Default, `"`)
}
