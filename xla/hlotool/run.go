package hlotool

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"gopherlo/xla"
	"gopherlo/xla/flags"
	"gopherlo/xla/hlo"
)

// Options reads options as the command line gives them, "name=value": true and
// false are booleans, numbers numbers, everything else (and what stands in
// double quotes) strings.
func Options(words []string) (map[string]any, error) {
	out := map[string]any{}
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("option %q: want NAME=VALUE", w)
		}
		out[strings.TrimLeft(name, "-")] = optionValue(value)
	}
	return out, nil
}

func optionValue(s string) any {
	switch s {
	case "true":
		return true
	case "false":
		return false
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return f
	}
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return s[1 : len(s)-1]
	}
	return s
}

// Program is what the client compiles: StableHLO as it was written, HLO after
// the verifier.
func (f *File) Program() (xla.Program, error) {
	m, err := f.Module()
	if err != nil {
		return xla.Program{}, err
	}
	p, err := xla.HLOProgram(m)
	if err != nil {
		return xla.Program{}, place(f.Name, err)
	}
	if f.StableHLO != nil {
		p.Format, p.Code = xla.FormatMLIR, []byte(f.Source)
	}
	return p, nil
}

// Compile compiles the program for a client.
func (f *File) Compile(c xla.Client, options map[string]any) (xla.LoadedExecutable, error) {
	p, err := f.Program()
	if err != nil {
		return nil, err
	}
	o, err := flags.Merge(options)
	if err != nil {
		return nil, err
	}
	return c.Compile(p, xla.CompileOptions{
		Overrides: o.Overrides, OptimizationLevel: int(o.Optimization), MemoryFittingLevel: int(o.MemoryFitting),
	})
}

// Run compiles the program and runs it once.
func (f *File) Run(c xla.Client, inputs []*hlo.Literal, options map[string]any) ([]*hlo.Literal, error) {
	e, err := f.Compile(c, options)
	if err != nil {
		return nil, err
	}
	defer e.Delete()
	return Execute(c, e, inputs)
}

// Execute runs a compiled program on literals.
func Execute(c xla.Client, e xla.LoadedExecutable, inputs []*hlo.Literal) ([]*hlo.Literal, error) {
	var args []xla.Buffer
	defer func() {
		for _, b := range args {
			b.Delete()
		}
	}()
	for _, in := range inputs {
		b, err := c.NewBuffer(in.Data, in.Shape.ElementType, in.Shape.Dimensions, nil)
		if err != nil {
			return nil, err
		}
		args = append(args, b)
	}
	outs, err := e.Execute(args, nil)
	if err != nil {
		return nil, err
	}
	args = append(args, outs...)
	results := make([]*hlo.Literal, len(outs))
	for i, o := range outs {
		data, err := o.ToHost()
		if err != nil {
			return nil, err
		}
		results[i] = hlo.NewLiteral(o.ElementType(), o.Dims()...)
		results[i].Data = data
	}
	return results, nil
}

// Inputs makes one literal per parameter of the program. Words stand for the
// parameters in order; fill stands for those without a word.
func (f *File) Inputs(words []string, fill string) ([]*hlo.Literal, error) {
	if err := f.Verify(); err != nil {
		return nil, err
	}
	m, err := f.Module()
	if err != nil {
		return nil, err
	}
	params := m.Entry.Parameters()
	if len(words) > len(params) {
		return nil, fmt.Errorf("%d inputs for %s, which has %d parameters", len(words), m.Name, len(params))
	}
	out := make([]*hlo.Literal, len(params))
	for n, p := range params {
		word := fill
		if n < len(words) {
			word = words[n]
		}
		if word == "" {
			return nil, fmt.Errorf("no input for parameter %d (%s, %s): give --input, or --fill zeros|ones|iota|random for all that have none", n, p.Name, p.Shape)
		}
		if out[n], err = Input(word, p.Shape, uint64(n)); err != nil {
			return nil, fmt.Errorf("input for parameter %d (%s, %s): %w", n, p.Name, p.Shape, err)
		}
	}
	return out, nil
}

// Input reads a value of a shape: a literal as HLO text has it, with braces or
// brackets; zeros, ones, iota, random; or @FILE with a literal in it. seed
// tells random inputs apart.
func Input(word string, shape hlo.Shape, seed uint64) (*hlo.Literal, error) {
	if !shape.ElementType.IsArray() {
		return nil, fmt.Errorf("a program with a parameter of type %s cannot be run here", shape)
	}
	if err := bounded(shape); err != nil {
		return nil, err
	}
	if name, ok := strings.CutPrefix(word, "@"); ok {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		word = strings.TrimSpace(string(data))
	}
	switch word {
	case "zeros", "ones", "iota", "random":
		return filled(word, shape, seed), nil
	}
	return hlo.ParseLiteral(strings.NewReplacer("[", "{", "]", "}").Replace(word), shape.WithoutLayout())
}

// maxInput bounds the elements of an input that is made here.
const maxInput = 1 << 28

func bounded(s hlo.Shape) error {
	n := int64(1)
	for _, d := range s.Dimensions {
		if d < 0 || d > 0 && n > maxInput/d {
			return fmt.Errorf("%s is too large to be made here", s)
		}
		n *= d
	}
	return nil
}

// filled makes zeros, ones, 0 1 2 …, or random numbers: floats between -1 and
// 1, integers from 0 to 7.
func filled(how string, shape hlo.Shape, seed uint64) *hlo.Literal {
	l := hlo.NewLiteral(shape.ElementType, shape.Dimensions...)
	if how == "zeros" {
		return l
	}
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range l.NumElements() {
		v := 1.0
		switch how {
		case "iota":
			v = float64(i)
		case "random":
			v = 2*r.Float64() - 1
		}
		switch t := shape.ElementType; {
		case t.IsPred():
			l.SetInt(i, map[bool]int64{false: int64(v) & 1, true: r.Int64N(2)}[how == "random"])
		case t.IsInteger() && how == "random":
			l.SetInt(i, r.Int64N(8))
		case t.IsInteger():
			l.SetInt(i, int64(v))
		case t.IsComplex():
			im := 0.0
			if how == "random" {
				im = 2*r.Float64() - 1
			}
			l.SetComplex(i, complex(v, im))
		default:
			l.SetFloat(i, v)
		}
	}
	return l
}
