package stages

import (
	"runtime/debug"
	"slices"

	"gopherlo/internal/bug"
	"gopherlo/jaxlike/core"
	"gopherlo/xla"
	"gopherlo/xla/flags"
)

// Compile compiles the program with the options of jit and of the compile step,
// the latter on top; equal options give the executable made before.
func (p *Program) Compile(layers ...map[string]any) *Executable {
	x, _ := p.compile(layers...)
	return x
}

// job is a compilation that is under way.
type job struct {
	done    chan struct{}
	exec    *Executable
	failure any // what it panicked with
}

// compile is Compile that tells whether the compiler ran for it. Of several
// goroutines that want one executable, one makes it.
//
// XLA's compiler cannot be stopped. Where a wait can be (core.Stopped), it runs
// in a goroutine of its own: whoever is stopped leaves it to finish for the next
// call.
func (p *Program) compile(layers ...map[string]any) (x *Executable, fresh bool) {
	if len(layers) > 0 {
		layers[0] = p.first(layers[0])
	}
	s := p.slot(layersKey(layers))
	if x := s.executable(); x != nil {
		return x, false
	}
	s.mu.Lock()
	x, j := s.executable(), s.job
	if x != nil {
		s.mu.Unlock()
		return x, false
	}
	if j == nil {
		j, fresh = &job{done: make(chan struct{})}, true
		s.job = j
	}
	s.mu.Unlock()
	stop, reason := core.Stopped()
	switch {
	case fresh && stop == nil:
		s.run(j, p, layers)
	case fresh:
		go func() {
			defer func() { _ = recover() }() // those who wait panic with it
			s.run(j, p, layers)
		}()
	}
	select {
	case <-j.done:
	case <-stop:
		panic(reason)
	}
	if j.exec == nil {
		panic(j.failure)
	}
	return j.exec, fresh
}

// run does a job.
func (s *slot) run(j *job, p *Program, layers []map[string]any) {
	defer func() {
		r := recover()
		j.failure = failureOf(r)
		s.mu.Lock()
		s.job, s.refused = nil, s.refused || r != nil
		s.mu.Unlock()
		close(j.done)
		if r != nil {
			panic(r)
		}
	}()
	j.exec = p.build(s, layers)
}

// failureOf is what those who wait for a job that panicked panic with: errors as
// they are, what is a mistake of ours with its stack.
func failureOf(r any) any {
	switch r.(type) {
	case nil, *core.Error:
		return r
	}
	return bug.Errorf("compiling: %v\n%s", r, debug.Stack())
}

// build compiles the program and puts it in its slot.
func (p *Program) build(s *slot, layers []map[string]any) *Executable {
	opts, err := mergeOptions(layers...)
	if err != nil {
		raise(err)
	}
	source, outs := p.source()
	for _, i := range opts.DefinedOutputs {
		if i < 0 || i >= len(outs) {
			raise(xla.Errorf(xla.InvalidArgument, "Individually defined output index %d is out of range for %d outputs", i, len(outs)))
		}
	}
	Counts.Lock()
	Counts.Compiles++
	Counts.Unlock()
	exec, err := compileObserved(p.Name, func() (xla.LoadedExecutable, error) {
		return Client().Compile(source, compileOptions(opts))
	})
	if err != nil {
		raise(err)
	}
	x := &Executable{
		Exec: exec, Program: p, Options: opts, outs: outs, given: mergedOptions(layers), slot: s,
		donated: p.consumed(exec),
	}
	if !s.refused || !anyOptions(layers[min(1, len(layers)):]) {
		executables.add(x, len(source.Code))
	}
	return x
}

// consumed lists the parameters that a call of exec consumes: those whose memory
// results take, and of those that XLA was free to take the ones that it took.
func (p *Program) consumed(exec xla.LoadedExecutable) []int {
	if p.Lowered == nil {
		return nil
	}
	donated := p.Lowered.Donated
	if len(p.Lowered.Donors) == 0 {
		return donated
	}
	m, err := exec.OptimizedModule()
	if err != nil {
		raise(err)
	}
	donated = slices.Clone(donated)
	for _, e := range m.InputOutputAlias {
		if i := int(e.ParameterNumber); slices.Contains(p.Lowered.Donors, i) {
			donated = append(donated, i)
		}
	}
	return donated
}

func compileOptions(o flags.Options) xla.CompileOptions {
	return xla.CompileOptions{
		Overrides: o.Overrides, Order: o.Order, OptimizationLevel: int(o.Optimization),
		MemoryFittingLevel: int(o.MemoryFitting), Profile: o.Profile,
	}
}

// Observer is told of each compilation as it starts; the function it returns
// is called when it ends. The front end shows progress with it.
var Observer func(name string) (done func())

func compileObserved(name string, compile func() (xla.LoadedExecutable, error)) (xla.LoadedExecutable, error) {
	if Observer != nil {
		if done := Observer(name); done != nil {
			defer done()
		}
	}
	return compile()
}
