package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gopherlo/interp/cell"
)

// universal reports whether a name is one of Go's own.
func (s *Session) universal(name string) bool { return types.Universe.Lookup(name) != nil }

// addLateMethods enters the methods that the cell adds to types of earlier
// cells; they are taken back when the check fails. It reports whether instances of
// generic types have changed.
func (k *checker) addLateMethods() (changed bool) {
	for _, fd := range k.funcs {
		if !k.late[fd] {
			continue
		}
		obj, ok := k.info.Defs[fd.sigIdent].(*types.Func)
		if !ok {
			continue
		}
		sig := methodSignature(k.s.ctxt, obj.Signature())
		if sig == nil || k.fieldOf(fd) {
			continue
		}
		if sig.RecvTypeParams().Len() > 0 {
			changed = k.addGenericMethod(fd, obj.Signature(), sig) || changed
			continue
		}
		Methods.Lock()
		m, undo := addMethod(fd, sig)
		Methods.Unlock()
		fd.Obj = m
		k.undo = append(k.undo, func() {
			Methods.Lock()
			defer Methods.Unlock()
			undo()
		})
	}
	return changed
}

// fieldOf reports a method whose name is that of a field.
func (k *checker) fieldOf(fd *FuncDecl) bool {
	st, ok := fd.Recv.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Name() == fd.Name {
			line, col := k.c.Position(fd.sigIdent.Pos())
			k.own = append(k.own, Diagnostic{Error: cell.Error{Line: line, Col: col, Msg: "field and method with the same name " + fd.Name}})
			return true
		}
	}
	return false
}

// addMethod enters a method; undo takes it back.
func addMethod(fd *FuncDecl, sig *types.Signature) (m *types.Func, undo func()) {
	for m := range fd.Recv.Methods() {
		if m.Name() == fd.Name {
			// The object stays, so that selections of all cells find one method; its
			// signature becomes the new one.
			now := m.Signature()
			before := *now
			*now = *sig
			return m, func() { *now = before }
		}
	}
	before := content(fd.Recv)
	m = types.NewFunc(fd.sigIdent.Pos(), fd.Recv.Obj().Pkg(), fd.Name, sig)
	fd.Recv.AddMethod(m)
	return m, func() { setContent(fd.Recv, before) }
}

// addGenericMethod enters a method of a generic type, whose signature as a plain
// function is plain. It reports whether it is a new one.
func (k *checker) addGenericMethod(fd *FuncDecl, plain, sig *types.Signature) (changed bool) {
	for m := range fd.Recv.Methods() {
		if m.Name() != fd.Name {
			continue
		}
		was := k.plain[m]
		if old := k.s.methods[m]; was == nil && old != nil {
			was = old.BodyObj.Signature()
		}
		if was != nil && types.Identical(was, plain) {
			fd.Obj = m
			return false
		}
	}
	undo := func() {}
	k.setMethods(fd.Recv, func() { fd.Obj, undo = addMethod(fd, sig) }, sig)
	k.plain[fd.Obj] = plain
	k.undo = append(k.undo, func() { k.setMethods(fd.Recv, undo, sig) })
	return true
}

