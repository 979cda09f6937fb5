package interp

import (
	"runtime"

	"gopherlo/interp/cell"
	"gopherlo/kernel/language"
)

// Text answers questions about Go source text; it needs no session and runs in
// the kernel process.
type Text struct{}

var _ language.Text = Text{}

// Info names the language for kernel_info_reply.
func (Text) Info() language.Info {
	return language.Info{
		Name:           "go",
		Version:        runtime.Version(),
		MIMEType:       "text/x-go",
		FileExtension:  ".go",
		PygmentsLexer:  "go",
		CodeMirrorMode: "go",
		Banner:         "Gopherlo: Go cells that trace, transform, compile and run XLA programs",
	}
}

// IsComplete tells a console whether the text can be run as it is.
func (Text) IsComplete(code string) language.Completeness {
	status, indent := cell.IsComplete(code)
	return language.Completeness{Status: status, Indent: indent}
}
