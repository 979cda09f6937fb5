#!/usr/bin/env python3
"""Run the tests of `make test` or, with --full, of `make test-full`.

Progress is one line per package. The last line is a plain count; the lines
before it name what was skipped and what this mode leaves out.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
import unittest
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GO = os.environ.get("GO", "go")
FUZZ_SECONDS = int(os.environ.get("GOPHERLO_FUZZ_SECONDS", "60"))
LEFT_OUT = "browser tests, fuzzing, long faults (make test-full runs them)"


class Tally:
    """Counts results and remembers what failed and what was skipped."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[str] = []
        self.skipped: list[str] = []

    def summary(self, full: bool) -> int:
        print()
        for name in self.failed:
            print(f"FAILED   {name}")
        for name in self.skipped[:60]:
            print(f"skipped  {name}")
        if len(self.skipped) > 60:
            print(f"skipped  … and {len(self.skipped) - 60} more")
        if not full:
            print(f"did not run: {LEFT_OUT}")
        print(f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped")
        return 1 if self.failed else 0


def stage(title: str) -> None:
    print(f"\n== {title}", flush=True)


class GoRun:
    """One `go test -json` command, read as it goes."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.output: dict[tuple[str, str], list[str]] = defaultdict(list)
        self.counts: dict[str, int] = defaultdict(int)

    def run(self, args: list[str], env: dict[str, str]) -> None:
        command = [GO, "test", "-json", *args]
        failed = len(self.tally.failed)
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace")
        for line in process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                print(line, end="")
                continue
            self.event(event)
        if process.wait() != 0 and len(self.tally.failed) == failed:
            self.tally.failed.append(" ".join(command))

    def event(self, event: dict) -> None:
        action, package, test = event.get("Action"), event.get("Package", ""), event.get("Test", "")
        if action == "build-output":
            print(event.get("Output", ""), end="")
        elif action == "output":
            self.output[package, test].append(event.get("Output", ""))
        elif action in ("pass", "fail", "skip"):
            if test:
                self.test(action, package, test)
            else:
                self.package(action, package, event)

    def test(self, action: str, package: str, test: str) -> None:
        name = f"{package} {test}"
        lines = self.output.pop((package, test), [])
        if action == "pass":
            self.tally.passed += 1
        elif action == "skip":
            reason = " ".join(l.strip() for l in lines if not l.lstrip().startswith(("=== ", "--- ")))
            self.tally.skipped.append(f"{name}: {reason}".rstrip(": "))
        else:
            self.tally.failed.append(name)
            print("".join(lines), end="", flush=True)
        self.counts[package] += 1

    def package(self, action: str, package: str, event: dict) -> None:
        lines = self.output.pop((package, ""), [])
        # A test that the process died in has no verdict of its own.
        unfinished = sorted(test for pkg, test in self.output if pkg == package)
        if action == "fail" and (unfinished or not any(f.startswith(package + " ") for f in self.tally.failed)):
            self.tally.failed.append(f"{package} {unfinished[0] if unfinished else '(build or set-up)'}")
            for test in unfinished:
                print("".join(self.output.pop((package, test))), end="")
            print("".join(lines), end="")
        if action != "skip" and (self.counts[package] or action == "fail"):
            word = "ok  " if action == "pass" else "FAIL"
            print(f"{word}  {package:44} {self.counts[package]:6} tests  {event.get('Elapsed', 0):7.1f} s", flush=True)


def no_race() -> list[tuple[str, str]]:
    """The rows of .ci/no-race: package and regexp of test names ('' for all)."""
    rows = []
    for line in (ROOT / ".ci" / "no-race").read_text().splitlines():
        fields = line.split("#")[0].split()
        if fields:
            rows.append((fields[0], fields[1] if len(fields) > 1 else ""))
    return rows


def go_tests(tally: Tally, env: dict[str, str]) -> None:
    listed = subprocess.run([GO, "list", "./..."], cwd=ROOT, env=env, capture_output=True, text=True)
    if listed.returncode != 0:
        print(listed.stderr)
        tally.failed.append("go list ./...")
        return
    rows = no_race()
    apart = {package for package, _ in rows}
    stage("Go tests with the race detector")
    packages = [p for p in listed.stdout.split() if p not in apart]
    GoRun(tally).run(["-race", "-shuffle=on", "-timeout=8m", *packages], env)
    for package, names in rows:
        if names:
            GoRun(tally).run(["-race", "-shuffle=on", "-timeout=8m", "-skip", names, package], env)
    if rows:
        stage("Go tests without it (.ci/no-race)")
    for package, names in rows:
        GoRun(tally).run(["-shuffle=on", "-timeout=8m", *(["-run", names] if names else []), package], env)


class Counted(unittest.TextTestResult):
    """A unittest result that counts into the tally and prints as it goes."""

    tally: Tally

    def addSuccess(self, test):
        super().addSuccess(test)
        self.tally.passed += 1

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.tally.failed.append(test.id())

    def addError(self, test, err):
        super().addError(test, err)
        self.tally.failed.append(test.id())

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is None:
            self.tally.passed += 1
        else:
            self.tally.failed.append(subtest.id())

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.tally.skipped.append(f"{test.id()}: {reason}")


def own_tests(suite) -> unittest.TestSuite:
    """The tests of a discovered suite, without base classes that modules import."""
    own = unittest.TestSuite()
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            own.addTest(own_tests(test))
        elif not type(test).__module__.startswith("jupyter_kernel_test"):
            own.addTest(test)
    return own


def client_tests(tally: Tally, pattern: str, title: str) -> None:
    """Tests that drive the built kernel with Jupyter's own client."""
    stage(title)
    sys.path.insert(0, str(ROOT / "notebooks"))
    result = type("Result", (Counted,), {"tally": tally})
    suite = unittest.TestLoader().discover(str(ROOT / "notebooks" / "tests"), pattern=pattern)
    unittest.TextTestRunner(stream=sys.stdout, verbosity=2, resultclass=result).run(own_tests(suite))


def fuzz_tests(tally: Tally, env: dict[str, str]) -> None:
    target = re.compile(r"^func (Fuzz\w+)\(", re.M)
    for path in sorted(ROOT.rglob("*_test.go")):
        if "build" in path.relative_to(ROOT).parts[:1]:
            continue
        for name in target.findall(path.read_text(encoding="utf-8")):
            package = "./" + str(path.parent.relative_to(ROOT))
            stage(f"fuzzing {package} {name} for {FUZZ_SECONDS} s")
            if fuzz(package, name, env):
                tally.passed += 1
            else:
                tally.failed.append(f"{package} {name}")


def fuzz(package: str, name: str, env: dict[str, str]) -> bool:
    """Fuzzes one target. Go before 1.27 may report the end of -fuzztime as a failure
    when its workers were busy then (golang/go issue 75804): a run that found no
    input and says only that is made again, and three such runs are a failure."""
    # Without a limit, making one new input small may take all the time.
    command = [GO, "test", "-run=^$", f"-fuzz=^{name}$", f"-fuzztime={FUZZ_SECONDS}s", "-fuzzminimizetime=1s", package]
    for _ in range(3):
        process = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        lines = []
        for line in process.stdout:
            lines.append(line.strip())
            if line.startswith("fuzz: elapsed:"):
                print(line, end="", flush=True)
        failed = process.wait() != 0
        if failed and only_deadline(lines):
            print("The fuzzer took its own deadline for a failure; once more.", flush=True)
            continue
        print("\n".join(line for line in lines if not line.startswith("fuzz: elapsed:")), flush=True)
        return not failed
    return False


def only_deadline(lines: list[str]) -> bool:
    """Whether a failed run of the fuzzer says nothing but that its time was over."""
    progress = re.compile(r"fuzz: elapsed:|--- FAIL: Fuzz\w+ \([\d.]+s\)$|FAIL\b|exit status 1$|$")
    said = [line for line in lines if not progress.match(line)]
    return said == ["context deadline exceeded"]


def long_tests(tally: Tally, env: dict[str, str]) -> None:
    stage("long faults")
    env = {**env, "GOPHERLO_LONG": "1"}
    GoRun(tally).run(["-count=1", "-timeout=20m", "-run=Long", "./kernel/...", "./xla/...", "./cmd/...", "./interp/export"], env)


def environment() -> dict[str, str]:
    """What the tests may use: the built program, the venv's Python, no user state."""
    import run  # notebooks/run.py

    run.project_environment()
    os.environ["GOPHERLO"] = str(ROOT / "build" / "bin" / "gopherlo")
    os.environ["GOPHERLO_PYTHON"] = sys.executable
    # Tests that use a data folder of their own find the plugin all the same.
    plugin = Path(os.environ["GOPHERLO_DATA"]) / "plugins" / "cpu"
    if plugin.is_dir():
        os.environ.setdefault("PJRT_PLUGIN_LIBRARY_PATH", str(plugin))
    return dict(os.environ)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", choices=["go", "client", "browser", "fuzz", "long"], help="one stage alone")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT / "notebooks"))
    env = environment()
    tally, start = Tally(), time.monotonic()
    stages = {
        "go": (True, lambda: go_tests(tally, env)),
        "client": (True, lambda: client_tests(tally, "test_*.py", "the kernel driven by Jupyter's client")),
        "browser": (args.full, lambda: client_tests(tally, "browser_*.py", "JupyterLab in Chromium")),
        "long": (args.full, lambda: long_tests(tally, env)),
        "fuzz": (args.full, lambda: fuzz_tests(tally, env)),
    }
    for name, (wanted, run_stage) in stages.items():
        if args.only == name or (args.only is None and wanted):
            run_stage()
    print(f"\n{time.monotonic() - start:.0f} s")
    return tally.summary(args.full or args.only is not None)


if __name__ == "__main__":
    sys.exit(main())
