package xla

import "gopherlo/xla/hlo"

// HLOProgram makes a program of a module that a user wrote or edited. The
// verifier runs first: XLA checks less, and ends the process on some mistakes.
func HLOProgram(m *hlo.Module) (Program, error) {
	if err := m.Verify(); err != nil {
		return Program{}, err
	}
	code, err := m.Marshal()
	if err != nil {
		return Program{}, err
	}
	params, results := Signature(m)
	return Program{Format: FormatHLO, Code: code, NumParams: len(params), NumResults: len(results)}, nil
}

// Signature lists the shapes that a module's program takes and gives, one per
// buffer: a tuple result is taken apart, as PJRT does.
func Signature(m *hlo.Module) (params, results []hlo.Shape) {
	if m == nil || m.Entry == nil {
		return nil, nil
	}
	for _, p := range m.Entry.Parameters() {
		if p != nil {
			params = append(params, p.Shape)
		}
	}
	if m.Entry.Root != nil {
		results = leaves(results, m.Entry.Root.Shape)
	}
	return params, results
}

func leaves(to []hlo.Shape, s hlo.Shape) []hlo.Shape {
	if !s.IsTuple() {
		return append(to, s)
	}
	for _, t := range s.Tuple {
		to = leaves(to, t)
	}
	return to
}
