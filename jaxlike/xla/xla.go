// Package xla is what cells and programs see of XLA under the name xla:
// programs as values, from text or from a lowered function, edited and
// compiled to functions, and the devices and flags of the runtime.
//
//	m := f.Lower(1.0).HLO()
//	m.FindOpcode("sine")[0].SetAttr("breakpoint", "true")
//	g := xla.Compile(m, jax.CompilerOptions{"xla_embed_ir_in_executable": true})
//	y := g(1.0)
//
// Package gopherlo/xla below it is the seam to runtimes, for those who add one.
package xla

import (
	"context"
	"regexp"
	"strings"
	"time"

	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/stages"
	"gopherlo/xla"
	"gopherlo/xla/flags"
	"gopherlo/xla/hlo"
	"gopherlo/xla/hlotool"
	"gopherlo/xla/stablehlo"
)

type (
	// Module is an HLO program: walk it, find instructions, edit it, verify
	// it, compile it.
	Module = hlo.Module
	// Computation is one of a module's functions.
	Computation = hlo.Computation
	// Instruction is one operation of a computation.
	Instruction = hlo.Instruction
	// Shape is the type of a value, with its layout.
	Shape = hlo.Shape
	// Literal is a constant's value.
	Literal = hlo.Literal
	// Opcode names an operation: "sine".
	Opcode = hlo.Opcode
	// PrintOptions say how a module is printed: Module.Text takes them.
	PrintOptions = hlo.PrintOptions
	// StableHLO is a program in the form that functions are lowered to first.
	StableHLO = stablehlo.Module

	// Compiled is a compiled program, called like a function.
	Compiled = stages.Compiled
	// Device is one of the runtime's devices.
	Device = xla.Device
	// MemoryStats are the sizes of a compiled program.
	MemoryStats = xla.MemoryStats
	// Flag is a row of the flag table.
	Flag = flags.Flag
)

// Parse reads a module from HLO text. A mistake raises a ValueError that names
// line and column.
func Parse(text string) *Module {
	m, err := hlo.Parse(text)
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	return m
}

// ParseStableHLO reads a module from StableHLO text.
func ParseStableHLO(text string) *StableHLO {
	m, err := stablehlo.Parse(text)
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	return m
}

// Compile compiles a program to a function of its parameters: a *Module, a
// *StableHLO, a lowered function, or a text of HLO or StableHLO. The verifier
// runs first. Compiler options are those of jit.
func Compile(program any, options ...map[string]any) Compiled {
	switch p := program.(type) {
	case *Module:
		return stages.CompileHLO(p, options...)
	case *StableHLO:
		return stages.CompileStableHLO(p.Text(), options...)
	case *stages.Lowered:
		return p.Compile(options...)
	case string:
		return compileText(p, options)
	}
	core.TypeErrorf("xla.Compile takes a module, a lowered function or a program's text, not %T", program)
	return nil
}

func compileText(text string, options []map[string]any) Compiled {
	f, err := hlotool.Read("program", []byte(text))
	switch {
	case err != nil:
		core.ValueErrorf("%s", strings.TrimPrefix(err.Error(), "program: "))
	case f.StableHLO != nil:
		return stages.CompileStableHLO(text, options...)
	}
	return stages.CompileHLO(f.HLO, options...)
}

// ShortParsable prints as lowered.AsText("hlo") does.
func ShortParsable() PrintOptions { return hlo.ShortParsable() }

// ShortParsableMetadata prints op names and source places too.
func ShortParsableMetadata() PrintOptions { return hlo.ShortParsableMetadata() }

// CompiledText prints as compiled.AsText() does.
func CompiledText() PrintOptions { return hlo.CompiledText() }

// Canonical prints equal programs of other names alike.
func Canonical() PrintOptions { return hlo.Canonical() }

// Devices lists the devices, as jax.devices().
func Devices() []Device { return stages.Client().Devices() }

// Platform is the platform's name: "cpu".
func Platform() string { return stages.Client().Platform() }

// PlatformVersion is the plugin's own text on itself.
func PlatformVersion() string { return stages.Client().PlatformVersion() }

// FlagTable is a table of XLA's flags.
type FlagTable []Flag

// flagsTimeout bounds the first look at a plugin's flags.
const flagsTimeout = time.Minute

// Flags lists the flags of XLA whose names match the pattern, "" for all.
func Flags(pattern string) FlagTable {
	re, err := regexp.Compile(pattern)
	if err != nil {
		core.ValueErrorf("%s", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), flagsTimeout)
	defer cancel()
	table, err := xla.FlagTable(ctx, stages.Platform)
	if err != nil {
		core.Raise("RuntimeError", "%s", err)
	}
	return flags.Match(table, re)
}

// String is what `gopherlo flags` prints of them.
func (t FlagTable) String() string { return strings.TrimSuffix(flags.Text(t), "\n") }
