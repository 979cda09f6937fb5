package hlo

import "strconv"

// Error says what is wrong with a module, and where.
type Error struct {
	Computation string // name of the computation, if the fault is in one
	Instruction string // name of the instruction, if the fault is in one
	Msg         string
}

// Error gives "hlo: computation f: instruction add.1: ...".
func (e *Error) Error() string {
	s := "hlo: "
	if e.Computation != "" {
		s += "computation " + e.Computation + ": "
	}
	if e.Instruction != "" {
		s += "instruction " + e.Instruction + ": "
	}
	return s + e.Msg
}

func moduleErr(msg string) error { return &Error{Msg: msg} }

func computationErr(c *Computation, msg string) error {
	return &Error{Computation: c.Name, Msg: msg}
}

func instructionErr(c *Computation, i *Instruction, msg string) error {
	return &Error{Computation: c.Name, Instruction: i.Name, Msg: msg}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
