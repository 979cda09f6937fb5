package interp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode/utf8"

	"gopherlo/cells"
	"gopherlo/internal/descendants"
	"gopherlo/interp/cell"
	"gopherlo/interp/check"
	"gopherlo/jaxlike/stages"
	"gopherlo/kernel/language"
	"gopherlo/xla"
	"gopherlo/xla/flags"
)

// magic is one line magic.
type magic struct {
	usage, help string
	// more is what inspection adds: details and examples.
	more string
	run  func(r *cellRun, m cell.Magic) (language.Bundle, error)
}

// magics are the line magics by name.
var magics map[string]magic

// cellMagic takes the rest of the cell.
type cellMagic struct {
	usage, help string
	more        string
	run         func(r *cellRun, m cell.Magic) language.Result
}

// cellMagics are the cell magics by name.
var cellMagics map[string]cellMagic

func init() {
	magics = map[string]magic{
		"env": {"%env [NAME[=VALUE]]", "show or set environment variables; kept when the worker is replaced", `%env lists all but what seems to be secret (KEY, TOKEN, SECRET, PASSWORD in the name), %env NAME shows one. $NAME and {NAME} are no references here: the value is taken as it stands.

%env XLA_FLAGS=--xla_... counts when it is set before the first program is compiled. Later it says that a restart is needed. The flags are tried first, so that a wrong one is told and does not end the kernel.`, (*cellRun).env},
		"time": {"%time STATEMENT", "time one statement", `The value of the statement is shown and stays in the session:

    %time y := f(x)`, (*cellRun).time},
		"timeit": {"%timeit [-n LOOPS] [-r RUNS] STATEMENT", "time many runs of a statement; the first, which may compile, is shown apart", `Without -n so many loops make a run that it takes 0.2 s or more. Arrays are computed when a call has come back with its handle only: add .BlockUntilReady() to time the computation too.

    %timeit f(x).BlockUntilReady()`, (*cellRun).timeitLine},
		"who":   {"%who [KIND|TYPE|NAME ...]", "list the names of the session", "%who lists all, %who func the functions, %who Array the variables that are Arrays.", (*cellRun).who},
		"reset": {"%reset [NAME]", "forget all names, or one; jit: what was traced and compiled; out: the values of cells", "A predeclared name that a name of the session hid is what it was again.", (*cellRun).reset},
		"help":  {"%help [-p] [MAGIC]", "list the magics; -p: in the pager", "", (*cellRun).help},
		"cd":    {"%cd [DIR]", "change the working directory", "Without DIR it is your home directory.", (*cellRun).cd},
		"pwd":   {"%pwd", "show the working directory", "", (*cellRun).pwd},
		"flags": {"%flags [PATTERN]", "list XLA's compiler options", "PATTERN is a regular expression; the same table is that of `gopherlo flags`.", (*cellRun).flags},
		"hlo": {"%hlo f(ARGS)", "show the HLO of a jitted function for arguments", `The function is traced and lowered, not compiled nor run:

    %hlo f(1.0)`, (*cellRun).hlo},
		"operators": {"%operators [on|off]", "Array operators in cells", "Off, x + y of Arrays is a mistake, as in plain Go: x.Add(y).", (*cellRun).operators},
		"load":      {"%load FILE", "put the text of a file in the place of the cell", "", (*cellRun).load},
		"?":         {"NAME? or ?NAME", "describe a name; NAME?? shows its source too", "", (*cellRun).ask},
		"!":         {"!COMMAND", "run a shell command with your rights", "The command is that of /bin/sh; its output is the cell's.", (*cellRun).shell},
	}
	cellMagics = map[string]cellMagic{
		"xla": {"%%xla {OPTIONS}", "compiler options for every jit in the cell", `OPTIONS are those of compiler_options; what a jit says itself comes first:

    %%xla {"xla_embed_ir_in_executable": true}
    f := jit(func(x Array) Array { return jnp.Sin(x) })`, (*cellRun).xlaCell},
		"time":   {"%%time", "time the cell", "", (*cellRun).timeCell},
		"timeit": {"%%timeit [-n LOOPS] [-r RUNS]", "time many runs of the cell", "See %timeit.", (*cellRun).timeitCell},
		"hlo": {"%%hlo [{OPTIONS}] [NAME =] [ARGS]", "compile the HLO module below and run it", `The lines below are an HLO module. With arguments it is run and its value shown; with a name, f, the program is f, a function.

    %%hlo f =
    HloModule m
    ENTRY e {
      x = f32[] parameter(0)
      ROOT y = f32[] add(x, x)
    }`, (*cellRun).hloCell},
		"stablehlo": {"%%stablehlo [{OPTIONS}] [NAME =] [ARGS]", "compile the StableHLO module below and run it", "See %%hlo.", (*cellRun).hloCell},
	}
}

