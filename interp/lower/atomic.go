package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// Generic types of the standard library that have no source here are held as
// types of package rt. sync/atomic.Pointer is the one.

// IsAtomicPointer reports sync/atomic.Pointer[T].
func IsAtomicPointer(t *types.Named) bool {
	obj := t.Obj()
	return obj.Pkg() != nil && obj.Pkg().Path() == "sync/atomic" && obj.Name() == "Pointer" && t.TypeArgs().Len() == 1
}

// atomicPointer is the atomic pointer that t is or points to.
func (l *lowerer) atomicPointer(t types.Type) *types.Named {
	t = types.Unalias(l.sub(t))
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(l.sub(p.Elem()))
	}
	if n, ok := t.(*types.Named); ok && IsAtomicPointer(n) {
		return n
	}
	return nil
}

// atomicMethod finds a method of an atomic pointer: a helper for its type
// argument.
func (l *lowerer) atomicMethod(n *types.Named, x string, t types.Type, addr func() string, name string, sig *types.Signature) target {
	if _, isPtr := l.under(t).(*types.Pointer); !isPtr {
		x = addr()
	}
	key := fmt.Sprintf("atomic %s %d", name, l.env.Types.ID(n))
	helper := l.name(key, "ap")
	l.once(key, func() {
		decl, args := l.params(sig)
		for i, a := range args {
			args[i] = "_k.I(" + a + ")"
		}
		call := "p." + name + "(" + strings.Join(args, ", ") + ")"
		params := strings.Join(append([]string{"p *" + l.typ(n)}, decl...), ", ")
		switch name {
		case "Load", "Swap":
			l.globals = append(l.globals, fmt.Sprintf("func %s(%s) (z%s) { _k.Set(%s, &z); return z }\n", helper, params, l.results(sig), call))
		case "CompareAndSwap":
			l.globals = append(l.globals, fmt.Sprintf("func %s(%s) bool { return %s }\n", helper, params, call))
		default:
			l.globals = append(l.globals, fmt.Sprintf("func %s(%s) { %s }\n", helper, params, call))
		}
	})
	return target{fun: helper, first: []string{x}, sig: sig}
}
