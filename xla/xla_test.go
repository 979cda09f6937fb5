package xla

import (
	"errors"
	"strings"
	"testing"
)

func TestStatusError(t *testing.T) {
	err := Errorf(InvalidArgument, "No such compile option: '%s'", "x")
	if got, want := err.Error(), "INVALID_ARGUMENT: No such compile option: 'x'"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !errors.Is(err, &StatusError{Code: InvalidArgument}) || errors.Is(err, &StatusError{Code: Internal}) {
		t.Error("Is does not go by code")
	}
	for code, want := range map[Code]string{OK: "OK", Unauthenticated: "UNAUTHENTICATED", 99: "UNKNOWN_CODE_99", -1: "UNKNOWN_CODE_-1"} {
		if code.String() != want {
			t.Errorf("code %d is %q", int(code), code)
		}
	}
}

type fakeClient struct{ Client }

func (*fakeClient) Close() error { return nil }

func TestRegistry(t *testing.T) {
	if _, err := Open("fake"); err == nil || !strings.Contains(err.Error(), "gopherlo plugin install fake") {
		t.Errorf("without any backend: %v", err)
	}
	opened, fail := 0, errors.New("not yet")
	Register("fake", OpenFunc(func() (Client, error) {
		opened++
		if opened == 1 {
			return nil, fail
		}
		return &fakeClient{}, nil
	}))
	if _, err := Open("fake"); !errors.Is(err, fail) || Opened("fake") {
		t.Errorf("first: %v", err)
	}
	a, err := Open("FAKE")
	if err != nil || !Opened("fake") {
		t.Fatalf("second: %v", err)
	}
	if b, err := Open("fake"); err != nil || a != b {
		t.Errorf("not the same client: %v", err)
	}
	if err := Close(a); err != nil || Opened("fake") {
		t.Errorf("close: %v", err)
	}
	if _, err := Open("other"); err == nil || !strings.Contains(err.Error(), "fake") {
		t.Errorf("unknown platform: %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("registered twice")
		}
	}()
	Register("fake", OpenFunc(nil))
}

func TestLogFilter(t *testing.T) {
	const head = "E0000 00:00:1795976485.154814   21308 "
	var f LogFilter
	for _, test := range []struct {
		line string
		drop bool
	}{
		{"WARNING: All log messages before absl::InitializeLog() is called are written to STDERR", true},
		{head + "cpu_aot_loader.cc:195] Loading XLA:CPU AOT result. Target machine feature +prefer-no-gather is not  supported on the host machine. Machine", true},
		{head + "cpu_aot_loader.cc:195] Loading XLA:CPU AOT result. Target machine feature +avx512f is not  supported on the host machine. Machine", false},
		{head + "common_pjrt_client.cc:1154] ExecutePrepareWithOomRetries failed: INVALID_ARGUMENT: Execution supplied 0 buffers but compiled program expected 1 buffers", true},
		{"printed by the program", false},
		{head + "common_pjrt_client.cc:1154] ExecutePrepareWithOomRetries failed: INVALID_ARGUMENT: E0102: RuntimeProgramInputMismatch:", true},
		{"Executable(jit_f) expected parameter 0 of size 4 (f32[]) but got buffer with incompatible size 8 (f32[2]{0})", true},
		{"See https://openxla.org/xla/errors/error_0102 for more details.", true},
		{"Executable(of the user)", false},
		{head + "status_macros.cc:58] INTERNAL: RET_CHECK failure (xla/a.cc:29) x ", true},
		{"*** Begin stack trace ***", true},
		{"\t", true},
		{"*** End stack trace ***", true},
		{"", true},
		{"next", false},
		{"", false},
		{head + "status_macros.cc:58] RESOURCE_EXHAUSTED: out of memory", false},
		{"W0000 00:00:1795976485.1   21308 x.cc:1] INTERNAL: y", false},
		{head + "slow_operation_alarm.cc:73] something", false},
	} {
		if got := f.Drop([]byte(test.line + "\n")); got != test.drop {
			t.Errorf("drop %v: %q", got, test.line)
		}
	}
}