// lineMagic runs one magic line.
func (r *cellRun) lineMagic(m cell.Magic) (language.Bundle, error) {
	if r.ctx.Err() != nil {
		return nil, failedRun{interruptedError()}
	}
	if m.Cell {
		return nil, usagef("%%%%%s must stand at the start of the cell", m.Name)
	}
	mg, ok := magics[strings.Replace(m.Name, "??", "?", 1)]
	if !ok {
		return nil, unknownMagic("%" + m.Name)
	}
	return mg.run(r, m)
}

func unknownMagic(name string) error {
	if other := foreignMagics[name]; other != "" {
		return usagef("magic %s not found; instead: %s", name, other)
	}
	var known, same []string // with as many signs
	for _, c := range magicCandidates(true) {
		known = append(known, c.name)
		if strings.HasPrefix(c.name, "%%") == strings.HasPrefix(name, "%%") {
			same = append(same, c.name)
		}
	}
	near := nearMagics(name, same)
	if len(near) == 0 {
		near = nearMagics(name, known)
	}
	slices.Sort(near)
	if len(near) > 0 {
		return usagef("magic %s not found; did you mean %s? (%%help lists them)", name, strings.Join(near, " or "))
	}
	slices.Sort(known)
	return usagef("magic %s not found; there are %s (%%help tells what they do)", name, strings.Join(known, ", "))
}

// nearMagics are the magics that a name may have been meant for: what it is but for
// capitals, what it begins, and what is a letter away.
func nearMagics(name string, known []string) (near []string) {
	base := strings.ToLower(strings.TrimLeft(name, "%"))
	for _, n := range known {
		switch b := strings.TrimLeft(n, "%"); {
		case b == base:
			return []string{n}
		case len(base) > 1 && strings.HasPrefix(b, base):
			near = append(near, n)
		}
	}
	if best := check.Closest(name, known); best != "" && !slices.Contains(near, best) {
		near = append(near, best)
	}
	return near
}

func (r *cellRun) env(m cell.Magic) (language.Bundle, error) {
	name, value, set := strings.Cut(m.Args, "=")
	if !set {
		name, value, set = strings.Cut(m.Args, " ")
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case name == "" && set:
		return nil, usagef("%%env takes a name before the =: %%env NAME=VALUE")
	case name == "":
		r.host.Stream("stdout", shownEnvironment())
		return nil, nil
	case !set:
		v, ok := os.LookupEnv(name)
		if !ok {
			return nil, usagef("environment variable %s is not set", name)
		}
		return language.Bundle{"text/plain": v}, nil
	}
	if _, replayed := r.host.(mute); replayed && name == "XLA_FLAGS" && startFlags {
		return nil, nil // the kernel has kept the last value, which XLA is to read
	}
	if err := cells.EnvRefused(r.ctx, name, value); err != nil {
		return nil, usagef("%v", err)
	}
	if err := os.Setenv(name, value); err != nil {
		return nil, usagef("%s: %v", name, err)
	}
	r.setEnv[name] = &value
	r.host.Stream("stdout", "env: "+name+"="+value+"\n")
	switch note, late := cells.EnvNote(name, "in a fresh worker. %restart starts one; values are lost then, and %replay runs the session's cells again."); {
	case late:
		r.host.Stream("stderr", note+"\n")
	case note != "":
		r.host.Stream("stdout", note+"\n")
	}
	return nil, nil
}

