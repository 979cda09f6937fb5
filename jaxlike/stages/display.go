package stages

import (
	"fmt"

	"gopherlo/xla/hlo"
)

// shownProgram is what display.Programs asks for: one text of a program and,
// for HLO, the places in cells that its instructions come from, by their names.
type shownProgram = struct {
	Title, Language, Text string
	Places                map[string]string
}

// DisplayPrograms gives the texts of the module on its way to HLO.
func (l *Lowered) DisplayPrograms() []shownProgram {
	shown := []shownProgram{{Title: "Jaxpr", Language: "jaxpr", Text: l.Jaxpr().String()}}
	if l.Program.Lowered.Module != nil {
		shown = append(shown, shownProgram{Title: "StableHLO", Language: "stablehlo", Text: l.AsText()})
	}
	return append(shown, shownProgram{Title: "HLO", Language: "hlo", Text: l.AsText("hlo"), Places: places(l.Program.HLO())})
}

// DisplayPrograms gives the texts of the program from the jaxpr to what the
// compiler made of it.
func (f Compiled) DisplayPrograms() []shownProgram {
	m := f.HLO()
	last := shownProgram{Title: "optimized HLO", Language: "hlo", Text: m.Text(hlo.CompiledText()), Places: places(m)}
	return append(f.Lowered().DisplayPrograms(), last)
}

// places gives the innermost place of each instruction that has one, as
// file:line.
func places(m *hlo.Module) map[string]string {
	at := map[string]string{}
	for _, c := range m.Computations {
		for _, i := range c.Instructions {
			if file, line := m.StackFrames.Innermost(i.Metadata.StackFrameID); file != "" {
				at[i.Name] = fmt.Sprintf("%s:%d", file, line)
			}
		}
	}
	return at
}
