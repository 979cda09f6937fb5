package diskcache

import (
	"bufio"
	"os"
	"runtime"
	"strings"
)

// CPU names the processor by vendor, model and features: compiled code uses
// whatever the machine has that it was made on.
func CPU() []byte {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return []byte(runtime.GOOS + "/" + runtime.GOARCH)
	}
	defer f.Close()
	var b strings.Builder
	b.WriteString(runtime.GOARCH)
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() && sc.Text() != "" { // the first processor's block
		name, value, _ := strings.Cut(sc.Text(), ":")
		switch strings.TrimSpace(name) {
		case "vendor_id", "cpu family", "model", "model name", "stepping", "flags", "Features", "CPU implementer", "CPU part":
			b.WriteString("\n" + strings.TrimSpace(name) + "=" + strings.TrimSpace(value))
		}
	}
	return []byte(b.String())
}
