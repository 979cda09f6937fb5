package interp

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"

	"gopherlo/interp/cell"
	"gopherlo/kernel/language"
	"gopherlo/xla/hlo"
)

// rawModule is what the line of %%hlo or %%stablehlo asks for.
type rawModule struct {
	options string // of the compiler, with braces; "" for none
	name    string // of the variable that gets the compiled module
	args    string // Go expressions; "" for none
}

var moduleName = regexp.MustCompile(`^([\pL_][\pL\pN_]*)\s*:?=(?:[^=]|$)`)

func parseRawModule(text string) (rawModule, error) {
	var r rawModule
	if strings.HasPrefix(text, "{") {
		end := closingBrace(text)
		if end < 0 {
			return r, usagef("the options have no closing brace: %s", text)
		}
		r.options, text = text[:end], strings.TrimSpace(text[end:])
	}
	if m := moduleName.FindStringSubmatch(text); m != nil {
		r.name = m[1]
		text = text[strings.IndexByte(text, '=')+1:]
	}
	r.args = strings.TrimSpace(text)
	return r, nil
}

// closingBrace is the offset behind the brace that closes the one at the start
// of Go text, -1 when there is none.
func closingBrace(text string) int {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	for depth := 0; ; {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.LBRACE:
			depth++
		case token.RBRACE:
			if depth--; depth == 0 {
				return file.Offset(pos) + 1
			}
		case token.EOF:
			return -1
		}
	}
}

// hloCell compiles the module below %%hlo or %%stablehlo, gives it its name and
// calls it. A module without parameters runs when it has no name.
func (r *cellRun) hloCell(m cell.Magic) language.Result {
	code, err := ModuleCode(m)
	if err != nil {
		return r.failed(err)
	}
	r.moved = moduleParts(m, code, r.req.Code)
	defer func() { r.moved = nil }()
	return r.golang(code)
}

// moduleParts tells where the parts of the Go text for a magic stand in its
// line: the name and the options come first in both, the arguments last.
func moduleParts(m cell.Magic, code, text string) []cell.Moved {
	raw, err := parseRawModule(m.Args)
	lines := strings.Split(text, "\n")
	if err != nil || m.Line > len(lines) {
		return nil
	}
	line := lines[m.Line-1]
	first := strings.Index(line, m.Args)
	if first < 0 {
		return nil
	}
	args, options := len(code)-len(raw.args)-1, strings.LastIndex(code, "compiler_options{")+len("compiler_options")
	moved := []cell.Moved{{From: 0, To: len(code), Line: m.Line, Col: 1}}
	if raw.args != "" {
		moved = append(moved, cell.Moved{From: args, To: len(code), Line: m.Line, Col: first + strings.LastIndex(m.Args, raw.args) + 1})
	}
	if raw.options != "" {
		moved = append(moved, cell.Moved{From: options, To: options + len(raw.options), Line: m.Line, Col: first + 1})
	}
	return moved
}

// ModuleCode is the Go text that %%hlo and %%stablehlo stand for.
func ModuleCode(m cell.Magic) (string, error) {
	raw, err := parseRawModule(m.Args)
	if err != nil {
		return "", err
	}
	if strings.TrimSpace(m.Body) == "" {
		return "", usagef("%%%%%s wants a module in the lines below it", m.Name)
	}
	if raw.args == "" && raw.name == "" && m.Name == "hlo" {
		if err := needsArguments(m); err != nil {
			return "", err
		}
	}
	parse := map[string]string{"hlo": "Parse", "stablehlo": "ParseStableHLO"}[m.Name]
	compiled := fmt.Sprintf("xla.Compile(xla.%s(%s)", parse, strconv.Quote(body(m)))
	if raw.options != "" {
		compiled += ", compiler_options" + raw.options
	}
	compiled += ")"
	switch {
	case raw.name == "":
		return compiled + "(" + raw.args + ")", nil
	case raw.args == "":
		return raw.name + " := " + compiled, nil
	}
	return raw.name + " := " + compiled + "; " + raw.name + "(" + raw.args + ")", nil
}

// needsArguments is the advice for a module with parameters that gets none. What
// cannot be read is left to the compiler's own error.
func needsArguments(m cell.Magic) error {
	module, err := hlo.Parse(m.Body)
	if err != nil || module.Entry == nil || len(module.Entry.Parameters()) == 0 {
		return nil
	}
	params := make([]string, len(module.Entry.Parameters()))
	for i, p := range module.Entry.Parameters() {
		params[i] = p.Name + ": " + p.Shape.String()
	}
	return usagef("the module takes %s: write their values after %%%%%s, or a name as in %%%%%s f =", strings.Join(params, ", "), m.Name, m.Name)
}

// load gives the front end the text of a file for the place of the cell.
func (r *cellRun) load(m cell.Magic) (language.Bundle, error) {
	const most = 1 << 20
	path := strings.Trim(m.Args, `"`)
	if path == "" {
		return nil, usagef("%%load FILE")
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, usagef("%s is no file", path)
	case info.Size() > most:
		return nil, usagef("%s has %d bytes; a cell takes at most %d", path, info.Size(), most)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r.payload = append(r.payload, map[string]any{"source": "set_next_input", "text": "// %load " + path + "\n" + string(text), "replace": true})
	return nil, nil
}