// methodSignature makes a method's signature of that of a plain function
// whose first parameter is the receiver.
func methodSignature(ctxt *types.Context, sig *types.Signature) *types.Signature {
	var tparams []*types.TypeParam
	if n := sig.TypeParams().Len(); n > 0 {
		var args []types.Type
		for i := range n {
			tp := sig.TypeParams().At(i)
			fresh := types.NewTypeParam(types.NewTypeName(token.NoPos, tp.Obj().Pkg(), tp.Obj().Name(), nil), tp.Constraint())
			tparams = append(tparams, fresh)
			args = append(args, fresh)
		}
		inst, err := types.Instantiate(ctxt, sig, args, false)
		if err != nil {
			return nil
		}
		sig = inst.(*types.Signature)
	}
	if sig.Params().Len() == 0 {
		return nil
	}
	var params []*types.Var
	for i := 1; i < sig.Params().Len(); i++ {
		params = append(params, sig.Params().At(i))
	}
	return types.NewSignatureType(sig.Params().At(0), tparams, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
}

// finish turns what the check found into symbols.
func (k *checker) finish() {
	k.res.Notes = append(append(k.res.Notes, k.notes...), k.stale()...)
	k.finishTypes()
	for _, fd := range k.funcs {
		k.finishFunc(fd)
	}
	for _, fd := range k.funcs {
		fd.Calls = k.callees(fd)
	}
	for i, st := range k.res.Stmts {
		for _, id := range declaredIdents(st) {
			if obj, ok := k.info.Defs[id].(*types.Var); ok {
				k.res.vars[i] = append(k.res.vars[i], k.varSym(obj))
			}
		}
	}
	for _, sp := range k.c.Imports {
		k.importSym(sp)
	}
	if k.c.Tail != nil {
		k.res.Tail = k.c.Tail.X
	}
	for obj, m := range k.made {
		if sym := k.s.byObj[obj]; sym != nil {
			sym.Made = m // assigned again
		}
	}
	maps.Copy(k.s.fields, k.fields)
	maps.Copy(k.s.gives, k.gives)
}

func (k *checker) finishTypes() {
	for _, st := range k.c.Stmts {
		ds, ok := st.(*ast.DeclStmt)
		if !ok {
			continue
		}
		for _, sp := range ds.Decl.(*ast.GenDecl).Specs {
			switch sp := sp.(type) {
			case *ast.TypeSpec:
				if k.kept[sp.Name.Name] == nil {
					k.typeSym(sp)
				}
			case *ast.ValueSpec:
				for _, id := range sp.Names {
					if c, ok := k.info.Defs[id].(*types.Const); ok {
						k.res.others = append(k.res.others, &Sym{Name: id.Name, Kind: Const, Obj: c, Cell: k.c.N, Doc: k.c.Comment(id.Pos())})
					}
				}
			}
		}
	}
}

func (k *checker) typeSym(ts *ast.TypeSpec) {
	obj, ok := k.info.Defs[ts.Name].(*types.TypeName)
	if !ok || ts.Name.Name == "_" {
		return
	}
	sym := &Sym{
		Name: ts.Name.Name, Kind: Type, Obj: obj, Cell: k.c.N, Spec: ts,
		Doc: k.c.Comment(ts.Pos()), Emit: k.s.fresh("t_", ts.Name.Name), text: k.typeText(ts), deps: map[string]types.Object{},
	}
	for name := range typeDeps(ts) {
		if o := k.pkg.Scope().Lookup(name); o != nil {
			sym.deps[name] = o
		}
	}
	k.res.others = append(k.res.others, sym)
	k.res.Types = append(k.res.Types, sym)
}

func (k *checker) finishFunc(fd *FuncDecl) {
	fd.text, fd.Doc = normal(k.c.Source(fd.start, fd.Body.End())), k.c.Comment(fd.start)
	fd.BodyObj, _ = k.info.Defs[fd.Body.Name].(*types.Func)
	if fd.Obj == nil {
		fd.Obj, _ = k.info.Defs[fd.sigIdent].(*types.Func)
	}
	if fd.Obj == nil || fd.BodyObj == nil {
		return
	}
	sig := fd.Obj.Signature()
	if sig.Recv() != nil {
		fd.Recv = namedOf(sig.Recv().Type())
		base := "m_" + k.typeEmit(fd.Recv) + "_"
		if old := k.s.methods[fd.Obj]; old != nil && types.Identical(old.BodyObj.Type(), fd.BodyObj.Type()) {
			fd.Emit = old.Emit
		} else {
			fd.Emit = k.s.fresh(base, fd.Name)
		}
		k.res.Funcs = append(k.res.Funcs, fd)
		return
	}
	sym := &Sym{Name: fd.Name, Kind: Func, Obj: fd.Obj, Cell: k.c.N, Doc: fd.Doc, Decl: fd}
	old := k.s.syms[fd.Name]
	switch {
	case old != nil && old.Kind == Func && types.Identical(old.Obj.Type(), sig):
		sym.Emit = old.Emit
	default:
		sym.Emit = k.s.fresh("f_", fd.Name)
		if old != nil && old.Kind == Func {
			k.noteCallers(old)
		}
	}
	fd.Emit = sym.Emit
	if fd.Name != "_" && !fd.Init {
		k.res.others = append(k.res.others, sym)
	}
	k.res.Funcs = append(k.res.Funcs, fd)
}

func (k *checker) typeEmit(n *types.Named) string {
	for _, sym := range k.res.Types {
		if sym.Obj == n.Obj() {
			return sym.Emit
		}
	}
	if sym := k.s.typSyms[n.Obj()]; sym != nil {
		return sym.Emit
	}
	return n.Obj().Name()
}

// callees lists the functions of earlier cells that a body mentions.
func (k *checker) callees(fd *FuncDecl) []*Sym {
	var list []*Sym
	ast.Inspect(fd.Body.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if sym := k.res.Sym(k.info.Uses[id]); sym != nil && sym.Kind == Func {
				list = append(list, sym)
			}
		}
		return true
	})
	return list
}

// noteCallers says which functions go on calling the old version.
func (k *checker) noteCallers(old *Sym) {
	for _, sym := range k.s.Names() {
		if sym.Kind != Func || sym.Decl == nil || k.declared[sym.Name] {
			continue
		}
		for _, c := range sym.Decl.Calls {
			if c.Emit == old.Emit {
				sig := strings.TrimPrefix(types.TypeString(old.Obj.Type(), k.s.qualifier(k.res)), "func")
				k.res.Notes = append(k.res.Notes, sym.Name+" (cell "+itoa(sym.Cell)+") still calls "+old.Name+sig+" of cell "+itoa(old.Cell))
				break
			}
		}
	}
}

