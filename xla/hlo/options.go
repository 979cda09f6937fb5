package hlo

// PrintOptions say how a module becomes text. The zero value prints nothing
// optional; start from one of [ShortParsable], [ShortParsableMetadata],
// [DefaultOptions], [CompiledText] and [Canonical].
type PrintOptions struct {
	Percent              bool // "%" before names
	OperandShapes        bool // the shape before each operand
	OperandIndexComments bool // /*index=5*/ before every fifth operand
	ProgramShapes        bool // the type of each computation in its first line
	LargeConstants       bool // constants of more than 10 elements in full, else {...}
	Metadata             bool // metadata={...} and the tables of stack frames
	BackendConfig        bool
	SortBackendConfig    bool // backend_config in JSON with sorted keys
	ControlPredecessors  bool
	CanonicalNames       bool // instructions are named tmp_0, tmp_1, ...
	FullBodies           bool // called computations in full, in place
}

// ShortParsable is the form of JAX's Lowered.as_text("hlo").
func ShortParsable() PrintOptions {
	return PrintOptions{LargeConstants: true, BackendConfig: true}
}

// ShortParsableMetadata is the form of JAX's Lowered.as_text("hlo", debug_info=True).
func ShortParsableMetadata() PrintOptions {
	o := ShortParsable()
	o.Metadata = true
	return o
}

// DefaultOptions is the form of XLA's HloModule::ToString().
func DefaultOptions() PrintOptions {
	return PrintOptions{
		Percent: true, OperandIndexComments: true, ProgramShapes: true,
		Metadata: true, BackendConfig: true, ControlPredecessors: true,
	}
}

// CompiledText is the form of JAX's Compiled.as_text().
func CompiledText() PrintOptions {
	o := DefaultOptions()
	o.SortBackendConfig = true
	return o
}

// Canonical is the form in which isomorphic programs print alike.
func Canonical() PrintOptions {
	return PrintOptions{OperandShapes: true, CanonicalNames: true, FullBodies: true}
}
