"""The first notebook, run by nbclient, says what JAX says."""

import asyncio
import json
import sys
import unittest
from argparse import Namespace
from pathlib import Path

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import run  # noqa: E402

NOTEBOOK = HERE.parent / "01-controlling-xla.ipynb"

# Texts of JAX 0.12.0.1 that cells of the notebook give, byte for byte.
LOWERED = sorted((HERE / "testdata").glob("*.hlo.txt"))
UNKNOWN_OPTION = "JaxRuntimeError: INVALID_ARGUMENT: No such compile option: 'not_a_flag_here'"


def execute(check: bool, no_plugin: bool):
    """Run the notebook; gives it with its outputs, and the problems."""
    stored = nbformat.read(NOTEBOOK, as_version=4)
    notebook = nbformat.from_dict(stored)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    client = NotebookClient(notebook, kernel_name="gopherlo", timeout=120, allow_errors=True)
    args = Namespace(check=check, no_plugin=no_plugin)
    problems = asyncio.run(run.execute(client, notebook, stored, args, run.Printer(quiet=True)))
    return notebook, problems


def results(notebook) -> list[str]:
    return [o.data["text/plain"] for c in notebook.cells if c.cell_type == "code" for o in run.outputs_of(c) if "data" in o]


class Notebook(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.notebook, cls.problems = execute(check=True, no_plugin=False)

    def test_every_cell_as_stored(self):
        self.assertEqual(self.problems, [])

    def test_golden_texts(self):
        shown = results(self.notebook)
        for path in LOWERED:
            with self.subTest(path.name):
                self.assertIn(path.read_text(encoding="utf-8"), shown)

    def test_unknown_option(self):
        errors = [e for c in self.notebook.cells if c.cell_type == "code" for e in run.errors_of(c)]
        self.assertIn(UNKNOWN_OPTION, errors)

    def test_hlo_is_highlighted(self):
        for cell in self.notebook.cells:
            for output in cell.get("outputs", []):
                if "data" in output and output.data["text/plain"].startswith("HloModule"):
                    self.assertIn("gopherlo-code", output.data["text/html"])

    def test_what_survives(self):
        """Of a tagged block the operation with the result keeps the tag, the sine does not."""
        cell = next(c for c in self.notebook.cells if "survivor" in c.source)
        text = run.outputs_of(cell)[0].data["text/plain"]
        tagged = [line for line in text.splitlines() if 'frontend_attributes={stage="first"}' in line]
        self.assertTrue(tagged)
        self.assertTrue(all(" multiply(" in line or " fusion(" in line for line in tagged), tagged)
        self.assertIn(" sine(", text)


class WithoutPlugin(unittest.TestCase):
    def test_text_cells(self):
        import os

        before = os.environ.get("PJRT_PLUGIN_LIBRARY_PATH")
        os.environ["PJRT_PLUGIN_LIBRARY_PATH"] = "none"
        try:
            notebook, problems = execute(check=False, no_plugin=True)
        finally:
            if before is None:
                del os.environ["PJRT_PLUGIN_LIBRARY_PATH"]
            else:
                os.environ["PJRT_PLUGIN_LIBRARY_PATH"] = before
        self.assertEqual(problems, [])
        shown = results(notebook)
        for path in LOWERED:
            with self.subTest(path.name):
                self.assertIn(path.read_text(encoding="utf-8"), shown)


class Renamed(unittest.TestCase):
    """The same programs under other names, against JAX's text for those."""

    def test_renamed(self):
        from client import Session

        cases = json.loads((HERE / "testdata" / "renamed.json").read_text(encoding="utf-8"))
        session = Session()
        self.addCleanup(session.close)
        for case in cases:
            with self.subTest(case["name"]):
                outcome = session.run(case["cell"])
                self.assertEqual(outcome.error, "")
                self.assertEqual(outcome.result, case["hlo"])


if __name__ == "__main__":
    run.project_environment()
    unittest.main()
