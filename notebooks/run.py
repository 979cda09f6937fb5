#!/usr/bin/env python3
"""Run a notebook with a real Jupyter client and print every cell and its output.

Exit status: 0 when every cell ended as it should, 1 when one did not, 2 when the
notebook could not be run at all. Cells tagged "raises-exception" must fail.

Tags that this runner knows beside that one:
  plugin   the cell compiles or runs something. With --no-plugin it must fail with
           the error that names `gopherlo plugin install`.
  varies   the output differs from run to run; --check does not compare it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ANSI = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
MISSING_PLUGIN = "gopherlo plugin install"


def project_environment() -> None:
    """Keep to build/: the user's own Jupyter is neither read nor written."""
    jupyter = ROOT / "build" / "jupyter"
    os.environ["JUPYTER_PATH"] = str(jupyter / "share" / "jupyter")
    os.environ["JUPYTER_DATA_DIR"] = str(jupyter / "data")
    os.environ["JUPYTER_CONFIG_DIR"] = str(jupyter / "config")
    os.environ["JUPYTER_RUNTIME_DIR"] = str(jupyter / "runtime")
    os.environ["IPYTHONDIR"] = str(jupyter / "ipython")
    os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
    # The input history goes to build/ as well; the plugin stays where it is.
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    if not os.environ.get("GOPHERLO_DATA"):
        os.environ["GOPHERLO_DATA"] = str(data / "gopherlo")
    os.environ["XDG_DATA_HOME"] = str(ROOT / "build" / "data")


