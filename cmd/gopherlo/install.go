package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gopherlo/install"
)

// envFlag gathers --env NAME=VALUE.
type envFlag map[string]string

func (e envFlag) String() string { return "" }

func (e envFlag) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("want NAME=VALUE, got %q", text)
	}
	e[name] = value
	return nil
}

// place is where a kernelspec is or goes, from the flags that install and
// uninstall share.
type place struct {
	user, sysPrefix bool
	prefix, name    string
}

func (p *place) flags(set *flag.FlagSet) {
	set.BoolVar(&p.user, "user", false, "the current user's Jupyter folder (the default)")
	set.BoolVar(&p.sysPrefix, "sys-prefix", false, "the active Python environment (virtual, conda, else that of python3)")
	set.StringVar(&p.prefix, "prefix", "", "another installation prefix, such as /usr/local or a virtual environment's `folder`")
	set.StringVar(&p.name, "name", install.KernelName, "kernel `name`")
}

// kernels is the folder of kernelspecs that the flags name.
func (p *place) kernels() (string, error) {
	given := 0
	for _, is := range []bool{p.user, p.sysPrefix, p.prefix != ""} {
		if is {
			given++
		}
	}
	if given > 1 {
		return "", errors.New("give one of --user, --sys-prefix and --prefix")
	}
	prefix := p.prefix
	var err error
	switch {
	case p.sysPrefix:
		prefix, err = install.SysPrefix()
	case prefix == "":
		return install.UserKernels()
	default:
		prefix, err = filepath.Abs(prefix)
	}
	if err != nil {
		return "", err
	}
	return install.PrefixKernels(prefix), nil
}

const installUsage = `usage: gopherlo install [--user|--sys-prefix|--prefix DIR] [--name NAME] [--env NAME=VALUE]...

Writes the kernelspec by which Jupyter finds and starts this program.
"jupyter kernelspec list" shows it, "gopherlo doctor" checks it.
`

// installCommand writes the kernelspec.
func installCommand(args []string) int {
	set := newFlags("install", installUsage)
	var where place
	where.flags(set)
	display := set.String("display-name", install.DisplayName, "`name` shown in the launcher")
	exe := set.String("executable", "", "`program` that the kernelspec starts; default: this one")
	env := envFlag{}
	set.Var(env, "env", "`NAME=VALUE` for the kernel's environment; may be given more than once")
	if status, ok := parse(set, args); !ok {
		return status
	}
	if *exe == "" {
		var err error
		if *exe, err = os.Executable(); err != nil {
			return fail("install", err)
		}
	}
	dir, err := where.kernels()
	if err != nil {
		return fail("install", err)
	}
	spec := install.Kernelspec{Executable: *exe, Name: where.name, Display: *display, Env: env}
	target, err := spec.Write(dir)
	if err != nil {
		return fail("install", err)
	}
	fmt.Printf("installed kernel %s in %s\n", where.name, target)
	return 0
}
