package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"gopherlo/install"
	"gopherlo/xla/pjrt"
	"gopherlo/xla/plugin"
)

const pluginUsage = `usage: gopherlo plugin install PLATFORM [--python PATH] [--which WHEEL] [--version VERSION] [--libs] [--no-test]
       gopherlo plugin list
       gopherlo plugin test [PLATFORM]

install downloads the pinned wheel of a PJRT plugin with the pip of python3 (or
of --python), unpacks the plugin into the data folder and tests it. PLATFORM is cpu,
cuda (gpu) or tpu. --libs adds NVIDIA's libraries (about 2 GB) where no CUDA 13 toolkit
is installed; --no-test is for machines without the device. JAX_PLATFORMS=cuda makes
programs run there.
`

// pluginCommand installs, lists and tests PJRT plugins.
func pluginCommand(args []string) int {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, pluginUsage)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	switch args[0] {
	case "install":
		return pluginInstall(ctx, args[1:])
	case "list":
		return pluginList()
	case "test":
		return pluginTest(ctx, args[1:])
	case "selftest":
		return pluginSelfTest(args[1:])
	case "-h", "-help", "--help", "help":
		fmt.Print(pluginUsage)
		return 0
	}
	fmt.Fprintf(os.Stderr, "gopherlo plugin: unknown command %q\n%s", args[0], pluginUsage)
	return 2
}

func pluginInstall(ctx context.Context, args []string) int {
	o := install.PluginOptions{Out: os.Stdout}
	fs := newFlags("plugin install", pluginUsage+"\n")
	fs.StringVar(&o.Python, "python", "", "`Python` whose pip downloads; default: python3 of PATH")
	fs.StringVar(&o.Name, "which", "", "one of the pinned `wheel`s that 'gopherlo plugin list' shows; default: the first")
	fs.StringVar(&o.Version, "version", "", "the wheel's `version`; default: the pinned one")
	fs.BoolVar(&o.Libraries, "libs", false, "install the vendor's libraries too")
	noTest := fs.Bool("no-test", false, "do not test the plugin")
	platforms, err := parseMixed(fs, args)
	if err != nil {
		return exitOf(err)
	}
	if len(platforms) != 1 {
		fmt.Fprint(os.Stderr, pluginUsage)
		return 2
	}
	o.Platform = platforms[0]
	if !*noTest {
		o.SelfTest = selfTestOf(o.Platform)
	}
	path, err := install.InstallPlugin(ctx, o)
	if err != nil {
		if ctx.Err() != nil {
			err = errors.New("interrupted; nothing was installed")
		}
		fmt.Fprintln(os.Stderr, "gopherlo plugin install:", err)
		return 1
	}
	if found, err := plugin.Find(o.Platform); err == nil && found.Path != path {
		fmt.Printf("note: %s is found before it (%s)\n", found.Path, found.Origin)
	}
	return 0
}

// pluginList shows what is found and what can be installed.
func pluginList() int {
	for _, p := range plugin.Platforms() {
		found, searched := plugin.List(p.Name)
		for i, f := range found {
			mark := " "
			if i == 0 {
				mark = "*" // the one that is used
			}
			fmt.Printf("%s %-5s %-12s %s\n", mark, p.Name, f.Origin, f.Path)
		}
		if len(found) == 0 {
			fmt.Printf("  %-5s not found (searched %d folders)\n", p.Name, len(searched))
		}
		for _, w := range install.Wheels(p.Name) {
			fmt.Printf("  %-5s can be installed: --which %s (%s; %s)\n", p.Name, w.Name, w.Version, w.Note)
		}
	}
	return 0
}

// pluginTest runs the self-test on the plugin that is in use.
func pluginTest(ctx context.Context, args []string) int {
	platform := "cpu"
	if len(args) > 0 {
		platform = args[0]
	}
	path, err := pjrt.PluginFile(platform)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gopherlo plugin test:", err)
		return 1
	}
	wrong, err := childSelfTest(ctx, platform, path)
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "gopherlo plugin test: %s: %v\n", path, err)
		return 1
	case len(wrong) > 0:
		fmt.Printf("%s: wrong\n  %s\n", path, strings.Join(wrong, "\n  "))
		return 1
	}
	fmt.Printf("%s: self-test passed\n", path)
	return 0
}

func selfTestOf(platform string) func(context.Context, string) ([]string, error) {
	return func(ctx context.Context, path string) ([]string, error) { return childSelfTest(ctx, platform, path) }
}

// selfTestTimeout is far above the second that a self-test takes.
const selfTestTimeout = 3 * time.Minute

// wrongPrefix marks the findings in the output of the self-test's process.
const wrongPrefix = "wrong: "

// childSelfTest tests a plugin in a process of its own: a plugin may crash.
func childSelfTest(ctx context.Context, platform, path string) (wrong []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, selfTestTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/proc/self/exe", "plugin", "selftest", platform, path)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		reason := strings.TrimSpace(log.String())
		if len(reason) > 2000 {
			reason = reason[:1000] + "\n…\n" + reason[len(reason)-1000:]
		}
		return nil, fmt.Errorf("%w: %s", err, reason)
	}
	for line := range strings.Lines(out.String()) {
		if w, ok := strings.CutPrefix(line, wrongPrefix); ok {
			wrong = append(wrong, strings.TrimSpace(w))
		}
	}
	return wrong, nil
}

// pluginSelfTest is the child of childSelfTest.
func pluginSelfTest(args []string) int {
	if len(args) != 2 {
		return 2
	}
	c, err := pjrt.OpenFile(args[0], args[1])
	if err == nil {
		var wrong []string
		if wrong, err = install.SelfTest(c); err == nil {
			for _, w := range wrong {
				fmt.Println(wrongPrefix + w)
			}
			return 0
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}
