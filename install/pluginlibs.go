package install

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// libraryRoot is the top folder of all library wheels, and of what is unpacked
// of them: a plugin in plugins/cuda looks into plugins/nvidia.
const libraryRoot = "nvidia"

// maxLibraries bounds what is unpacked of one wheel, in bytes; tests need less room.
var maxLibraries int64 = 4 << 30

// installLibraries puts the pinned libraries of a platform into plugins, the
// folder above its plugin's. They appear all at once or not at all.
func installLibraries(ctx context.Context, o PluginOptions, plugins string) error {
	libs := libraries[o.Platform+" "+thisArch]
	if len(libs) == 0 {
		o.say("the %s plugin needs no further libraries", o.Platform)
		return nil
	}
	dst := filepath.Join(plugins, libraryRoot)
	stamp := filepath.Join(dst, "gopherlo-libraries.txt")
	want := requirements(libs)
	if have, err := os.ReadFile(stamp); err == nil && string(have) == want {
		o.say("its libraries are installed already: %s", dst)
		return nil
	}
	if err := checkSpace(plugins, 2*maxLibraries); err != nil {
		return err
	}
	python, err := findPython(ctx, o.Python)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(plugins, tempPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	start := time.Now()
	o.say("downloading %d wheels of %s libraries, about 2 GB", len(libs), libraryRoot)
	if err := pipDownload(ctx, python, libraryRoot+" libraries", want, nil, tmp, o.Out); err != nil {
		return err
	}
	wheels, err := filepath.Glob(filepath.Join(tmp, "*.whl"))
	if err != nil || len(wheels) != len(libs) {
		return fmt.Errorf("pip said it downloaded %d library wheels, but %s holds %d", len(libs), tmp, len(wheels))
	}
	tree := filepath.Join(tmp, "tree")
	for _, w := range wheels {
		if err := unpackLibraries(ctx, w, libs, tree); err != nil {
			return err
		}
	}
	fresh := filepath.Join(tree, libraryRoot)
	if err := os.WriteFile(filepath.Join(fresh, filepath.Base(stamp)), []byte(want), 0o600); err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(dst), os.Rename(fresh, dst)); err != nil {
		return err
	}
	o.say("installed %s in %.0f s", dst, time.Since(start).Seconds())
	return nil
}

func requirements(libs []library) string {
	var b strings.Builder
	for _, l := range libs {
		fmt.Fprintf(&b, "%s==%s --hash=sha256:%s\n", l.name, l.version, l.sha256)
	}
	return b.String()
}

// unpackLibraries unpacks what lies below libraryRoot in a pinned wheel.
func unpackLibraries(ctx context.Context, wheel string, libs []library, dst string) error {
	sum, err := sha256File(wheel)
	if err != nil {
		return err
	}
	pinned := false
	for _, l := range libs {
		pinned = pinned || l.sha256 == sum
	}
	if !pinned {
		return fmt.Errorf("%s has SHA-256 %s, which is not pinned", filepath.Base(wheel), sum)
	}
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(wheel), err)
	}
	defer z.Close()
	left := maxLibraries
	for _, m := range z.File {
		if !strings.HasPrefix(m.Name, libraryRoot+"/") || !filepath.IsLocal(m.Name) || !m.Mode().IsRegular() {
			continue
		}
		n, err := unpackMember(ctx, m, filepath.Join(dst, filepath.FromSlash(m.Name)), left)
		if err != nil {
			return fmt.Errorf("unpack %s: %w", filepath.Base(wheel), err)
		}
		left -= n
	}
	return nil
}

func unpackMember(ctx context.Context, m *zip.File, dst string, limit int64) (int64, error) {
	if err := os.MkdirAll(filepath.Dir(dst), 0o700); err != nil {
		return 0, err
	}
	src, err := m.Open()
	if err != nil {
		return 0, err
	}
	defer src.Close()
	mode := os.FileMode(0o600)
	if m.Mode()&0o100 != 0 {
		mode = 0o700 // ptxas and its like are programs
	}
	f, err := os.OpenFile(dst, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, io.LimitReader(ctxReader{ctx, src}, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("%s makes it larger than %d GB", m.Name, maxLibraries>>30)
	}
	return n, errors.Join(err, f.Close())
}
