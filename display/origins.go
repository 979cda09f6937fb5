package display

import (
	"cmp"
	"fmt"
	"html"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// origins are the lines of cells that the instructions of an HLO text come from.
type origins struct {
	of    map[string]string // instruction to file:line
	index map[string]int    // a number for each file:line, in their order
	order []origin          // the places by these numbers
	text  func(file string) (string, bool)
}

// origin is a line of a cell.
type origin struct {
	file string
	line int
}

var cellFile = regexp.MustCompile(`^cell-(\d+)\.go$`)

// name is how a place reads: "cell 3, line 2".
func (p origin) name() string {
	if m := cellFile.FindStringSubmatch(p.file); m != nil {
		return "cell " + m[1] + ", line " + strconv.Itoa(p.line)
	}
	return p.file + ", line " + strconv.Itoa(p.line)
}

// newOrigins orders the places of instructions. The text of a file is asked for
// where it is shown.
func newOrigins(of map[string]string, text func(file string) (string, bool)) *origins {
	at := &origins{of: of, index: map[string]int{}, text: text}
	for _, p := range of {
		if _, ok := at.index[p]; ok {
			continue
		}
		colon := strings.LastIndexByte(p, ':')
		n, err := strconv.Atoi(p[colon+1:])
		if err != nil || colon < 0 {
			continue
		}
		at.index[p] = 0
		at.order = append(at.order, origin{p[:colon], n})
	}
	slices.SortFunc(at.order, func(a, b origin) int {
		return cmp.Or(cmp.Compare(len(a.file), len(b.file)), strings.Compare(a.file, b.file), a.line-b.line)
	})
	for i, p := range at.order {
		at.index[p.file+":"+strconv.Itoa(p.line)] = i
	}
	return at
}

func (at *origins) any() bool { return at != nil && len(at.order) > 0 }

var instruction = regexp.MustCompile(`^\s*(?:ROOT )?%?([\w.\-]+) = `)

// find gives the number of the place that a line of HLO comes from, or -1.
func (at *origins) find(line string) int {
	m := instruction.FindStringSubmatch(line)
	if m == nil {
		return -1
	}
	i, ok := at.index[at.of[m[1]]]
	if !ok {
		return -1
	}
	return i
}

// open begins an element around a line of HLO that says its place, by the
// place's number: the line's number stands in the margin, where it is not copied
// with the text, and the place with its source is what a pointer that rests there
// shows.
func (at *origins) open(i int) string {
	p := at.order[i]
	title := p.name()
	if text := at.source(p); text != "" {
		title += ": " + text
	}
	return fmt.Sprintf(`<span class="l L%d" data-l="%s" title="%s">`, i, html.EscapeString(at.label(p)), html.EscapeString(title))
}

// label is the line's number, with the cell's before it where there are several.
func (at *origins) label(p origin) string {
	if at.order[0].file == at.order[len(at.order)-1].file {
		return strconv.Itoa(p.line)
	}
	if m := cellFile.FindStringSubmatch(p.file); m != nil {
		return m[1] + ":" + strconv.Itoa(p.line)
	}
	return strings.TrimSuffix(path.Base(p.file), ".go") + ":" + strconv.Itoa(p.line)
}

// width makes room for labels that are longer than most.
func (at *origins) width() string {
	longest := 0
	for _, p := range at.order {
		longest = max(longest, utf8.RuneCountInString(at.label(p)))
	}
	if longest <= 4 {
		return ""
	}
	return fmt.Sprintf(` style="--lw:%.1fem"`, 0.62*float64(longest))
}

// heading names a file above its lines: "cell 3", "geo/area.go".
func (p origin) heading() string {
	if m := cellFile.FindStringSubmatch(p.file); m != nil {
		return "cell " + m[1]
	}
	return p.file
}

// source is the text of a line of a cell, "" where it is not known.
func (at *origins) source(p origin) string {
	lines := at.lines(p.file)
	if p.line < 1 || p.line > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[p.line-1])
}

func (at *origins) lines(file string) []string {
	if at.text == nil {
		return nil
	}
	text, ok := at.text(file)
	if !ok {
		return nil
	}
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}

