package display

import (
	"encoding/json"
	"fmt"
	"image"
	"io"
	"maps"
	"os"
	"reflect"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"gopherlo/kernel/language"
)

// Bundle is a MIME bundle: MIME type to data.
type Bundle = language.Bundle

// MIME types that this package makes.
const (
	mimeText     = "text/plain"
	mimeHTML     = "text/html"
	mimeMarkdown = "text/markdown"
	mimeLaTeX    = "text/latex"
	mimeSVG      = "image/svg+xml"
	mimeJSON     = "application/json"
)

// Bundler is a value that knows its own MIME bundle. The method's type is a
// plain map so that packages far from the kernel can have it.
type Bundler interface {
	MIMEBundle() map[string]any
}

// Sourcer is a value that shows as program text. The language is "hlo",
// "stablehlo", "jaxpr" or "diff"; another shows as plain text.
type Sourcer interface {
	DisplaySource() (language, text string)
}

// Of gives the bundle of any value. It holds text/plain always: what Go's %v
// prints, unless the value says otherwise. A text that is HLO, StableHLO or a
// jaxpr gets HTML beside it.
func Of(v any) Bundle {
	if c, ok := v.(interface{ Shown() (any, bool) }); ok { // a value of a cell's type
		if shown, ok := c.Shown(); ok {
			v = shown
		}
	}
	switch v := v.(type) {
	case Bundler:
		return withText(v.MIMEBundle(), v)
	case Programs:
		return programs(v)
	case Sourcer:
		language, text := v.DisplaySource()
		return Source(language, text)
	case error:
		return Text(v.Error())
	case image.Image:
		return PNG(v).bundle
	}
	text := fmt.Sprint(v)
	if _, own := v.(fmt.Stringer); len(text) > maxValue && !own && reflect.ValueOf(v).Kind() != reflect.String {
		return Text(cut(text))
	}
	return Source(sniff(text), text)
}

// maxValue bounds the text of a slice, a map or the like: a longer one fills the
// notebook's file and freezes its page. Strings, and what knows its own text,
// show whole: they may be programs.
const maxValue = 100_000

func cut(text string) string {
	end := maxValue
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s … (%d bytes; fmt.Println shows them all)", text[:end], len(text))
}

// Text is the bundle of plain text alone.
func Text(text string) Bundle {
	return Bundle{mimeText: text}
}

// withText adds text/plain to a bundle that lacks it.
func withText(data map[string]any, v any) Bundle {
	bundle := Bundle{}
	maps.Copy(bundle, data)
	if _, ok := bundle[mimeText]; !ok {
		bundle[mimeText] = fmt.Sprintf("<%T>", v)
	}
	return bundle
}

// Source is the bundle of program text in a language that [Sourcer] lists: the
// text as it is, and highlighted HTML.
func Source(language, text string) Bundle {
	g, ok := grammars[language]
	if !ok || len(text) > maxHTML {
		return Text(text)
	}
	var at *origins
	if language == "hlo" {
		at = newOrigins(readOrigins(text), cellText)
	}
	return Bundle{mimeText: text, mimeHTML: g.html(text, at)}
}

// HLO is the bundle of HLO text.
func HLO(text string) Bundle { return Source("hlo", text) }

// StableHLO is the bundle of StableHLO text.
func StableHLO(text string) Bundle { return Source("stablehlo", text) }

// Jaxpr is the bundle of a jaxpr's text.
func Jaxpr(text string) Bundle { return Source("jaxpr", text) }

// maxHTML bounds the text that is highlighted: the HTML of a longer one would
// freeze a browser's page.
const maxHTML = 1 << 20

// sniff gives the language of a text, or "" when it is not one of ours.
func sniff(text string) string {
	switch {
	case strings.HasPrefix(text, "HloModule ") && strings.Contains(text, "\nENTRY "):
		return "hlo"
	case strings.HasPrefix(text, "module @") && strings.Contains(text, "func.func "):
		return "stablehlo"
	case strings.HasPrefix(text, "{ lambda ") && strings.HasSuffix(strings.TrimSpace(text), "}"):
		return "jaxpr"
	}
	return ""
}

// Value is something made for showing, by [HTML], [Markdown] and their like.
type Value struct {
	bundle Bundle
}

// MIMEBundle gives the value's bundle.
func (v Value) MIMEBundle() map[string]any { return v.bundle }

// String is the value's text form.
func (v Value) String() string {
	text, _ := v.bundle[mimeText].(string)
	return text
}

// HTML shows markup as it is: nothing is escaped, so user text in it must be.
func HTML(markup string) Value {
	return Value{Bundle{mimeHTML: markup, mimeText: "<HTML>"}}
}

// Both shows markup as [HTML] does, and plain text where there is no HTML.
func Both(text, markup string) Value {
	return Value{Bundle{mimeHTML: markup, mimeText: text}}
}

// Markdown shows Markdown text.
func Markdown(text string) Value {
	return Value{Bundle{mimeMarkdown: text, mimeText: text}}
}

// LaTeX shows a formula.
func LaTeX(text string) Value {
	return Value{Bundle{mimeLaTeX: text, mimeText: text}}
}

// SVG shows a picture given as SVG markup.
func SVG(markup string) Value {
	return Value{Bundle{mimeSVG: markup, mimeText: "<SVG>"}}
}

// JSON shows a value as a tree. What encoding/json cannot encode shows as the
// error's text.
func JSON(v any) Value {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return Value{Text(err.Error())}
	}
	return Value{Bundle{mimeJSON: json.RawMessage(text), mimeText: string(text)}}
}

// Output is where [Show] sends bundles. A kernel's language.Host is one.
type Output interface {
	Display(data Bundle, metadata, transient map[string]any, update bool)
}

// output is process-wide: a worker serves one session. Outside a kernel the
// text form goes to standard output.
var output atomic.Pointer[Output]

// SetOutput says where Show sends bundles; nil means standard output. The
// interpreter calls it.
func SetOutput(o Output) {
	if o == nil {
		output.Store(nil)
		return
	}
	output.Store(&o)
}

// Show shows values at this point of the running cell, in order.
func Show(values ...any) {
	for _, v := range values {
		show(Of(v), os.Stdout)
	}
}

func show(bundle Bundle, stdout io.Writer) {
	if o := output.Load(); o != nil {
		(*o).Display(bundle, map[string]any{}, map[string]any{}, false)
		return
	}
	fmt.Fprintln(stdout, bundle[mimeText])
}