// shownEnvironment lists the environment by name. What seems to be a secret is not
// shown, as in IPython: notebooks are given away. %env NAME shows it.
func shownEnvironment() string {
	env := os.Environ()
	slices.Sort(env)
	var b strings.Builder
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		if lower := strings.ToLower(name); slices.ContainsFunc([]string{"key", "token", "secret", "password"}, func(s string) bool { return strings.Contains(lower, s) }) {
			value = "<hidden>"
		}
		b.WriteString(name + "=" + value + "\n")
	}
	return b.String()
}

// startFlags tells that the process was started with XLA_FLAGS.
var _, startFlags = os.LookupEnv("XLA_FLAGS")

func (r *cellRun) cd(m cell.Magic) (language.Bundle, error) {
	dir := strings.Trim(m.Args, `"'`)
	if dir == "" || dir == "~" {
		dir, _ = os.UserHomeDir()
	}
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		home, _ := os.UserHomeDir()
		dir = home + "/" + rest
	}
	if err := os.Chdir(dir); err != nil {
		return nil, usagef("%v", err)
	}
	return r.pwd(m)
}

func (r *cellRun) pwd(m cell.Magic) (language.Bundle, error) {
	if m.Name == "pwd" && m.Args != "" {
		return nil, usagef("%%pwd takes no arguments; %%cd DIR changes the directory")
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, usagef("%v: the working directory is gone; %%cd DIR changes to another", err)
	}
	return language.Bundle{"text/plain": dir}, nil
}

func (r *cellRun) who(m cell.Magic) (language.Bundle, error) {
	r.in.names.Lock()
	defer r.in.names.Unlock()
	r.in.finished()
	var b strings.Builder
	words := strings.Fields(m.Args)
	for _, sym := range r.in.session.Names() {
		is := r.in.session.Describe(sym)
		if len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return w == sym.Name || w == is || w == sym.Kind.String() }) {
			fmt.Fprintf(&b, "%-6s %-16s %s\n", sym.Kind, sym.Name, is)
		}
	}
	if b.Len() == 0 && len(words) > 0 {
		return nil, usagef("%%who: nothing is called, or is, %s; kinds are var, func, type, const and import", strings.Join(words, " or "))
	}
	if b.Len() == 0 {
		b.WriteString("no names yet\n")
	}
	r.host.Stream("stdout", b.String())
	return nil, nil
}

func (r *cellRun) reset(m cell.Magic) (language.Bundle, error) {
	name := strings.TrimSpace(strings.TrimPrefix(m.Args, "-f"))
	if name == "" {
		if r.in.cells.Load() > 1 {
			return nil, usagef("%%reset: a cell of another shell runs; interrupt it first")
		}
		r.in.reset()
		if journal, ok := r.host.(language.Journal); ok {
			journal.Forget()
		}
		return nil, nil
	}
	r.in.names.Lock()
	defer r.in.names.Unlock()
	if !r.in.session.Forget(name) {
		if name == "out" {
			r.in.rt.ForgetOuts()
			r.in.session.ForgetValues()
			return nil, nil
		}
		if name == "jit" {
			r.in.rt.ResetJit()
			return nil, nil
		}
		return nil, usagef("no name %s in the session", name)
	}
	return nil, nil
}

