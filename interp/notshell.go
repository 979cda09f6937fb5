package interp

import "gopherlo/interp/cell"

// goLine is the Go text of a line that looks like one for the shell and is the
// negation of what the session has: !ok, !x[0].
func (r *cellRun) goLine(m cell.Magic) (text string, ok bool) {
	if m.Name != "!" {
		return "", false
	}
	r.in.names.Lock()
	defer r.in.names.Unlock()
	return r.in.session.Negation(r.req.Count, m.Args)
}
