package interp

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"gopherlo/cells"
	"gopherlo/interp/cell"
	"gopherlo/kernel/language"
)

func init() {
	magics["interrupt"] = magic{"%interrupt grace TIME|never", "how long an interrupted cell may stay in native code before its worker is killed", "The time is one such as 30s or 2m. The kernel waits 10 s unless it is told otherwise; a second interrupt kills at once.", (*cellRun).interruptMagic}
	magics["restart"] = magic{"%restart", "go on in a fresh worker: values are lost, the environment and the working directory are kept", "For XLA_FLAGS that were set too late, and to give back all memory. %replay runs the session's cells again; Arrays saved by %checkpoint are not computed anew.", (*cellRun).restart}
	magics["checkpoint"] = magic{"%checkpoint NAME ...", "save Arrays, plain values, and structs, slices, maps and pointers of them; %replay then does not compute them again", "", (*cellRun).checkpoint}
	magics["replay"] = magic{"%replay [auto on|off]", "run the cells of the lost session again, up to the one that failed; auto: by itself after each death of the worker", "", (*cellRun).replay}
}

// restart has a fresh worker take the place of this one when the cell has ended.
func (r *cellRun) restart(m cell.Magic) (language.Bundle, error) {
	if _, replayed := r.host.(mute); replayed {
		return nil, nil
	}
	restarter, ok := r.host.(language.Restarter)
	switch {
	case !ok:
		return nil, usagef("%%restart needs a kernel")
	case m.Args != "":
		return nil, usagef("%%restart takes no arguments")
	case r.in.cells.Load() > 1:
		return nil, usagef("%%restart: a cell of another shell runs; interrupt it first")
	}
	restarter.Restart()
	return nil, nil
}

// interruptMagic sets the grace time of interrupts.
func (r *cellRun) interruptMagic(m cell.Magic) (language.Bundle, error) {
	words := strings.Fields(m.Args)
	if len(words) != 2 || words[0] != "grace" {
		return nil, usagef("%%interrupt grace 60s, or %%interrupt grace never")
	}
	grace := time.Duration(-1)
	if words[1] != "never" {
		var err error
		if grace, err = time.ParseDuration(words[1]); err != nil || grace <= 0 {
			return nil, usagef("%q is no time such as 10s, 2m or never", words[1])
		}
	}
	settings, ok := r.host.(language.Settings)
	if !ok {
		return nil, usagef("%%interrupt needs a kernel")
	}
	settings.SetInterruptGrace(grace)
	r.host.Stream("stdout", "interrupt: grace "+words[1]+"\n")
	return nil, nil
}

// replay runs the journal's cells again. Their output is not shown.
func (r *cellRun) replay(m cell.Magic) (language.Bundle, error) {
	journal, ok := r.host.(language.Journal)
	if _, replayed := r.host.(mute); replayed {
		return nil, nil
	}
	if !ok {
		return nil, usagef("%%replay needs a kernel")
	}
	switch strings.Join(strings.Fields(m.Args), " ") {
	case "":
		_, err := r.replayAll(journal)
		return nil, err
	case "auto on", "auto":
		journal.AutoReplay(true)
	case "auto off":
		journal.AutoReplay(false)
	default:
		return nil, usagef("%%replay, %%replay auto on or %%replay auto off")
	}
	return nil, nil
}

