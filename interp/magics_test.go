package interp

import (
	"context"
	"strings"
	"testing"

	"gopherlo/kernel/language"
)

// wrongMagics are cells whose magics are used wrongly, with what they say.
var wrongMagics = []struct{ code, want string }{
	{"%env =x", "a name before the ="},
	{"%env NOT_SET_VARIABLE", "NOT_SET_VARIABLE is not set"},
	{"%time", "takes a statement"},
	{"%time 1 +", "line 1:10"},
	{"1\n%time undefinedName", "cell 3, line 2:7"},
	{"%timeit", "takes a statement"},
	{"%timeit -n 0 1", "-n takes a number from 1"},
	{"%timeit -q x", "-n LOOPS and -r RUNS, not -q"},
	{"%timeit -n 1 undefinedName", "line 1:14"},
	{"%%timeit", "there are none"},
	{"%%timeit -r x\n1", "-r takes a number"},
	{"%%timeit -n 1 -r 1\na := 1\n_ = a\nundefinedName()", "line 4:1"},
	{"%%timeit -n 1 -r 1 undefinedName", "line 1:20"},
	{"%%timeit -n 1 -r 1 a := 1\n_ = a\nundefinedName()", "line 3:1"},
	{"%%timeit -n 1 -r 1 panic(1)\n_ = 2", "cell 3, line 1"},
	{"%%timeit -n 1 -r 1 a := 1\n_ = a\npanic(2)", "cell 3, line 3"},
	{"\n%%timeit -n 1 -r 1 a := 1\n_ = a\npanic(a)", "cell 3, line 4"},
	{"%%timeit -n 1 -r 1 a := 1 +\n", "line 1:28"},
	{"%%time x\n1", "%time x times one statement"},
	{"%who nonsense", "kinds are var, func"},
	{"%pwd x", "takes no arguments"},
	{"%reset nonsense", "no name nonsense"},
	{"%cd /no/such/folder", "no such file"},
	{"%flags [", "missing closing ]"},
	{"%hlo", "takes a call"},
	{"%hlo 1 + 2", "takes a call"},
	{"%operators maybe", "%operators on or %operators off"},
	{"%load", "%load FILE"},
	{"%interrupt", "%interrupt grace"},
	{"%interrupt grace soon", "no time such as"},
	{"%replay sometimes", "needs a kernel"},
	{"%restart", "needs a kernel"},
	{"%checkpoint", "takes the names"},
	{"%checkpoint nonsense", "no folder"},
	{"%help nonsense", "%help tells what they do"},
	{"%foo", "there are %%hlo, %%stablehlo, %%time"},
	{"%rest", "did you mean %reset or %restart?"},
	{"%ti 1", "did you mean %time or %timeit?"},
	{"%xl {}", "did you mean %%xla?"},
	{"%TIME 1", "did you mean %time?"},
	{"%tiem 1", "did you mean %time?"},
	{"%%tiem\n1", "did you mean %%time?"},
	{"%%xla\n1", "options in braces"},
	{"1\n%%time\n2", "must stand at the start"},
}

func TestWrongMagics(t *testing.T) {
	for _, tt := range wrongMagics {
		in := New(Options{})
		res := in.Execute(context.Background(), language.Request{Code: tt.code, Count: 3}, quiet{})
		if raceEnabled && strings.Contains(tt.want, ", line ") && res.Error != nil && res.Error.Name == "panic" {
			continue // the lines of panics are not known then
		}
		if res.Error == nil || !strings.Contains(strings.Join(res.Error.Traceback, "\n"), tt.want) {
			t.Errorf("%q: %+v, want %q", tt.code, res.Error, tt.want)
		}
	}
}

// TestMagicsAnswerQuestions asks each magic what it is.
func TestMagicsAnswerQuestions(t *testing.T) {
	in := New(Options{})
	usages := map[string]string{}
	for name, m := range magics {
		if name != "!" && name != "?" {
			usages["%"+name] = m.usage
		}
	}
	for name, m := range cellMagics {
		usages["%%"+name] = m.usage
	}
	for name, usage := range usages {
		for _, code := range []string{name + "?", "?" + name} {
			host := &recorder{}
			res := in.Execute(context.Background(), language.Request{Code: code}, host)
			if text := strings.Join(host.events, "\n"); res.Error != nil || !strings.Contains(text, usage) {
				t.Errorf("%s: %+v %s", code, res.Error, text)
			}
		}
	}
}

// TestTimeMagics times, and keeps what a statement declares.
func TestTimeMagics(t *testing.T) {
	in := New(Options{})
	for _, tt := range []struct{ code, want string }{
		{"%time n := 3", "Wall time: "},
		{"%timeit -n 5 -r 2 n + 1", "(mean ± std. dev. of 2 runs, 5 loops each)"},
		{"%%timeit -n 1 -r 1\nm := n\n_ = m", "of 1 run, 1 loop each)"},
		{"%%time\nfmt.Println(n)", "3\n"},
		{"%who var", "n                int"},
	} {
		host := &recorder{}
		res := in.Execute(context.Background(), language.Request{Code: tt.code}, host)
		if text := strings.Join(host.events, "\n"); res.Error != nil || !strings.Contains(text, tt.want) {
			t.Errorf("%q: %+v %s", tt.code, res.Error, text)
		}
	}
}

// TestEnvironmentHidesSecrets: %env lists the environment by name, and no secrets.
func TestEnvironmentHidesSecrets(t *testing.T) {
	t.Setenv("ZZ_API_KEY", "hush")
	t.Setenv("ZZ_b_token", "hush")
	t.Setenv("ZZ_A", "shown")
	in, host := New(Options{}), &recorder{}
	in.Execute(context.Background(), language.Request{Code: "%env"}, host)
	text := strings.Join(host.events, "\n")
	if !strings.Contains(text, "ZZ_A=shown\nZZ_API_KEY=<hidden>\nZZ_b_token=<hidden>\n") || strings.Contains(text, "hush") {
		t.Errorf("%s", text)
	}
	if res := in.Execute(context.Background(), language.Request{Code: "%env ZZ_API_KEY"}, host); res.Value["text/plain"] != "hush" {
		t.Errorf("%v", res)
	}
}