// help lists the magics, or tells about one.
func (r *cellRun) help(m cell.Magic) (language.Bundle, error) {
	args, pager := strings.CutPrefix(m.Args, "-p")
	args = strings.TrimSpace(args)
	var lines []string
	width := 0
	about := func(name, usage, help string) {
		if args == "" || strings.TrimLeft(args, "%!") == strings.TrimLeft(name, "!") {
			lines = append(lines, usage+"\x00"+help)
			width = max(width, len(usage))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(magics)) {
		about(n, magics[n].usage, magics[n].help)
	}
	for _, n := range slices.Sorted(maps.Keys(cellMagics)) {
		about(n, cellMagics[n].usage, cellMagics[n].help)
	}
	if len(lines) == 0 {
		return nil, unknownMagic("%" + strings.TrimLeft(args, "%"))
	}
	var b strings.Builder
	for _, line := range lines {
		usage, help, _ := strings.Cut(line, "\x00")
		fmt.Fprintf(&b, "%-*s  %s\n", width, usage, help)
	}
	if pager { // not every front end has one
		r.payload = append(r.payload, map[string]any{"source": "page", "data": map[string]any{"text/plain": b.String()}, "start": 0})
		return nil, nil
	}
	r.host.Stream("stdout", b.String())
	return nil, nil
}

// ask describes a name in the cell's output.
func (r *cellRun) ask(m cell.Magic) (language.Bundle, error) {
	found := r.in.inspect(r.ctx, m.Args, utf8.RuneCountInString(m.Args), len(m.Name)-1, 1)
	if !found.Found {
		r.host.Stream("stdout", "Object `"+m.Args+"` not found.\n")
		return nil, nil
	}
	r.host.Display(found.Data, map[string]any{}, nil, false)
	return nil, nil
}

func (r *cellRun) flags(m cell.Magic) (language.Bundle, error) {
	table, err := xla.FlagTable(r.ctx, stages.Platform)
	if err != nil {
		return nil, err
	}
	pattern, err := regexp.Compile("(?i)" + m.Args)
	if err != nil {
		return nil, usagef("%v", err)
	}
	list := flags.Match(table, pattern)
	if len(list) == 0 {
		return nil, usagef("no flag of %d matches %s", len(table), m.Args)
	}
	r.host.Stream("stdout", flags.Text(list))
	return nil, nil
}

// hlo shows the program of the call that its argument is.
func (r *cellRun) hlo(m cell.Magic) (language.Bundle, error) {
	text, ok := m.HLO()
	if !ok {
		return nil, usagef("%%hlo takes a call: %%hlo f(1.0)")
	}
	return r.goValue(m, text)
}

func (r *cellRun) operators(m cell.Magic) (language.Bundle, error) {
	r.in.names.Lock()
	defer r.in.names.Unlock()
	switch m.Args {
	case "on", "":
		r.in.session.Operators = true
	case "off":
		r.in.session.Operators = false
	default:
		return nil, usagef("%%operators on or %%operators off")
	}
	return nil, nil
}

// goValue runs Go text at the line of a magic and gives its value.
func (r *cellRun) goValue(m cell.Magic, text string) (language.Bundle, error) {
	res := r.golang(strings.Repeat("\n", m.Line-1) + text)
	if res.Error != nil {
		return nil, failedRun{res.Error}
	}
	return res.Value, nil
}

// shellDelay is how long a command may take to end after an interrupt.
const shellDelay = time.Second

// shell runs a command; its output goes to the cell as it comes.
func (r *cellRun) shell(m cell.Magic) (language.Bundle, error) {
	cmd := exec.CommandContext(r.ctx, "/bin/sh", "-c", m.Args)
	cmd.Stdout, cmd.Stderr = hostWriter{r.host, "stdout"}, hostWriter{r.host, "stderr"}
	cmd.Cancel = func() error { // what the shell has started must stop too
		for _, pid := range descendants.Signal(cmd.Process.Pid, syscall.SIGINT) {
			// A shell lets what it runs beside ignore the signal, and ends itself.
			group, _ := syscall.Getpgid(pid)
			time.AfterFunc(shellDelay, func() {
				if now, err := syscall.Getpgid(pid); err == nil && now == group { // none that has got its number since
					_ = syscall.Kill(pid, syscall.SIGKILL)
				}
			})
		}
		return nil
	}
	cmd.WaitDelay = 2 * shellDelay
	err := cmd.Run()
	if r.ctx.Err() != nil {
		return nil, failedRun{interruptedError()}
	}
	if errors.Is(err, exec.ErrWaitDelay) { // the shell has left something running
		return nil, nil
	}
	if exit, ok := err.(*exec.ExitError); ok {
		r.host.Stream("stderr", fmt.Sprintf("exit status %d\n", exit.ExitCode()))
		return nil, nil
	}
	return nil, err
}

type hostWriter struct {
	host language.Host
	name string
}

func (w hostWriter) Write(p []byte) (int, error) {
	w.host.Stream(w.name, string(p))
	return len(p), nil
}

var (
	_ io.Writer = hostWriter{}
	_           = context.Background
)