class Printer:
    """Writes cells and outputs to the terminal."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def write(self, text: str = "") -> None:
        if not self.quiet:
            print(text, flush=True)

    def paint(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text

    def source(self, label: str, source: str, code: str) -> None:
        self.write(self.paint(code, label))
        for line in source.rstrip("\n").split("\n"):
            self.write("    " + line)

    def markdown(self, source: str) -> None:
        self.write()
        self.write(source.rstrip("\n"))

    def text(self, text: str) -> None:
        self.write(text.rstrip("\n") if self.colour else ANSI.sub("", text).rstrip("\n"))

    def outputs(self, cell) -> None:
        for output in cell.outputs:
            kind = output.output_type
            if kind == "stream":
                self.text(output.text)
            elif kind == "error":
                self.text("\n".join(output.traceback) or f"{output.ename}: {output.evalue}")
            else:
                if kind == "execute_result":
                    self.write(self.paint("31", f"Out[{output.execution_count}]:"))
                self.text(output.data.get("text/plain", f"<{', '.join(output.data)}>"))


def outputs_of(cell) -> list:
    """The outputs of a cell without the notes about its run."""
    return [o for o in cell.get("outputs", []) if not is_note(o)]


def is_note(output) -> bool:
    """Whether an output tells about the run (the time of a compilation), not what the cell gave."""
    return bool(output.get("metadata", {}).get("gopherlo", {}).get("note"))


def errors_of(cell) -> list[str]:
    return [f"{o.ename}: {o.evalue}" for o in cell.outputs if o.output_type == "error"]


def judge(cell, no_plugin: bool) -> str | None:
    """Why the cell did not end as it should, or None."""
    tags = cell.metadata.get("tags", [])
    errors = errors_of(cell)
    text = ANSI.sub("", "\n".join(errors))
    if no_plugin and "plugin" in tags:
        # A cell that fails anyway may do so before it needs the plugin.
        if MISSING_PLUGIN in text or (errors and "raises-exception" in tags):
            return None
        return f"without a plugin it should fail and name `{MISSING_PLUGIN}`, but: {text or 'it did not fail'}"
    if "raises-exception" in tags:
        return None if errors else "it was expected to fail and did not"
    return text or None


def comparable(cell) -> list[tuple[str, str]]:
    """The outputs of a cell as plain text, streams of one name joined."""
    shown: list[tuple[str, str]] = []
    for output in outputs_of(cell):
        if output.output_type == "stream":
            item = (output.name, output.text)
            if shown and shown[-1][0] == output.name:
                item = (output.name, shown.pop()[1] + output.text)
        elif output.output_type == "error":
            item = ("error", f"{output.ename}: {output.evalue}")
        else:
            item = (output.output_type, output.data.get("text/plain", ""))
        shown.append(item)
    return shown


def difference(stored, cell) -> str | None:
    """How the outputs differ from the stored ones, or None."""
    if "varies" in cell.metadata.get("tags", []):
        return None
    old, new = comparable(stored), comparable(cell)
    if old == new:
        return None
    return f"the output is not the stored one\n--- stored\n{old}\n--- now\n{new}"


async def execute(client, notebook, stored, args, out: Printer) -> list[str]:
    """Run all cells in order and give the problems."""
    problems = []
    code_cells = [c for c in notebook.cells if c.cell_type == "code"]
    done = 0
    async with client.async_setup_kernel():
        for index, cell in enumerate(notebook.cells):
            if cell.cell_type == "markdown":
                out.markdown(cell.source)
            if cell.cell_type != "code":
                continue
            done += 1
            out.write()
            out.source(f"In [{done}]  (cell {done} of {len(code_cells)})", cell.source, "32")
            start = time.monotonic()
            await client.async_execute_cell(cell, index, execution_count=done)
            seconds = time.monotonic() - start
            out.outputs(cell)
            if seconds > 0.5:
                out.write(out.paint("2", f"({seconds:.1f} s)"))
            problem = judge(cell, args.no_plugin)
            if problem is None and args.check:
                problem = difference(stored.cells[index], cell)
            if problem is not None:
                out.write(out.paint("1;31", f"PROBLEM in cell {done}: {problem}"))
                problems.append(f"cell {done}: {problem}")
    return problems


def write_html(notebook, path: Path) -> None:
    from nbconvert import HTMLExporter

    body, _ = HTMLExporter().from_notebook_node(notebook)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body, encoding="utf-8")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--html", type=Path, help="write a copy with outputs as HTML")
    parser.add_argument("--save", action="store_true", help="store the outputs in the notebook itself")
    parser.add_argument("--check", action="store_true", help="compare the outputs with the stored ones")
    parser.add_argument("--no-plugin", action="store_true", help="run with no PJRT plugin")
    parser.add_argument("--quiet", action="store_true", help="print problems only")
    parser.add_argument("--kernel", default="gopherlo")
    parser.add_argument("--timeout", type=float, default=120, help="seconds per cell")
    return parser.parse_args()


def tidy(notebook) -> None:
    """Leave out of a stored notebook what changes from run to run."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = outputs_of(cell)
    notebook.metadata.pop("widgets", None)


def main() -> int:
    args = arguments()
    project_environment()
    if args.no_plugin:
        os.environ["PJRT_PLUGIN_LIBRARY_PATH"] = "none"
    import nbformat
    from jupyter_client.kernelspec import NoSuchKernel
    from nbclient import NotebookClient
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    out = Printer(args.quiet)
    stored = nbformat.read(args.notebook, as_version=4)
    notebook = nbformat.from_dict(stored)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    client = NotebookClient(
        notebook,
        kernel_name=args.kernel,
        timeout=args.timeout,
        allow_errors=True,
        resources={"metadata": {"path": str(args.notebook.resolve().parent)}},
    )
    start = time.monotonic()
    try:
        problems = asyncio.run(execute(client, notebook, stored, args, out))
    except NoSuchKernel:
        print(f"run: Jupyter knows no kernel {args.kernel!r} below build/; run `make kernelspec`", file=sys.stderr)
        return 2
    except (DeadKernelError, CellTimeoutError) as err:
        print(f"run: {args.notebook.name}: {err}", file=sys.stderr)
        return 1
    if args.html:
        write_html(notebook, args.html)
        out.write(f"\nHTML copy: {args.html}")
    if args.save and not problems:
        tidy(notebook)
        nbformat.write(notebook, args.notebook)
    cells = sum(c.cell_type == "code" for c in notebook.cells)
    print(f"{args.notebook.name}: {cells - len(problems)} of {cells} cells as expected, {time.monotonic() - start:.1f} s")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
