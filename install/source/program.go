package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Program is a main package to be written with all that it needs.
type Program struct {
	// Module is its path, Main the text of main.go, whose first line tells
	// programs written here from others.
	Module, Main string
	Imports      []string
	// Folders are packages of the user's that it needs.
	Folders []Folder
}

// Write writes the program to a folder, which is new, empty, or holds one that
// was written before.
func (p *Program) Write(s *Source, dir string) error {
	packages, err := s.Packages(p.Imports...)
	if err != nil {
		return err
	}
	if err := prepare(dir, p.Main); err != nil {
		return err
	}
	if err := s.WriteVendor(dir, p.Module, packages, p.Folders...); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "main.go"), []byte(p.Main), 0o644)
}

// prepare makes the folder, or empties that of an earlier program.
func prepare(dir, text string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case os.IsNotExist(err):
		return os.MkdirAll(dir, 0o755)
	case err != nil:
		return err
	case len(entries) == 0:
		return nil
	}
	first, _, _ := strings.Cut(text, "\n")
	was, err := os.ReadFile(filepath.Join(dir, "main.go"))
	if err != nil || !strings.HasPrefix(string(was), first+"\n") {
		return fmt.Errorf("%s is not empty and holds no exported program; give another folder", dir)
	}
	// Links among what is replaced are not followed.
	if err := os.RemoveAll(filepath.Join(dir, "go.mod")); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(dir, "vendor"))
}
