package notebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Notebook is what a notebook file says.
type Notebook struct {
	Name  string // the file's name without folder and ending
	Cells []Cell
}

// Cell is one cell. Kind is "code", "markdown" or "raw".
type Cell struct {
	Kind, Source string
	Tags         []string
}

// Count numbers the code cells as a front end does that runs them in order:
// those without text get 0 and do not run.
func (n *Notebook) Count() []int {
	counts := make([]int, len(n.Cells))
	last := 0
	for i, c := range n.Cells {
		if c.Kind == "code" && strings.TrimSpace(c.Source) != "" {
			last++
			counts[i] = last
		}
	}
	return counts
}

// MayFail reports the tag by which a cell says that it raises an error; the
// cells after it run all the same, as nbclient has it.
func (c *Cell) MayFail() bool { return slices.Contains(c.Tags, "raises-exception") }

// Error says why a file is no notebook that can be run.
type Error struct{ File, Reason string }

func (e *Error) Error() string { return e.File + ": " + e.Reason }

// format is the part of nbformat 4 that is read.
type format struct {
	Major    *int             `json:"nbformat"`
	Cells    *[]cell          `json:"cells"`
	Sheets   *json.RawMessage `json:"worksheets"`
	Metadata struct {
		Kernel struct {
			Name     string `json:"display_name"`
			Language string `json:"language"`
		} `json:"kernelspec"`
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
	} `json:"metadata"`
}

type cell struct {
	Kind     string `json:"cell_type"`
	Source   source `json:"source"`
	Metadata struct {
		Tags []string `json:"tags"`
	} `json:"metadata"`
}

// source is a text, or a list of its lines.
type source string

func (s *source) UnmarshalJSON(data []byte) error {
	var lines []string
	if json.Unmarshal(data, &lines) == nil {
		*s = source(strings.Join(lines, ""))
		return nil
	}
	return json.Unmarshal(data, (*string)(s))
}

// Read reads a file: a notebook when its name ends in .ipynb, else the text of
// cells; "-" is standard input.
func Read(file string) (*Notebook, error) {
	if file == "-" {
		text, err := readAll(os.Stdin)
		if err != nil {
			return nil, &Error{"standard input", err.Error()}
		}
		return Cells("stdin", text), nil
	}
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &Error{file, "no such file"}
	case err != nil:
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, &Error{file, err.Error()}
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if filepath.Ext(file) != ".ipynb" {
		return Cells(name, string(text)), nil
	}
	nb, err := parse(text)
	if err != nil {
		return nil, &Error{file, err.Error()}
	}
	nb.Name = name
	return nb, nil
}

// parse reads the text of a notebook file.
func parse(text []byte) (*Notebook, error) {
	var f format
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, fmt.Errorf("not a notebook: %s", jsonReason(err))
	}
	switch {
	case f.Major == nil:
		return nil, errors.New("not a notebook: it has no \"nbformat\"")
	case *f.Major != 4:
		return nil, fmt.Errorf("nbformat %d is not supported, only 4; `jupyter nbconvert --to notebook --nbformat 4` converts it", *f.Major)
	case f.Cells == nil:
		return nil, errors.New("not a notebook: it has no \"cells\"")
	}
	language := f.Metadata.Kernel.Language
	if language == "" {
		language = f.Metadata.Language.Name
	}
	if language != "" && !strings.EqualFold(language, "go") {
		return nil, fmt.Errorf("the notebook is for the kernel %q, whose language is %s, not Go", f.Metadata.Kernel.Name, language)
	}
	nb := &Notebook{}
	for _, c := range *f.Cells {
		nb.Cells = append(nb.Cells, Cell{Kind: c.Kind, Source: string(c.Source), Tags: c.Metadata.Tags})
	}
	return nb, nil
}

// jsonReason words an error of encoding/json for who knows notebooks and not our
// types.
func jsonReason(err error) string {
	var wrong *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &wrong) && wrong.Field == "":
		return "the file is a JSON " + wrong.Value
	case errors.As(err, &wrong):
		return fmt.Sprintf("%q is a %s", wrong.Field, wrong.Value)
	case errors.As(err, &syntax):
		return fmt.Sprintf("malformed JSON at byte %d: %v", syntax.Offset, syntax)
	}
	return err.Error()
}

// Cells reads the text of cells; a line that starts with "// %%" begins
// another one, with its tags, as jupytext writes it: // %% tags=["a", "b"].
func Cells(name, text string) *Notebook {
	nb := &Notebook{Name: name}
	var lines []string
	var tags []string
	flush := func() {
		if source := strings.Join(lines, ""); strings.TrimSpace(source) != "" {
			nb.Cells = append(nb.Cells, Cell{Kind: "code", Source: source, Tags: tags})
		}
		lines, tags = nil, nil
	}
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "// %%"); ok {
			flush()
			if _, list, ok := strings.Cut(rest, "tags="); ok {
				_ = json.Unmarshal([]byte(list), &tags) // other words are a title
			}
			continue
		}
		lines = append(lines, line)
	}
	flush()
	return nb
}
