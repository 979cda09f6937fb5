package interp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sort"
	"sync"

	"gopherlo/interp/check"
	"gopherlo/interp/symbols"
)

// sources holds the generic standard packages, parsed and checked at their
// first use.
type sources struct {
	mu   sync.Mutex
	fset *token.FileSet
	imp  types.Importer
	pkgs map[string]*sourcePackage
}

type sourcePackage struct {
	funcs map[string]*ast.FuncDecl // "Name" or "Type.Name"
	info  *types.Info
}

func newSources() *sources {
	fset := token.NewFileSet()
	return &sources{fset: fset, imp: symbols.NewImporter(fset), pkgs: map[string]*sourcePackage{}}
}

// Func finds a function or method of a source package.
func (s *sources) Func(pkgPath, recv, name string) (*ast.FuncDecl, *types.Info) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, ok := s.pkgs[pkgPath]
	if !ok {
		p = s.load(pkgPath)
		s.pkgs[pkgPath] = p
	}
	if p == nil {
		return nil, nil
	}
	if recv != "" {
		name = recv + "." + name
	}
	return p.funcs[name], p.info
}

func (s *sources) load(pkgPath string) *sourcePackage {
	p := &sourcePackage{funcs: map[string]*ast.FuncDecl{}, info: check.NewInfo()}
	replaced := map[string]bool{}
	var files []*ast.File
	parse := func(name string, text any, drop bool) {
		f, err := parser.ParseFile(s.fset, pkgPath+"/"+name, text, parser.SkipObjectResolution)
		if err != nil {
			return
		}
		kept := f.Decls[:0]
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if ok && fd.Recv != nil {
				if base := receiverName(fd); base != "" {
					p.funcs[base+"."+fd.Name.Name] = fd
				}
			}
			if ok && fd.Recv == nil {
				if drop && replaced[fd.Name.Name] {
					continue
				}
				replaced[fd.Name.Name] = replaced[fd.Name.Name] || !drop
				p.funcs[fd.Name.Name] = fd
			}
			kept = append(kept, d)
		}
		f.Decls = kept
		files = append(files, f)
	}
	if text, ok := overrides[pkgPath]; ok {
		parse("gopherlo.go", text, false)
	}
	src := symbols.Source(pkgPath)
	names := make([]string, 0, len(src))
	for n := range src {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		parse(n, src[n], true)
	}
	if len(files) == 0 {
		return nil
	}
	conf := types.Config{Importer: s.imp, GoVersion: "go1.26", Error: func(error) {}, DisableUnusedImportCheck: true}
	_, _ = conf.Check(pkgPath, s.fset, files, p.info)
	return p
}

func receiverName(fd *ast.FuncDecl) string {
	e := fd.Recv.List[0].Type
	if p, ok := e.(*ast.StarExpr); ok {
		e = p.X
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return ""
	}
	return id.Name
}

// overrides replace functions whose source needs the runtime or unsafe.
var overrides = map[string]string{
	"slices": `package slices

func Insert[S ~[]E, E any](s S, i int, v ...E) S {
	_ = s[i:]
	tail := append(S(nil), s[i:]...)
	s = append(s[:i], v...)
	return append(s, tail...)
}

func Replace[S ~[]E, E any](s S, i, j int, v ...E) S {
	_ = s[i:j]
	tail := append(S(nil), s[j:]...)
	n := len(s)
	r := append(s[:i], v...)
	r = append(r, tail...)
	if len(r) < n {
		clear(s[len(r):n])
	}
	return r
}

func Grow[S ~[]E, E any](s S, n int) S {
	if n < 0 {
		panic("cannot be negative")
	}
	if n -= cap(s) - len(s); n > 0 {
		s = append(s[:cap(s)], make([]E, n)...)[:len(s)]
	}
	return s
}

func Clone[S ~[]E, E any](s S) S {
	if s == nil {
		return nil
	}
	return append(S{}, s...)
}

func Concat[S ~[]E, E any](ss ...S) S {
	var r S
	for _, s := range ss {
		r = append(r, s...)
	}
	return r
}

func Repeat[S ~[]E, E any](x S, count int) S {
	if count < 0 {
		panic("cannot be negative")
	}
	r := make(S, 0, len(x)*count)
	for i := 0; i < count; i++ {
		r = append(r, x...)
	}
	return r
}
`,
	"math/rand/v2": `package rand

import native "math/rand/v2"

func N[Int ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr](n Int) Int {
	if n <= 0 {
		panic("invalid argument to N")
	}
	return Int(native.Uint64N(uint64(n)))
}
`,
	"maps": `package maps

func Clone[M ~map[K]V, K comparable, V any](m M) M {
	if m == nil {
		return nil
	}
	r := make(M, len(m))
	for k, v := range m {
		r[k] = v
	}
	return r
}
`,
	"iter": `package iter

func Pull[V any](seq Seq[V]) (next func() (V, bool), stop func()) {
	var (
		v, none V
		ok, started, done bool
		failure any
	)
	resume, yielded := make(chan bool), make(chan bool)
	run := func() {
		defer func() {
			failure = recover()
			v, ok = none, false
			done = true
			yielded <- true
		}()
		<-resume
		if done {
			return
		}
		seq(func(x V) bool {
			if done {
				return false
			}
			v, ok = x, true
			yielded <- true
			<-resume
			return !done
		})
	}
	change := func() {
		if !started {
			started = true
			go run()
		}
		resume <- true
		<-yielded
		if p := failure; p != nil {
			failure = nil
			panic(p)
		}
	}
	next = func() (V, bool) {
		v, ok = none, false
		if !done {
			change()
		}
		return v, ok
	}
	stop = func() {
		if !done {
			done = true
			if started {
				change()
			}
		}
	}
	return next, stop
}

func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	var (
		k, noKey K
		v, none V
		ok, started, done bool
		failure any
	)
	resume, yielded := make(chan bool), make(chan bool)
	run := func() {
		defer func() {
			failure = recover()
			k, v, ok = noKey, none, false
			done = true
			yielded <- true
		}()
		<-resume
		if done {
			return
		}
		seq(func(y K, x V) bool {
			if done {
				return false
			}
			k, v, ok = y, x, true
			yielded <- true
			<-resume
			return !done
		})
	}
	change := func() {
		if !started {
			started = true
			go run()
		}
		resume <- true
		<-yielded
		if p := failure; p != nil {
			failure = nil
			panic(p)
		}
	}
	next = func() (K, V, bool) {
		k, v, ok = noKey, none, false
		if !done {
			change()
		}
		return k, v, ok
	}
	stop = func() {
		if !done {
			done = true
			if started {
				change()
			}
		}
	}
	return next, stop
}
`,
	"sync": `package sync

import native "sync"

func OnceValue[T any](f func() T) func() T {
	var once native.Once
	var result T
	var failure any
	valid := false
	return func() T {
		once.Do(func() {
			defer func() {
				failure = recover()
				if !valid {
					panic(failure)
				}
			}()
			result = f()
			valid = true
		})
		if !valid {
			panic(failure)
		}
		return result
	}
}

func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	type results struct {
		r1 T1
		r2 T2
	}
	all := OnceValue(func() (r results) {
		r.r1, r.r2 = f()
		return r
	})
	return func() (T1, T2) {
		r := all()
		return r.r1, r.r2
	}
}
`,
}
