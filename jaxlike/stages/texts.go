package stages

// String is the traced program as a jaxpr.
func (t *Traced) String() string { return t.Jaxpr().String() }

// String is the optimised program, as Lowered's is the lowered one.
func (f Compiled) String() string { return f.AsText() }
