"""The kernel behind the programs that run notebooks without a person: nbconvert, papermill,
jupyter console, and a start by arguments as a gateway does it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import run  # noqa: E402

CELLS = ["f := jit(func(x Array) Array { return jnp.Sin(x).Mul(x) })", "f(2.0)", 'fmt.Println("printed")\n6 * 7']


def program(name: str) -> str | None:
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else shutil.which(name)


def notebook(folder: Path, cells=CELLS) -> Path:
    path = folder / "in.ipynb"
    path.write_text(json.dumps({
        "nbformat": 4, "nbformat_minor": 5,
        "metadata": {"kernelspec": {"name": "gopherlo", "display_name": "Go (XLA)", "language": "go"}},
        "cells": [{"cell_type": "code", "id": f"c{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": s} for n, s in enumerate(cells)],
    }))
    return path


class RemoteTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def call(self, name: str, *args, **options) -> subprocess.CompletedProcess:
        exe = program(name)
        if exe is None:
            self.skipTest(f"{name} is not installed (notebooks/requirements-test.txt)")
        done = subprocess.run([exe, *map(str, args)], capture_output=True, text=True, timeout=180, cwd=self.folder, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def assert_ran(self, path: Path):
        outputs = [o for c in json.loads(path.read_text())["cells"] for o in run.outputs_of(c)]
        texts = ["".join(o["data"]["text/plain"]) for o in outputs if "data" in o]
        self.assertRegex(texts[0], r"^Array\(1\.8185\d*, dtype=float32, weak_type=True\)$")
        self.assertEqual(texts[1], "42")
        self.assertIn(["printed\n"], [o["text"] if isinstance(o["text"], list) else [o["text"]] for o in outputs if "text" in o])

    def test_nbconvert(self):
        self.call("jupyter-nbconvert", "--to", "notebook", "--execute", notebook(self.folder), "--output", "out.ipynb")
        self.assert_ran(self.folder / "out.ipynb")

    def test_nbconvert_stops_at_an_error(self):
        exe = program("jupyter-nbconvert")
        path = notebook(self.folder, ["1", 'panic("on purpose")', "2"])
        done = subprocess.run([exe, "--to", "notebook", "--execute", path], capture_output=True, text=True, timeout=180)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("on purpose", done.stderr)

    def test_papermill(self):
        """Without -p: papermill has no translator of parameters to Go."""
        self.call("papermill", "--no-progress-bar", notebook(self.folder), "out.ipynb")
        self.assert_ran(self.folder / "out.ipynb")

    def test_console(self):
        typed = 'x := 20\nx + 22\nfmt.Println("printed")\nexit\n'
        done = self.call("jupyter-console", "--kernel", "gopherlo", "--simple-prompt", input=typed)
        for text in ("42", "printed"):
            self.assertIn(text, done.stdout)

    def test_connection_file_made_by_the_kernel(self):
        """A provisioner gives a path; the kernel chooses ports and key and writes the file."""
        import jupyter_client

        exe = jupyter_client.kernelspec.KernelSpecManager().get_kernel_spec("gopherlo").argv[0]
        path = self.folder / "connection.json"
        process = subprocess.Popen([exe, "kernel", "-f", str(path), "--no-history"])
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        for _ in range(200):
            if path.exists():
                break
            time.sleep(0.05)
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        client = jupyter_client.BlockingKernelClient(connection_file=str(path))
        client.load_connection_file()
        client.start_channels()
        self.addCleanup(client.stop_channels)
        client.wait_for_ready(timeout=30)
        self.assertEqual(client.execute_interactive("1 + 2", output_hook=lambda m: None, timeout=30)["content"]["status"], "ok")

    def test_log_holds_no_key_and_no_code(self):
        import jupyter_client

        exe = jupyter_client.kernelspec.KernelSpecManager().get_kernel_spec("gopherlo").argv[0]
        manager = jupyter_client.KernelManager(kernel_name="gopherlo")
        log = open(self.folder / "log", "w+")
        manager._kernel_spec = jupyter_client.kernelspec.KernelSpec(argv=[exe, "kernel", "-f", "{connection_file}", "--log-level", "debug"], interrupt_mode="message")
        manager.start_kernel(stderr=log)
        client = manager.client()
        client.start_channels()
        client.wait_for_ready(timeout=30)
        client.execute_interactive('secretName := "secret value"\nfmt.Println("secret output")\nsecretName', output_hook=lambda m: None, timeout=30)
        client.execute_interactive("secretMistake(", output_hook=lambda m: None, timeout=30)
        key = client.session.key.decode()
        client.stop_channels()
        manager.shutdown_kernel()
        log.seek(0)
        text = log.read()
        self.assertIn("level=", text)
        self.assertNotIn(key, text)
        self.assertNotIn("secret", text)


if __name__ == "__main__":
    import run

    run.project_environment()
    unittest.main()
