package cells

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"sort"
	"strings"
	"time"

	"gopherlo/jaxlike/stages"
	"gopherlo/xla"
	"gopherlo/xla/flags"
)

// usage ends the cell with a mistake in a magic.
func usage(err error) {
	if err != nil {
		Raise("UsageError", err.Error())
	}
}

// Setenv is %env NAME=VALUE.
func Setenv(name, value string) {
	usage(EnvRefused(context.Background(), name, value))
	usage(os.Setenv(name, value))
	fmt.Println("env: " + name + "=" + value)
	switch note, late := EnvNote(name, "after a restart."); {
	case late:
		warn("%s", note)
	case note != "":
		fmt.Println(note)
	}
}

// EnvRefused says why a variable cannot have a value: XLA would end the process at
// flags that it does not know.
func EnvRefused(ctx context.Context, name, value string) error {
	if name == "XLA_FLAGS" {
		if why := xla.RefusedFlags(ctx, stages.Platform, value); why != "" {
			return errors.New("XLA_FLAGS is as it was: " + why)
		}
	}
	return nil
}

// EnvNote says whether a variable's new value counts, where that is a question. When
// it is too late for this process, again ends the sentence: it counts …
func EnvNote(name, again string) (note string, late bool) {
	switch {
	case name != "XLA_FLAGS":
		return "", false
	case xla.Opened(stages.Platform):
		return "XLA has read XLA_FLAGS already: the new value counts " + again, true
	}
	return "It counts: XLA reads it when the first array or program is made.", false
}

// Getenv is %env NAME, Environ is %env.
func Getenv(name string) {
	value, ok := os.LookupEnv(name)
	if !ok {
		Raise("UsageError", "environment variable "+name+" is not set")
	}
	fmt.Println(value)
}

// Environ prints all environment variables, sorted.
func Environ() {
	env := os.Environ()
	sort.Strings(env)
	fmt.Println(strings.Join(env, "\n"))
}

// Chdir is %cd, Getwd is %pwd.
func Chdir(dir string) {
	home, _ := os.UserHomeDir()
	if rest, ok := strings.CutPrefix(dir+"/", "~/"); ok {
		dir = home + "/" + rest
	}
	if dir == "" {
		dir = home
	}
	usage(os.Chdir(dir))
}

// Getwd prints the working directory.
func Getwd() {
	dir, err := os.Getwd()
	usage(err)
	fmt.Println(dir)
}

// Shell is !COMMAND: it runs with the rights of the program.
func Shell(command string) {
	cmd := exec.Command("/bin/sh", "-c", command)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	var exit *exec.ExitError
	switch err := cmd.Run(); {
	case errors.As(err, &exit):
		warn("exit status %d", exit.ExitCode())
	case err != nil:
		Raise("Error", err.Error())
	}
}

// Flags is %flags PATTERN.
func Flags(pattern string) {
	table, err := xla.FlagTable(context.Background(), stages.Platform)
	if err != nil {
		panic(err)
	}
	re, err := regexp.Compile("(?i)" + pattern)
	usage(err)
	list := flags.Match(table, re)
	if len(list) == 0 {
		Raise("UsageError", fmt.Sprintf("no flag of %d matches %s", len(table), pattern))
	}
	fmt.Print(flags.Text(list))
}

// ResetJit is %reset jit: it forgets what was traced and compiled.
func ResetJit() { stages.ClearTraces() }

// Time is %time and %%time: defer cells.Time()() prints what the rest takes.
func Time() func() {
	start := time.Now()
	return func() { fmt.Println("Wall time: " + Duration(time.Since(start))) }
}

// Timeit is %timeit: it prints how long body takes.
func Timeit(body func()) { Timing{}.Timeit(body) }

// Timeit is %timeit with options.
func (t Timing) Timeit(body func()) {
	text, err := t.Measure(func(n int) (time.Duration, error) {
		start := time.Now()
		for range n {
			body()
		}
		return time.Since(start), nil
	})
	usage(err)
	fmt.Print(text)
}
