"""Builds the Python wheel: program, kernelspec, source for `gopherlo export` and `build`.

    python3 scripts/wheel.py [--out build/dist] [--version 0.1.0]

`pip install` of the wheel is all that a Jupyter user does: the kernelspec names
the program relative to itself, and the CPU plugin is a dependency. The program
is linked against glibc 2.28 with zig's C compiler, which pip installs into a
virtual environment of its own; auditwheel says whether the tag is true.
"""

import argparse
import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
GO = os.environ.get("GO", "go")
GLIBC = (2, 28)
TAG = f"py3-none-manylinux_{GLIBC[0]}_{GLIBC[1]}_x86_64"
PLUGIN = "fastatomstruct-xla-cpu==2026.6.23"
TOOLS = ["ziglang==0.17.1", "auditwheel==6.8.2", "pip"]
# Jupyter replaces {resource_dir} by PREFIX/share/jupyter/kernels/gopherlo.
ARGV0 = "{resource_dir}/../../../../bin/gopherlo"
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same bytes at every build


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, cwd=options.pop("cwd", ROOT), **options)


def tools(folder: Path) -> Path:
    """A virtual environment with zig and auditwheel; returns its bin folder."""
    ready = folder / ".ready"
    if not ready.exists() or ready.read_text() != "\n".join(TOOLS):
        venv.create(folder, with_pip=True, clear=True)
        run(folder / "bin" / "python", "-m", "pip", "install", "--quiet", *TOOLS)
        ready.write_text("\n".join(TOOLS))
    return folder / "bin"


def build(tool_bin: Path, target: Path, version: str) -> None:
    print("== building the program for glibc %d.%d" % GLIBC)
    cc = f"{tool_bin / 'python'} -m ziglang cc -target x86_64-linux-gnu.{GLIBC[0]}.{GLIBC[1]}"
    env = {**os.environ, "CGO_ENABLED": "1", "GOOS": "linux", "GOARCH": "amd64", "CC": cc}
    flags = f"-s -w -X gopherlo/install.Version={version}"
    run(GO, "build", "-trimpath", "-ldflags", flags, "-o", target, "./cmd/gopherlo", env=env)


def source(program: Path, target: Path) -> None:
    """Zips the program's source, with all that it imports."""
    print("== gathering the source for export and build")
    run(program, "source", target, env={**os.environ, "GOPHERLO_SOURCE": str(ROOT)})


def add(archive: zipfile.ZipFile, name: str, data: bytes, mode: int = 0o644) -> None:
    info = zipfile.ZipInfo(name, EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = (0o100000 | mode) << 16
    archive.writestr(info, data)


def metadata(version: str) -> str:
    return f"""Metadata-Version: 2.1
Name: gopherlo
Version: {version}
Summary: Jupyter kernel for Go-scripted XLA programs
License: Apache-2.0
Classifier: Framework :: Jupyter
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Other
Requires-Python: >=3.8
Requires-Dist: {PLUGIN}
Description-Content-Type: text/markdown

{(ROOT / "README.md").read_text()}"""


def wheel(out: Path, program: Path, spec: Path, src: Path, version: str) -> Path:
    base = f"gopherlo-{version}"
    data, info = f"{base}.data", f"{base}.dist-info"
    files = {f"{data}/scripts/gopherlo": (program.read_bytes(), 0o755)}
    for path in sorted(spec.rglob("*")):
        if path.is_file():
            files[f"{data}/data/{path.relative_to(spec)}"] = (path.read_bytes(), 0o644)
    files[f"{data}/data/share/gopherlo/src.zip"] = (src.read_bytes(), 0o644)
    files[f"{info}/METADATA"] = (metadata(version).encode(), 0o644)
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: gopherlo\nRoot-Is-Purelib: false\nTag: {TAG}\n".encode(), 0o644)
    for name in ("LICENSE", "NOTICE"):
        files[f"{info}/licenses/{name}"] = ((ROOT / name).read_bytes(), 0o644)
    record = "".join(f"{name},{digest(content)},{len(content)}\n" for name, (content, _) in files.items())
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    target = out / f"{base}-{TAG}.whl"
    with zipfile.ZipFile(target, "w") as archive:
        for name, (content, mode) in files.items():
            add(archive, name, content, mode)
    return target


def digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def audit(tool_bin: Path, path: Path) -> None:
    """Fails when the program needs more than the wheel's tag says."""
    shown = run(tool_bin / "python", "-m", "auditwheel", "show", path, capture_output=True, text=True).stdout
    found = re.search(r'consistent with\s+the\s+following\s+platform\s+tag:\s+"?manylinux_(\d+)_(\d+)_x86_64', shown.replace("\n", " "))
    if not found or (int(found[1]), int(found[2])) > GLIBC:
        sys.exit(f"auditwheel does not agree with the tag {TAG}:\n{shown}")
    print(f"== auditwheel: consistent with manylinux_{found[1]}_{found[2]}, tagged manylinux_{GLIBC[0]}_{GLIBC[1]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "dist")
    parser.add_argument("--version", default=os.environ.get("VERSION", "0.1.0"))
    args = parser.parse_args()
    work = ROOT / "build" / "wheel"
    work.mkdir(parents=True, exist_ok=True)
    args.out.mkdir(parents=True, exist_ok=True)
    tool_bin = tools(work / "tools")
    program, spec, src = work / "gopherlo", work / "data", work / "src.zip"
    build(tool_bin, program, args.version)
    shutil.rmtree(spec, ignore_errors=True)
    run(program, "install", "--prefix", spec, "--executable", ARGV0, stdout=subprocess.DEVNULL)
    source(program, src)
    path = wheel(args.out, program, spec, src, args.version)
    audit(tool_bin, path)
    print(f"{path}  {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
