package interp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/kernel/language"
)

// SessionDir is the environment variable that names the folder of what a
// session keeps for its next worker.
const SessionDir = "GOPHERLO_SESSION_DIR"

// checkpointEnding ends the name of a file that holds a variable.
const checkpointEnding = ".ckpt"

// checkpointFolder is where %checkpoint saves; "" when nothing may be kept.
func checkpointFolder() string {
	if dir := os.Getenv(SessionDir); dir != "" {
		return filepath.Join(dir, "checkpoint")
	}
	return ""
}

func checkpointFile(name string) string {
	return filepath.Join(checkpointFolder(), name+checkpointEnding)
}

// saved says what checkpoints there are.
type saved map[string]checkpointHeader

// savedNames are the variables that have been saved.
func savedNames() saved {
	names := saved{}
	files, _ := filepath.Glob(filepath.Join(checkpointFolder(), "*"+checkpointEnding))
	for _, f := range files {
		if h, err := readCheckpointHeader(f); err == nil {
			names[strings.TrimSuffix(filepath.Base(f), checkpointEnding)] = h
		}
	}
	return names
}

// checkpoint saves variables of the session.
func (r *cellRun) checkpoint(m cell.Magic) (language.Bundle, error) {
	names := strings.FieldsFunc(m.Args, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' })
	if len(names) == 0 {
		return nil, usagef("%%checkpoint takes the names of variables: %%checkpoint weights, step")
	}
	folder := checkpointFolder()
	if folder == "" {
		return nil, usagef("%%checkpoint has no folder: the kernel runs with --no-history")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	for _, name := range names {
		sym := r.lookup(name)
		if sym == nil || sym.Kind != check.Var {
			return nil, usagef("%s is no variable of the session", name)
		}
		if err := r.save(name, sym); err != nil {
			return nil, err
		}
	}
	r.host.Stream("stdout", "checkpoint: "+strings.Join(names, ", ")+"\n")
	return nil, nil
}

// lookup finds a name of the session.
func (r *cellRun) lookup(name string) *check.Sym {
	r.in.names.Lock()
	defer r.in.names.Unlock()
	return r.in.session.Lookup(name)
}

// variable is the memory of a variable.
func (in *Interp) variable(sym *check.Sym) (reflect.Value, error) {
	in.names.Lock()
	defer in.names.Unlock()
	v, ok := in.globals.lookup(in.yaegi, sym.Emit)
	if !ok {
		return v, fmt.Errorf("%s has no place in memory", sym.Name)
	}
	return v, nil
}

// checkpointHeader is the first line of a file; the bytes of the arrays follow.
type checkpointHeader struct {
	Type    string           `json:"type"`
	Mutable bool             `json:"mutable,omitempty"` // code that gets the value may change it
	Value   *savedValue      `json:"value"`
	Arrays  []savedArrayInfo `json:"arrays,omitempty"`
}

// save writes a variable to its file, at once: a reader never sees a part.
func (r *cellRun) save(name string, sym *check.Sym) (err error) {
	v, err := r.in.variable(sym)
	if err != nil {
		return err
	}
	typ, err := cellType(sym.Obj.Type())
	if err != nil {
		return usagef("%s cannot be saved: %v", name, err)
	}
	s := &saver{}
	value, err := s.value(sym.Obj.Type(), v, 0)
	if err != nil {
		return usagef("%s cannot be saved: %s%v", name, s.place(), err)
	}
	head := checkpointHeader{Type: typ, Mutable: mutable(sym.Obj.Type()), Value: value}
	for _, a := range s.arrays {
		head.Arrays = append(head.Arrays, a.info)
	}
	file := checkpointFile(name)
	f, err := os.OpenFile(file+".part", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(file + ".part")
	defer f.Close()
	b := bufio.NewWriter(f)
	if err := json.NewEncoder(b).Encode(head); err != nil {
		return err
	}
	for _, a := range s.arrays {
		if _, err := b.Write(a.bytes()); err != nil {
			return err
		}
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(file+".part", file)
}

// readCheckpoint reads a file; rest are the bytes of its arrays.
func readCheckpoint(file string) (h checkpointHeader, rest []byte, err error) {
	all, err := os.ReadFile(file)
	if err != nil {
		return h, nil, err
	}
	line, rest, _ := bytes.Cut(all, []byte("\n"))
	err = json.Unmarshal(line, &h)
	return h, rest, err
}

// readCheckpointHeader reads a file's first line.
func readCheckpointHeader(file string) (h checkpointHeader, err error) {
	f, err := os.Open(file)
	if err != nil {
		return h, err
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadBytes('\n')
	if err != nil {
		return h, err
	}
	err = json.Unmarshal(line, &h)
	h.Value = nil
	return h, err
}

// restore gives a variable the value that was saved.
func (r *cellRun) restore(name string, quiet mute) error {
	h, rest, err := readCheckpoint(checkpointFile(name))
	if err != nil {
		return fmt.Errorf("checkpoint of %s: %w", name, err)
	}
	sym := r.lookup(name)
	fits := false
	if sym != nil && sym.Kind == check.Var {
		old, err := cellType(sym.Obj.Type())
		fits = err == nil && old == h.Type
	}
	if !fits {
		run := &cellRun{in: r.in, ctx: r.ctx, req: r.req, host: quiet, beside: r.beside, setEnv: r.setEnv}
		if res := run.golang("var " + name + " " + h.Type); res.Error != nil {
			return fmt.Errorf("checkpoint of %s: %s", name, res.Error.Value)
		}
		if sym = r.lookup(name); sym == nil {
			return fmt.Errorf("checkpoint of %s: it was not declared", name)
		}
	}
	v, err := r.in.variable(sym)
	if err != nil {
		return err
	}
	l, err := newLoader(h.Arrays, rest)
	if err == nil {
		err = l.value(sym.Obj.Type(), v, h.Value)
	}
	if err != nil {
		return fmt.Errorf("checkpoint of %s: %w", name, err)
	}
	return nil
}

// cellType writes a type as a cell would.
func cellType(t types.Type) (string, error) {
	var foreign string
	text := types.TypeString(t, func(p *types.Package) string {
		switch p.Path() {
		case "main", arrayPath:
			return ""
		}
		if !strings.Contains(p.Path(), ".") {
			return p.Name()
		}
		foreign = p.Path()
		return p.Name()
	})
	if foreign != "" {
		return "", fmt.Errorf("a type of package %s is part of it", foreign)
	}
	return text, nil
}