// replayAll runs the journal's cells. A cell that fails is told of, and the later
// ones run, as they did in the session; wrong is the first failure of a cell that
// had ended well.
func (r *cellRun) replayAll(journal language.Journal) (wrong, err error) {
	past, lost, err := journalOf(r.ctx, journal)
	if err != nil {
		return nil, err
	}
	if len(past) == 0 {
		return nil, usagef("there is nothing to replay: no cell of this session has ended by itself, or they were too many to keep")
	}
	start := time.Now()
	var over atomic.Bool
	defer over.Store(true)
	quiet := mute{r.host, &over}
	plan := planReplay(past, savedNames())
	skipped, failed, news := 0, 0, 0
	if len(lost) > 0 {
		r.host.Stream("stdout", notRunAgain(lost))
	}
	for i, p := range past {
		code := p.Code
		if plan[i].skip {
			skipped++
			continue
		}
		for _, name := range plan[i].restore {
			code = "" // the magic line that saved it
			if err := r.restore(name, quiet); err != nil {
				return nil, err
			}
		}
		if code == "" {
			continue
		}
		run := &cellRun{in: r.in, ctx: r.ctx, req: r.req, host: quiet, beside: r.beside, setEnv: r.setEnv}
		run.req.Code, run.req.Silent, run.req.UserExpressions, run.req.AllowStdin = code, true, nil, false
		res := run.execute()
		switch {
		case res.Error == nil:
		case r.ctx.Err() != nil:
			r.host.Stream("stderr", fmt.Sprintf("replay stopped at its cell %d of %d:\n%s\n", i+1, len(past), firstLines(code, 3)))
			return nil, failedRun{res.Error}
		case p.Failed:
			failed++
		default:
			failure := failedRun{res.Error}
			r.host.Stream("stderr", fmt.Sprintf("cell %d of %d failed now, and had not:\n%s\n%v\n", i+1, len(past), firstLines(code, 3), failure))
			if news++; wrong == nil {
				wrong = failure
			}
		}
	}
	text := fmt.Sprintf("replayed %s in %s", numberOf(len(past)-skipped, "cell"), cells.Duration(time.Since(start)))
	if failed > 0 {
		text += fmt.Sprintf(", of which %d failed, as before", failed)
	}
	if news > 0 {
		text += fmt.Sprintf("; %s failed that had not", numberOf(news, "cell"))
	}
	if skipped > 0 {
		text += fmt.Sprintf("; %d more set only what %%checkpoint had saved", skipped)
	}
	r.host.Stream("stdout", text+"\n")
	return wrong, nil
}

// journalOf divides the journal into the cells that can be run again and those
// that cannot.
func journalOf(ctx context.Context, journal language.Journal) (past, lost []language.Past, err error) {
	all, err := journal.Journal(ctx)
	for _, p := range all {
		if p.Lost {
			lost = append(lost, p)
		} else {
			past = append(past, p)
		}
	}
	return past, lost, err
}

// maxLost is how many of the cells that a replay leaves out it names.
const maxLost = 5

// notRunAgain names the cells that a replay leaves out, the last ones of many.
func notRunAgain(lost []language.Past) string {
	n := len(lost)
	if n == 0 {
		return ""
	}
	text := "not run again, as it was interrupted or ended its worker:\n"
	if n > 1 {
		text = fmt.Sprintf("not run again are %d cells that were interrupted or ended their worker:\n", n)
	}
	if n > maxLost {
		lost = lost[n-maxLost:]
		text = strings.TrimSuffix(text, ":\n") + "; the last:\n"
	}
	for _, p := range lost {
		text += firstLines(p.Code, 3) + "\n"
	}
	return text
}

// numberOf is a number with its noun.
func numberOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// again makes a lost session again before the cell, when the kernel asks.
func (r *cellRun) again() language.Result {
	journal, ok := r.host.(language.Journal)
	if !r.req.Replay || !ok {
		return language.Result{}
	}
	if past, _, err := journalOf(r.ctx, journal); err == nil && len(past) == 0 {
		return language.Result{}
	}
	wrong, err := r.replayAll(journal)
	if err = cmp.Or(err, wrong); err != nil {
		return r.result(err)
	}
	return language.Result{}
}

func firstLines(text string, n int) string {
	lines := strings.SplitN(strings.TrimSpace(text), "\n", n+1)
	if len(lines) > n {
		lines[n] = "…"
	}
	return "    " + strings.Join(lines, "\n    ")
}

// mute is a host whose user sees nothing until it is over: goroutines that a
// replayed cell has left behind then show what they do.
type mute struct {
	language.Host
	over *atomic.Bool
}

func (m mute) Stream(name, text string) {
	if m.over.Load() {
		m.Host.Stream(name, text)
	}
}

func (m mute) Display(data language.Bundle, metadata, transient map[string]any, update bool) {
	if m.over.Load() {
		m.Host.Display(data, metadata, transient, update)
	}
}

func (m mute) Clear(wait bool) {
	if m.over.Load() {
		m.Host.Clear(wait)
	}
}

func (m mute) Comm(kind string, content, metadata map[string]any, buffers [][]byte) {
	if m.over.Load() {
		m.Host.Comm(kind, content, metadata, buffers)
	}
}

func (m mute) Input(ctx context.Context, prompt string, password bool) (string, error) {
	if m.over.Load() {
		return m.Host.Input(ctx, prompt, password)
	}
	return "", language.ErrNoStdin
}

// SetInterruptGrace implements [language.Settings].
func (m mute) SetInterruptGrace(grace time.Duration) {
	if s, ok := m.Host.(language.Settings); ok {
		s.SetInterruptGrace(grace)
	}
}