// maxLinked bounds the places that light up together: each is a rule that the
// browser looks at when the pointer moves.
const maxLinked = 64

// rules light up what comes from the line under the pointer.
func (at *origins) rules() string {
	if !at.any() {
		return ""
	}
	var b strings.Builder
	for i := range min(len(at.order), maxLinked) {
		fmt.Fprintf(&b, ".gopherlo-code:has(.L%[1]d:hover) .L%[1]d{background:var(--mb)}", i)
	}
	return b.String()
}

// The tables of an optimised HLO text, and where its instructions refer to them.
var (
	fileName   = regexp.MustCompile(`^(\d+) "(.*)"$`)
	location   = regexp.MustCompile(`^(\d+) \{file_name_id=(\d+) function_name_id=\d+ line=(\d+) `)
	stackFrame = regexp.MustCompile(`^(\d+) \{file_location_id=(\d+) `)
	frameOf    = regexp.MustCompile(`\bmetadata=\{.*\bstack_frame_id=(\d+)`)
)

// readOrigins gives the places that a text of HLO itself says, by instruction.
func readOrigins(text string) map[string]string {
	of, table := map[string]string{}, ""
	files, locations, frames := map[string]string{}, map[string]string{}, map[string]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch line {
		case "FileNames", "FunctionNames", "FileLocations", "StackFrames", "":
			table = line
			continue
		}
		switch table {
		case "FileNames":
			if m := fileName.FindStringSubmatch(line); m != nil {
				files[m[1]] = m[2]
			}
		case "FileLocations":
			if m := location.FindStringSubmatch(line); m != nil {
				locations[m[1]] = files[m[2]] + ":" + m[3]
			}
		case "StackFrames":
			if m := stackFrame.FindStringSubmatch(line); m != nil {
				frames[m[1]] = locations[m[2]]
			}
		}
		if len(frames) == 0 {
			continue
		}
		if m := frameOf.FindStringSubmatch(line); m != nil {
			if i := instruction.FindStringSubmatch(line); i != nil && frames[m[1]] != "" {
				of[i[1]] = frames[m[1]]
			}
		}
	}
	return of
}

var metadata = regexp.MustCompile(`, metadata=` + braced)

// byLine shows the lines of cells, each with the instructions that come from it,
// or "" where no text of a cell is known.
func (at *origins) byLine(g *grammar, hloText string) string {
	made := make([][]string, len(at.order))
	for line := range strings.Lines(hloText) {
		if i := at.find(line); i >= 0 {
			made[i] = append(made[i], metadata.ReplaceAllString(strings.TrimSpace(line), ""))
		}
	}
	var b strings.Builder
	file, last, known := "", 0, false
	b.WriteString(`<div class="gopherlo-code placed" data-language="go"><pre>`)
	for i, p := range at.order {
		lines := at.lines(p.file)
		if p.line < 1 || p.line > len(lines) {
			continue
		}
		known = true
		if p.file != file {
			file, last = p.file, max(p.line-2, 0)
			fmt.Fprintf(&b, "<span class=\"q\">%s</span>\n", html.EscapeString(p.heading()))
		}
		at.between(&b, lines, last, p.line-1)
		last = p.line
		fmt.Fprintf(&b, "<span class=\"l L%d\" data-l=\"%d\">%s\n", i, p.line, html.EscapeString(lines[p.line-1]))
		for _, line := range made[i] {
			b.WriteString("      ")
			g.tokens(&b, line)
			b.WriteString("\n")
		}
		b.WriteString("</span>")
	}
	b.WriteString("</pre></div>")
	if !known {
		return ""
	}
	return b.String()
}

// maxBetween is how many lines without instructions stand between two with them.
const maxBetween = 8

// between writes the lines after one and up to another, from which nothing comes.
func (at *origins) between(b *strings.Builder, lines []string, after, to int) {
	if to-after > maxBetween {
		b.WriteString("<span class=\"q\">…</span>\n")
		after = to - 1
	}
	for n := after; n < to; n++ {
		fmt.Fprintf(b, "<span class=\"l\" data-l=\"%d\">%s\n</span>", n+1, html.EscapeString(lines[n]))
	}
}
