package stages

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/xla/diskcache"
	"gopherlo/xla/flags"
	"gopherlo/xla/hlo"
)

// serialForm names the form of what Serialize gives.
const serialForm = "gopherlo compiled 1"

// serialized is a compiled program as bytes, and what has to be the same where
// it is loaded.
type serialized struct {
	Form              string
	Platform, Version string
	CPU               []byte
	Program           [sha256.Size]byte // of the HLO text
	Options           map[string]any    // of jit and of the compile step
	Executable        []byte
	Sum               [sha256.Size]byte // of Executable
}

func init() { gob.Register(flags.Level(0)) }

// Serialize gives the executable as bytes, which [Lowered.Load] makes a Compiled
// of in another process (JAX's serialize_executable.serialize).
func (f Compiled) Serialize() []byte {
	x := f.inside().exec
	code, err := x.Exec.Serialize()
	if err != nil {
		raise(err)
	}
	s := serialized{
		Form: serialForm, Platform: Client().Platform(), Version: Client().PlatformVersion(), CPU: diskcache.CPU(),
		Program: x.Program.sum(), Options: x.plainOptions(), Executable: code, Sum: sha256.Sum256(code),
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(s); err != nil {
		raise(err)
	}
	return b.Bytes()
}

// plainOptions are the options that were given, with values of plain types.
func (x *Executable) plainOptions() map[string]any {
	plain := map[string]any{}
	for k, v := range x.given {
		if o, ok := x.Options.Overrides[k]; ok {
			v = o
		}
		plain[k] = v
	}
	return plain
}

// Load makes a Compiled of what Serialize gave for the same program, without
// compiling it. The bytes hold native code: load only what you trust.
func (l *Lowered) Load(data []byte) Compiled {
	var s serialized
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&s); err != nil || s.Form != serialForm {
		core.ValueErrorf("these bytes are no serialized Compiled: Compiled.Serialize makes them")
	}
	s.check(l.Program)
	opts, err := mergeOptions(s.Options)
	if err != nil {
		raise(err)
	}
	exec, err := Client().Deserialize(s.Executable)
	if err != nil {
		raise(err)
	}
	source, outs := l.Program.source()
	// A slot of its own: what the program compiles itself stays apart.
	x := &Executable{Exec: exec, Program: l.Program, Options: opts, outs: outs, given: s.Options, slot: &slot{}}
	executables.add(x, len(source.Code))
	c := &compiled{traced: l.traced, exec: x}
	if l.Program.given != nil {
		return func(args ...any) array.Array { return c.call(c.fit(args)) }
	}
	return func(args ...any) array.Array { return c.call(args) }
}

// check raises an error where the executable was made of another program, or
// cannot run here.
func (s *serialized) check(p *Program) {
	switch c := Client(); {
	case sha256.Sum256(s.Executable) != s.Sum:
		core.ValueErrorf("the serialized Compiled is damaged: serialize it again")
	case s.Platform != c.Platform() || s.Version != c.PlatformVersion():
		core.ValueErrorf("the serialized Compiled was made by another plugin (%s, %s): compile the program here", s.Platform, s.Version)
	case !bytes.Equal(s.CPU, diskcache.CPU()):
		core.ValueErrorf("the serialized Compiled was made for another processor: compile the program here")
	case s.Program != p.sum():
		core.ValueErrorf("the serialized Compiled was made of another program than %s: Lower the function with the same arguments, or compile it", p.Name)
	}
}

// sum tells programs apart by what they compute: not by their names, nor by
// their places in the source.
func (p *Program) sum() [sha256.Size]byte {
	_, body, _ := strings.Cut(p.HLO().Text(hlo.ShortParsable()), "\n")
	return sha256.Sum256([]byte(body))
}