func (k *checker) varSym(obj *types.Var) *Sym {
	sym := &Sym{Name: obj.Name(), Kind: Var, Obj: obj, Cell: k.c.N, Doc: k.c.Comment(obj.Pos()), Made: k.made[obj]}
	old := k.s.syms[obj.Name()]
	if old != nil && old.Kind == Var && types.Identical(old.Obj.Type(), obj.Type()) {
		sym.Emit = old.Emit
	} else {
		sym.Emit = k.s.fresh("v_", obj.Name())
	}
	return sym
}

func (k *checker) importSym(sp *ast.ImportSpec) {
	path, name := unquote(sp.Path.Value), k.importName(sp)
	if name == "_" || name == "." {
		return
	}
	if p := k.s.FromSource(path); p != nil {
		path = p.Path // "./geo" is another folder after %cd
	}
	k.res.others = append(k.res.others, &Sym{Name: name, Kind: Import, Path: path, Cell: k.c.N})
}

// namedOf is the origin of the named type of a receiver.
func namedOf(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	if n == nil {
		return nil
	}
	return n.Origin()
}

// Sym finds the symbol of an object that the cell uses or declares, nil for
// objects that are no names of the session.
func (r *Result) Sym(obj types.Object) *Sym {
	if sym := r.aliases[obj]; sym != nil {
		return sym
	}
	for _, sym := range r.others {
		if sym.Obj == obj {
			return sym
		}
	}
	for _, syms := range r.vars {
		for _, sym := range syms {
			if sym.Obj == obj {
				return sym
			}
		}
	}
	return r.s.byObj[obj]
}

// Vars lists the variables that statement i declares.
func (r *Result) Vars(i int) []*Sym { return r.vars[i] }

// NewVars lists all variables that the cell declares.
func (r *Result) NewVars() []*Sym {
	list := slices.Clone(r.fixed)
	for i := range r.Stmts {
		list = append(list, r.vars[i]...)
	}
	return list
}

// Named lists the names of earlier cells that the cell mentions, and the
// variables that it declares.
func (r *Result) Named() []*Sym { return append(r.named, r.NewVars()[len(r.fixed):]...) }

// Method finds the declaration of a method of a cell type.
func (r *Result) Method(m *types.Func) *FuncDecl {
	m = m.Origin()
	for _, fd := range r.Funcs {
		if fd.Obj == m {
			return fd
		}
	}
	return r.s.methods[m]
}

// Context is the table of the types that the cell has instantiated.
func (r *Result) Context() *types.Context { return r.s.ctxt }

// Latest is the version that callers of a function call: the last that had its
// signature.
func (r *Result) Latest(fd *FuncDecl) *FuncDecl {
	for _, now := range r.Funcs {
		if now.Emit == fd.Emit {
			return now
		}
	}
	if now := r.s.bodies[fd.Emit]; now != nil {
		return now
	}
	return fd
}

// Commit enters what the cell declared: types, functions, constants and
// imports, and the variables of the first done statements. It may be called
// again as more statements finish; what it has entered it leaves alone, since
// another cell may have declared the name anew.
func (r *Result) Commit(done int) {
	s := r.s
	if !r.declared {
		r.declared = true
		for _, sym := range r.others {
			s.enter(sym)
		}
		for _, sp := range r.Cell.Imports {
			if path := unquote(sp.Path.Value); sp.Name != nil && sp.Name.Name == "." && !slices.Contains(s.dots, path) {
				s.dots = append(s.dots, path)
			}
		}
		for _, fd := range r.Funcs {
			if fd.Recv != nil {
				s.methods[fd.Obj] = fd
			}
			if was := s.bodies[fd.Emit]; was != nil {
				was.Info = nil // nobody looks at it any more
			}
			s.bodies[fd.Emit] = fd
			if fd.Generic() { // later cells look at its body
				r.keepAliases(fd)
			} else {
				fd.Info = nil
			}
		}
	}
	for ; r.entered < min(done, len(r.Stmts)); r.entered++ {
		for _, sym := range r.vars[r.entered] {
			s.enter(sym)
		}
	}
}

// keepAliases enters what stands for predeclared names in the body of a
// function.
func (r *Result) keepAliases(fd *FuncDecl) {
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if obj := fd.Info.Uses[id]; obj != nil && r.aliases[obj] != nil {
				r.s.byObj[obj] = r.aliases[obj]
			}
		}
		return true
	})
}

func (s *Session) enter(sym *Sym) {
	s.syms[sym.Name] = sym
	if sym.Obj != nil {
		s.byObj[sym.Obj] = sym
	}
	if tn, ok := sym.Obj.(*types.TypeName); ok {
		s.typSyms[tn] = sym
	}
}
