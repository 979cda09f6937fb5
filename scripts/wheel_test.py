"""Installs the wheel as a user does, and runs the first notebook.

    python3 scripts/wheel_test.py [WHEEL]

An empty virtual environment gets the wheel and JupyterLab, nothing else. The
server is started by its absolute path with the environment off PATH and a home
folder of its own: the kernel must be listed, start, and run the notebook.
"""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "notebooks" / "01-controlling-xla.ipynb"
PATH = "/usr/local/bin:/usr/bin:/bin"


def environment(home: Path) -> dict:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PJRT_", "XDG_", "VIRTUAL_ENV", "CONDA", "GOPHERLO"))}
    return {**kept, "PATH": PATH, "HOME": str(home)}


class Server:
    def __init__(self, prefix: Path, env: dict, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.token = secrets.token_hex(16)
        flags = ["--no-browser", "--ip=127.0.0.1", f"--port={self.port}", "--ServerApp.port_retries=0",
                 f"--IdentityProvider.token={self.token}", f"--ServerApp.root_dir={folder}"]
        if os.geteuid() == 0:
            flags.append("--allow-root")
        self.process = subprocess.Popen([prefix / "bin" / "jupyter-lab", *flags], env=env, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 120
        while True:
            try:
                self.ask("api/status")
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.3)

    def ask(self, path: str, data=None, method=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/{path}", method=method, data=None if data is None else json.dumps(data).encode(),
            headers={"Authorization": f"token {self.token}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            body = answer.read()
        return json.loads(body) if body else None

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(20)


def exported(program: Path, target: Path, env: dict) -> None:
    """The notebook becomes a program, of the source in the wheel; it is built where Go is."""
    done = subprocess.run([program, "export", NOTEBOOK, target], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    go = shutil.which("go")
    if not go:
        print("exported; there is no Go to build it")
        return
    offline = {**env, "PATH": f"{Path(go).parent}:{env['PATH']}", "GOPROXY": "off", "GOFLAGS": "-mod=vendor"}
    built = subprocess.run([go, "build", "-o", "program", "."], cwd=target, env=offline, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[-3000:]
    print("exported and built")


def main() -> None:
    wheels = [Path(a) for a in sys.argv[1:]] or sorted((ROOT / "build" / "dist").glob("gopherlo-*.whl"))
    if not wheels:
        sys.exit("no wheel in build/dist: run `make wheel` first")
    with tempfile.TemporaryDirectory(prefix="gopherlo-wheel-") as folder:
        prefix, home = Path(folder) / "venv", Path(folder) / "home"
        home.mkdir()
        env = environment(home)
        venv.create(prefix, with_pip=True)
        subprocess.run([prefix / "bin" / "pip", "install", "--quiet", "jupyterlab", wheels[-1]], check=True, env={**env, "PATH": os.environ["PATH"]})
        server = Server(prefix, env, home)
        try:
            listed = server.ask("api/kernelspecs")["kernelspecs"]
            assert "gopherlo" in listed, f"not listed: {sorted(listed)}"
            print("listed:", listed["gopherlo"]["spec"]["display_name"], listed["gopherlo"]["spec"]["argv"][0])
            kernel = server.ask("api/kernels", {"name": "gopherlo"})
            deadline = time.monotonic() + 20
            while server.ask(f"api/kernels/{kernel['id']}")["execution_state"] not in ("idle", "starting"):
                assert time.monotonic() < deadline, "the kernel did not start"
                time.sleep(0.2)
            server.ask(f"api/kernels/{kernel['id']}", method="DELETE")
        finally:
            server.close()
        ran = subprocess.run(
            [prefix / "bin" / "jupyter-nbconvert", "--to", "notebook", "--execute", NOTEBOOK, "--output-dir", home, "--output", "ran.ipynb"],
            env=env, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr[-3000:]
        cells = [c for c in json.loads((home / "ran.ipynb").read_text())["cells"] if c["cell_type"] == "code"]
        outputs = sum(len(c["outputs"]) for c in cells)
        print(f"ran {NOTEBOOK.name}: {len(cells)} cells, {outputs} outputs")
        exported(prefix / "bin" / "gopherlo", Path(folder) / "exported", env)
        doctor = subprocess.run([prefix / "bin" / "gopherlo", "doctor"], env=env, capture_output=True, text=True)
        print(doctor.stdout)
        assert doctor.returncode == 0


if __name__ == "__main__":
    main()
