package flags

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestParseEnv(t *testing.T) {
	file := filepath.Join(t.TempDir(), "xla.flags")
	if err := os.WriteFile(file, []byte("--from_file=1\n--other\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for value, want := range map[string][]Setting{
		"":                              nil,
		"--a=1":                         {{"a", "1"}},
		"  --a=1\t--b\n--c= ":           {{"a", "1"}, {"b", "true"}, {"c", ""}},
		"--a=1 --b=2 --a=3":             {{"b", "2"}, {"a", "3"}},
		`--a="x y" --b='p "q"' --c=7`:   {{"a", "x y"}, {"b", `p "q"`}, {"c", "7"}},
		`--a="x\"y" --b`:                {{"a", `x"y`}, {"b", "true"}},
		`--a="no end --b=1`:             {{"a", "no end --b=1"}},
		"--a=x,y=z":                     {{"a", "x,y=z"}},
		file:                            {{"from_file", "1"}, {"other", "true"}},
		"/no/such/file":                 nil,
		"--a=1 stray --b=2":             {{"a", "1"}},
		"--xla_force_host_platform=8 -": {{"xla_force_host_platform", "8"}, {"-", "true"}},
	} {
		if got := ParseEnv(value); !slices.Equal(got, want) {
			t.Errorf("%q gives %q, want %q", value, got, want)
		}
	}
}

func FuzzParseEnv(f *testing.F) {
	f.Add(`--a="x y" --b=1`)
	f.Add("--a='")
	f.Fuzz(func(t *testing.T, s string) {
		if s != "" && s[0] != '-' {
			s = "--" + s // no files
		}
		names := map[string]bool{}
		for _, p := range ParseEnv(s) {
			if names[p.Name] {
				t.Errorf("%q gives %s twice", s, p.Name)
			}
			names[p.Name] = true
		}
	})
}
