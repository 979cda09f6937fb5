package interp

import (
	"fmt"
	"os"

	"gopherlo/interp/check"
	"gopherlo/interp/lower"
	"gopherlo/kernel/language"
)

// workingDir is the folder of the notebook: where packages from source are looked
// for.
func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}

// ready puts packages from source in place that a cell imports, in the order in which
// they depend on each other, and runs their init functions; in.names is held, but not
// while those run.
func (r *cellRun) ready(pkgs []*check.Package) *language.Error {
	for _, p := range pkgs {
		if p.Ready { // by a cell beside this one, meanwhile
			continue
		}
		if wrong := r.readyPackage(p); wrong != nil {
			p.Forget()
			return wrong
		}
		p.Ready = true
		if p.Note != "" {
			r.host.Stream("stderr", "note: "+p.Note+"\n")
		}
	}
	return nil
}

func (r *cellRun) readyPackage(p *check.Package) (wrong *language.Error) {
	in := r.in
	prog, err := lower.Package(in.env, in.fset, p)
	if err != nil {
		return in.lowerError(nil, err)
	}
	d, wrong := r.place(prog, p.Result())
	if wrong != nil {
		return wrong
	}
	in.names.Unlock()
	defer in.names.Lock()
	wrong = in.run(r.ctx, d, r.req)
	in.leave(d)
	if wrong != nil {
		wrong.Traceback = append(wrong.Traceback, fmt.Sprintf("while package %s was initialized", p.Path))
	}
	return wrong
}
