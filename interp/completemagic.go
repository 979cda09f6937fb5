package interp

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/xla/flags"
)

var (
	magicNameRE = regexp.MustCompile(`^[ \t]*(%{1,2}[A-Za-z]*)$`)
	magicArgRE  = regexp.MustCompile(`^[ \t]*%([a-z]+)[ \t]+(.*)$`)
	shellRE     = regexp.MustCompile(`^[ \t]*!(.*)$`)
	flagsEnvRE  = regexp.MustCompile(`^XLA_FLAGS(?:=|[ \t])(?:.*[ \t"'])?--([a-z0-9_]*)(=?)([^ \t]*)$`)
	flagsDueRE  = regexp.MustCompile(`^XLA_FLAGS(?:=|[ \t])(?:.*[ \t"'])?(-?)$`)
	askingRE    = regexp.MustCompile(`^[ \t]*%{0,2}[\pL_][\pL\pN_.]*\?{1,2}$`)
	timeitRE    = regexp.MustCompile(`^[ \t]*%{1,2}timeit[ \t]+(?:-[nr][ \t]*[0-9]+[ \t]+)*(-[nr]?)$`)
)

// magicLine completes a line that is not Go; ok is false for others, those of
// magics that take Go too.
func (in *Interp) magicLine(ctx context.Context, code string, at int) (start int, list []candidate, ok bool) {
	from := strings.LastIndexByte(code[:at], '\n') + 1
	line := code[from:at]
	if askingRE.MatchString(line) && cell.StartsStatement(code[:from]) {
		return at, nil, true
	}
	if m := timeitRE.FindStringSubmatch(line); m != nil {
		return at - len(m[1]), []candidate{
			{name: "-n", kind: "option", signature: "-n LOOPS: so many make a run"}, {name: "-r", kind: "option", signature: "-r RUNS: so many runs"},
		}, true
	}
	if trimmed := strings.TrimLeft(line, " \t"); trimmed == "" || trimmed[0] != '%' && trimmed[0] != '!' || !cell.StartsStatement(code[:from]) {
		return 0, nil, false
	}
	if m := magicNameRE.FindStringSubmatch(line); m != nil {
		return at - len(m[1]), magicCandidates(strings.TrimSpace(code[:from]) == ""), true
	}
	if m := shellRE.FindStringSubmatch(line); m != nil {
		start, list = shellWords(code, at, m[1])
		return start, list, true
	}
	m := magicArgRE.FindStringSubmatch(line)
	if m == nil || goMagicRE.MatchString(line) {
		return 0, nil, false
	}
	complete := magicArguments[m[1]]
	if complete == nil {
		return at, nil, true
	}
	start, list = complete(in, ctx, code, at-len(m[2]), at)
	return start, list, true
}

// magicArguments lists, by magic, what may stand in its arguments, which are the
// text from start to at.
var magicArguments = map[string]func(in *Interp, ctx context.Context, code string, start, at int) (int, []candidate){
	"env": func(_ *Interp, ctx context.Context, code string, start, at int) (int, []candidate) {
		m := flagsEnvRE.FindStringSubmatch(code[start:at])
		switch {
		case m != nil && m[2] == "=":
			return at - len(m[3]), optionValues(ctx, m[1])
		case m != nil:
			return at - len(m[1]), flagCandidates(ctx, func(f flags.Flag) bool { return f.XLAFlags })
		}
		if m = flagsDueRE.FindStringSubmatch(code[start:at]); m != nil {
			list := flagCandidates(ctx, func(f flags.Flag) bool { return f.XLAFlags })
			for i := range list {
				list[i].name = "--" + list[i].name
			}
			return at - len(m[1]), list
		}
		if strings.ContainsAny(code[start:at], "= ") {
			return at, nil
		}
		list := environment()
		for name, is := range ourVariables {
			list = append(list, candidate{name: name, kind: "property", signature: is, rank: fitting})
		}
		for i := range list {
			list[i].rank = local
		}
		return start, list
	},
	"cd": func(_ *Interp, _ context.Context, code string, start, at int) (int, []candidate) {
		return fileNames(code, start, at, true)
	},
	"load": func(_ *Interp, _ context.Context, code string, start, at int) (int, []candidate) {
		return fileNames(code, start, at, false)
	},
	"reset": func(in *Interp, _ context.Context, code string, start, at int) (int, []candidate) {
		return wordStart(code, start, at), append(in.sessionNames(nil),
			candidate{name: "jit", kind: "keyword", signature: "what was traced and compiled"},
			candidate{name: "out", kind: "keyword", signature: "the values of cells"})
	},
	"checkpoint": func(in *Interp, _ context.Context, code string, start, at int) (int, []candidate) {
		return wordStart(code, start, at), in.sessionNames(func(s *check.Sym) bool { return s.Kind == check.Var })
	},
	"help": func(_ *Interp, _ context.Context, code string, start, at int) (int, []candidate) {
		list := magicCandidates(true)
		start = wordStart(code, start, at)
		if !strings.HasPrefix(code[start:at], "%") {
			for i := range list {
				list[i].name = strings.TrimLeft(list[i].name, "%")
			}
		}
		return start, list
	},
	"who": func(in *Interp, _ context.Context, code string, start, at int) (int, []candidate) {
		list := wordsOf("keyword", "var", "func", "type", "const", "import")
		for i := range list {
			list[i].rank = local
		}
		return wordStart(code, start, at), append(list, in.sessionNames(nil)...)
	},
	"flags": func(_ *Interp, ctx context.Context, code string, start, at int) (int, []candidate) {
		return wordStart(code, start, at), flagCandidates(ctx, func(flags.Flag) bool { return true })
	},
	"operators": fixedWords("on", "off"),
	"replay":    fixedWords("auto", "auto on", "auto off"),
	"interrupt": fixedWords("grace", "grace 10s", "grace 60s", "grace never"),
}

