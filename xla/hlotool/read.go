package hlotool

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"gopherlo/xla/hlo"
	"gopherlo/xla/hloconv"
	"gopherlo/xla/stablehlo"
)

// Kind is the form in which a program was found.
type Kind string

// The forms that Read knows.
const (
	HLOText         Kind = "HLO text"
	HLOProto        Kind = "HloModuleProto"
	HLOProtoConfig  Kind = "HloModuleProtoWithConfig"
	StableHLOText   Kind = "StableHLO text"
	unknownKindText      = "it is neither HLO text (which begins with HloModule), nor StableHLO text (module @name …), nor a serialised HloModuleProto"
)

// File is a program that was read.
type File struct {
	Name string
	Kind Kind
	// HLO is nil for StableHLO, StableHLO for everything else.
	HLO       *hlo.Module
	StableHLO *stablehlo.Module
	// Source is the text, for the two kinds that are text.
	Source string
}

// Read reads a program; name is for messages, and its ending decides where the
// content does not. Errors of texts are *Error with line and column.
func Read(name string, data []byte) (*File, error) {
	f := &File{Name: name, Kind: kindOf(name, data)}
	var err error
	if len(data) == 0 {
		return nil, place(name, errors.New("the file is empty"))
	}
	if f.Kind == HLOText || f.Kind == StableHLOText {
		if err := checkText(name, data); err != nil {
			return nil, err
		}
	}
	switch f.Kind {
	case HLOText:
		f.Source = string(data)
		f.HLO, err = hlo.Parse(f.Source)
	case StableHLOText:
		f.Source = string(data)
		f.StableHLO, err = stablehlo.Parse(f.Source)
	case HLOProto, HLOProtoConfig:
		f.HLO, err = f.unmarshal(data)
	default:
		err = errors.New(unknownKindText)
	}
	if err != nil {
		return nil, place(name, err)
	}
	return f, nil
}

// Error is a fault in a program's file. Line and Column are 0 where the file is
// no text.
type Error struct {
	File         string
	Line, Column int
	Err          error
	msg          string
}

// Error gives "f.hlo:3:14: unknown opcode …".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.msg)
}

// Unwrap gives the parser's or verifier's own error.
func (e *Error) Unwrap() error { return e.Err }

func place(name string, err error) error {
	e := &Error{File: name, Err: err, msg: err.Error()}
	var h *hlo.ParseError
	var s *stablehlo.ParseError
	switch {
	case errors.As(err, &h):
		e.Line, e.Column, e.msg = h.Line, h.Column, h.Msg
	case errors.As(err, &s):
		e.Line, e.Column, e.msg = s.Line, s.Col, s.Msg
	}
	return e
}

// Module is the program as HLO; StableHLO is converted as JAX converts it.
func (f *File) Module() (*hlo.Module, error) {
	if f.HLO != nil {
		return f.HLO, nil
	}
	m, err := hloconv.Convert(f.StableHLO)
	if err != nil {
		return nil, place(f.Name, err)
	}
	return m, nil
}

// Verify checks the program as it is before a compilation.
func (f *File) Verify() error {
	m, err := f.Module()
	if err != nil {
		return err
	}
	if err := m.Verify(); err != nil {
		return place(f.Name, err)
	}
	return nil
}

// unmarshal reads either of the two messages, and XLA's HloProto, which starts
// as the one with a config does.
func (f *File) unmarshal(data []byte) (*hlo.Module, error) {
	m, err := hlo.UnmarshalWithConfig(data)
	if err == nil {
		f.Kind = HLOProtoConfig
		return m, nil
	}
	f.Kind = HLOProto
	return hlo.Unmarshal(data)
}

// checkText finds what no text holds: NUL bytes and broken UTF-8.
func checkText(name string, data []byte) error {
	for at := 0; at < len(data); {
		r, n := utf8.DecodeRune(data[at:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			before := data[:at]
			e := &Error{File: name, Line: 1 + bytes.Count(before, []byte("\n")), Column: at - bytes.LastIndexByte(before, '\n')}
			e.msg = fmt.Sprintf("byte 0x%02X is no UTF-8 text", data[at])
			if r == 0 {
				e.msg = "a NUL byte in the text"
			}
			e.Err = errors.New(e.msg)
			return e
		}
		at += n
	}
	return nil
}

func kindOf(name string, data []byte) Kind {
	if looks := filepath.Ext(name); looks != ".hlo" && looks != ".mlir" && (!utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0) {
		return HLOProto
	}
	word := firstWord(string(data))
	switch {
	case strings.HasPrefix(word, "HloModule"):
		return HLOText
	case word == "module", strings.HasPrefix(word, "#"), strings.HasPrefix(word, "func.func"),
		strings.HasPrefix(word, `"builtin.module`), strings.HasPrefix(word, "module@"):
		return StableHLOText
	}
	switch filepath.Ext(name) {
	case ".hlo", ".txt":
		return HLOText
	case ".mlir":
		return StableHLOText
	case ".pb":
		return HLOProto
	}
	if len(data) > 0 && data[0] == '\n' { // the tag of a message's field 1
		return HLOProto
	}
	return ""
}

// firstWord skips blanks and comments of both languages.
func firstWord(text string) string {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		switch {
		case strings.HasPrefix(text, "//"):
			_, text, _ = strings.Cut(text, "\n")
		case strings.HasPrefix(text, "/*"):
			_, text, _ = strings.Cut(text, "*/")
		default:
			word, _, _ := strings.Cut(text, " ")
			word, _, _ = strings.Cut(word, "\n")
			return word
		}
	}
}
