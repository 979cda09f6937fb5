package goldencases

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"gopherlo/internal/golden"
	jax "gopherlo/jaxlike"
	"gopherlo/jaxlike/jnp"
	"gopherlo/metadata"
	"gopherlo/xla/flags"
)

// processes are the cases that run as processes of their own, because XLA reads
// XLA_FLAGS once. A case in which XLA ends the process of JAX raises an error
// here, in XLA's words, and the process lives.
var processes = map[string]func(){
	"033": func() {
		fmt.Println(jax.DeviceCount())
		fmt.Println(addOne(1.0))
	},
	"034": func() {
		setFlags("--xla_force_host_platform_device_count=2")
		fmt.Println(jax.DeviceCount())
	},
	"035": func() {
		fmt.Println(jax.DeviceCount())
		setFlags("--xla_force_host_platform_device_count=2")
		fmt.Println(jax.DeviceCount())
		fmt.Println(addOne(1.0))
	},
	"036": func() {
		fmt.Println(jax.DeviceCount())
		setFlags("--zz_unknown=1")
		fmt.Println(jax.Jit(func(x A) A { return x.Mul(2.) })(1.0))
	},
	"037": importedThenAdd, "039": importedThenAdd, "040": importedThenAdd,
	"038": importedThenCount, "045": importedThenCount,
	"041": countThenAdd, "042": countThenAdd, "043": countThenAdd, "044": justCount, "048": justCount,
	"046": func() {
		part := taggedPart()
		f := func(x A) A { return part(x).Add(x) }
		hasCall := func(o opts) string {
			return python(strings.Contains(jax.Jit(f, o).Lower(1.0).Compile().AsText(), " call("))
		}
		fmt.Println("no options", hasCall(nil))
		fmt.Println("empty pass list", hasCall(opts{"xla_disable_hlo_passes": ""}))
		fmt.Println("another pass", hasCall(opts{"xla_disable_hlo_passes": "dce"}))
		fmt.Println("other option", hasCall(opts{"xla_embed_ir_in_executable": true}))
		fmt.Println("no options", hasCall(nil))
	},
	"047": func() {
		part := taggedPart()
		hasCall := func(f any, args ...any) string {
			return python(strings.Contains(jax.Jit(f).Lower(args...).Compile().AsText(), " call("))
		}
		fmt.Println(hasCall(part, 1.0))
		fmt.Println(hasCall(jax.Vmap(part), jnp.Arange(4.)))
		fmt.Println(hasCall(jax.Grad(part), 1.0))
	},
	"049": func() {
		f := func(x A) A { return x.Add(1.) }
		fmt.Println("import done")
		fmt.Println(jax.MakeJaxpr(f)(1.0))
		fmt.Println(jax.EvalShape(f, 1.0))
		fmt.Println(jax.Devices())
	},
}

func addOne(x float64) A { return jax.Jit(func(x A) A { return x.Add(1.) })(x) }

func importedThenAdd() {
	fmt.Println("imported")
	fmt.Println(addOne(1.0))
	fmt.Println("not reached")
}

func importedThenCount() {
	fmt.Println("imported")
	fmt.Println(jax.DeviceCount())
}

func countThenAdd() {
	fmt.Println(jax.DeviceCount())
	fmt.Println(addOne(1.0))
}

func justCount() { fmt.Println(jax.DeviceCount()) }

func taggedPart() jax.Func {
	return metadata.Call(func(x A) A { return jnp.Sin(x).Mul(jnp.Cos(x)) }, attrs{"k": "v"})
}

func setFlags(value string) {
	if err := os.Setenv("XLA_FLAGS", value); err != nil {
		panic(err)
	}
}

func python(b bool) string { return map[bool]string{true: "True", false: "False"}[b] }

const (
	envProcess = "GOLDENCASES_PROCESS"
	// exitRaised is the status of a process that raised an error and was there
	// to tell.
	exitRaised = 10
)

func TestMain(m *testing.M) {
	id := os.Getenv(envProcess)
	if id == "" {
		os.Exit(m.Run())
	}
	err := raised(processes[id])
	if err == nil {
		os.Exit(0)
	}
	fmt.Fprintln(os.Stderr, err.Message)
	// The error is not the end: what needs no runtime works as before.
	if jax.MakeJaxpr(func(x A) A { return x.Add(1.) })(1.0).String() == "" {
		os.Exit(1)
	}
	os.Exit(exitRaised)
}

// process runs the case in a process of its own and compares what it wrote and
// how it ended.
func (k *checker) process(id string, data json.RawMessage) {
	if processes[id] == nil {
		k.failf("there is no Go program for it")
		return
	}
	var want struct {
		ExitCode       int `json:"exit_code"`
		Stdout, Stderr string
	}
	var spec struct{ Env map[string]string }
	if err := errors.Join(json.Unmarshal(data, &want), json.Unmarshal([]byte(k.c.Files["case.json"]), &spec)); err != nil {
		k.t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "XLA_FLAGS=") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, envProcess+"="+id)
	for name, value := range spec.Env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		k.failf("%v", err)
		return
	}
	status, words := 0, want.Stderr
	if want.ExitCode != 0 {
		status, words = exitRaised, xlaWords(want.Stderr)
	}
	if got := cmd.ProcessState.ExitCode(); got != status {
		k.failf("exit status %d, not %d: %s", got, status, stderr.String())
	}
	if got := stdout.String(); got != want.Stdout {
		k.failf("output differs\n%s", golden.Diff(want.Stdout, got))
	}
	if got := strings.TrimSuffix(stderr.String(), "\n"); got != words {
		k.failf("error differs\n%s", golden.Diff(words, got))
	}
}

// xlaWords takes the reason out of what XLA writes as it ends a process; in the
// cases the log's date, time and process are words.
func xlaWords(log string) string {
	log = strings.ReplaceAll(log, "DATE TIME PID", "0101 00:00:00.000000       1")
	if err := flags.Verdict(log); err != nil {
		return err.Error()
	}
	return ""
}

func init() {
	for id := range processes {
		programs[id] = func() program { return program{} }
	}
}