// ourVariables are variables of the environment that are read here.
var ourVariables = map[string]string{
	"XLA_FLAGS": "XLA's flags for the whole process, read when the first program is compiled", "JAX_ENABLE_X64": "64-bit types",
	"JAX_PLATFORMS": "where programs run: cpu, cuda, tpu", "JAX_OPTIMIZATION_LEVEL": "O0, O1, O2 or O3", "JAX_MEMORY_FITTING_LEVEL": "O0, O1, O2 or O3",
	"PJRT_PLUGIN_LIBRARY_PATH": "folders of PJRT plugins", "GOPHERLO_CACHE": "folder of compiled executables, or off",
	"GOPHERLO_DATA": "folder of plugins, history and sessions", "GOPHERLO_SOURCE": "the source for gopherlo export and build",
}

// fixedWords completes arguments that are a few fixed texts.
func fixedWords(words ...string) func(*Interp, context.Context, string, int, int) (int, []candidate) {
	return func(_ *Interp, _ context.Context, code string, start, at int) (int, []candidate) {
		var list []candidate
		typed := code[start:at]
		last := strings.LastIndexByte(typed, ' ') + 1
		for _, w := range words {
			if rest, ok := strings.CutPrefix(w, typed[:last]); ok && !strings.Contains(rest, " ") {
				list = append(list, candidate{name: rest, kind: "keyword"})
			}
		}
		return start + last, list
	}
}

// wordStart is where the last of several words begins.
func wordStart(code string, start, at int) int {
	return start + strings.LastIndexAny(code[start:at], " \t") + 1
}

// sessionNames lists the names of the session that are wanted.
func (in *Interp) sessionNames(wanted func(*check.Sym) bool) (list []candidate) {
	in.finished()
	in.session.Each(func(s *check.Sym) {
		if wanted == nil || wanted(s) {
			c := candidate{name: s.Name, kind: "module", signature: s.Path, obj: s.Obj}
			list = append(list, c)
		}
	})
	return list
}

// magicCandidates lists the magics; those of cells only where one may stand.
func magicCandidates(first bool) (list []candidate) {
	for name, m := range magics {
		if name != "!" && name != "?" {
			list = append(list, candidate{name: "%" + name, kind: "magic", signature: m.help})
		}
	}
	if !first {
		return list
	}
	for name, m := range cellMagics {
		list = append(list, candidate{name: "%%" + name, kind: "magic", signature: m.help})
	}
	return list
}

// shellWords completes a shell line: its first word as a command, others as
// files.
func shellWords(code string, at int, line string) (start int, list []candidate) {
	start = at - len(line) + strings.LastIndexAny(line, " \t=<>|;&\"'") + 1
	before := strings.TrimRight(code[:start], " \t")
	begins := strings.HasSuffix(before, "!") || strings.HasSuffix(before, "|") || strings.HasSuffix(before, ";") || strings.HasSuffix(before, "&")
	if !begins || strings.Contains(code[start:at], "/") {
		return fileNames(code, start, at, false)
	}
	if start == at {
		return start, nil // all commands would be too many
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), code[start:at]) {
				list = append(list, candidate{name: e.Name(), kind: "command", signature: dir})
			}
		}
	}
	_, files := fileNames(code, start, at, false)
	return start, append(list, files...)
}
