package plugin

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

// Whole reports a shared library that ends before its segments do, as a
// download that was cut leaves it: the linker would map what is not there, and
// the process would die of it (SIGBUS).
func Whole(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	var head elf.Header64
	if err := binary.Read(f, binary.LittleEndian, &head); err != nil || !bytes.HasPrefix(head.Ident[:], []byte(elf.ELFMAG)) ||
		head.Ident[elf.EI_CLASS] != byte(elf.ELFCLASS64) || head.Ident[elf.EI_DATA] != byte(elf.ELFDATA2LSB) {
		return nil // no such file: the linker says what it thinks of it
	}
	size, need := uint64(info.Size()), head.Phoff+uint64(head.Phnum)*uint64(head.Phentsize)
	progs := make([]elf.Prog64, head.Phnum)
	if need <= size {
		if err := binary.Read(io.NewSectionReader(f, int64(head.Phoff), int64(need-head.Phoff)), binary.LittleEndian, progs); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	for _, p := range progs {
		if elf.ProgType(p.Type) == elf.PT_LOAD {
			need = max(need, p.Off+p.Filesz)
		}
	}
	if need > size {
		return fmt.Errorf("%s is cut short: it has %d bytes and needs %d; `gopherlo plugin install` gets it anew", path, size, need)
	}
	return nil
}
