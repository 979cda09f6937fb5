package interp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"sort"
	"sync"

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
	p := &sourcePackage{funcs: map[string]*ast.FuncDecl{}, info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}}
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
	type item struct {
		v  V
		ok bool
	}
	ask, give := make(chan bool), make(chan item)
	started, done := false, false
	run := func() {
		if !<-ask {
			give <- item{}
			return
		}
		seq(func(v V) bool {
			give <- item{v, true}
			return <-ask
		})
		give <- item{}
	}
	next = func() (V, bool) {
		var zero V
		if done {
			return zero, false
		}
		if !started {
			started = true
			go run()
		}
		ask <- true
		it := <-give
		if !it.ok {
			done = true
		}
		return it.v, it.ok
	}
	stop = func() {
		if started && !done {
			ask <- false
			<-give
		}
		done = true
	}
	return next, stop
}

func Pull2[K, V any](seq Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	type item struct {
		k  K
		v  V
		ok bool
	}
	ask, give := make(chan bool), make(chan item)
	started, done := false, false
	run := func() {
		if !<-ask {
			give <- item{}
			return
		}
		seq(func(k K, v V) bool {
			give <- item{k, v, true}
			return <-ask
		})
		give <- item{}
	}
	next = func() (K, V, bool) {
		var k K
		var v V
		if done {
			return k, v, false
		}
		if !started {
			started = true
			go run()
		}
		ask <- true
		it := <-give
		if !it.ok {
			done = true
		}
		return it.k, it.v, it.ok
	}
	stop = func() {
		if started && !done {
			ask <- false
			<-give
		}
		done = true
	}
	return next, stop
}
`,
	"sync": `package sync

type onceState struct {
	done, failed bool
	value        any
}

func OnceFunc(f func()) func() {
	st := &onceState{}
	var mu Mutex
	return func() {
		mu.Lock()
		defer mu.Unlock()
		if st.failed {
			panic(st.value)
		}
		if st.done {
			return
		}
		st.failed = true
		defer func() {
			if st.failed {
				st.value = recover()
				panic(st.value)
			}
		}()
		f()
		st.done, st.failed = true, false
	}
}

type Mutex struct{ c chan bool }

func (m *Mutex) Lock()   {}
func (m *Mutex) Unlock() {}

func OnceValue[T any](f func() T) func() T {
	var r T
	done := false
	return func() T {
		if !done {
			r = f()
			done = true
		}
		return r
	}
}

func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var r1 T1
	var r2 T2
	done := false
	return func() (T1, T2) {
		if !done {
			r1, r2 = f()
			done = true
		}
		return r1, r2
	}
}
`,
}
