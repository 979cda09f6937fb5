"""Measures the kernel beside ipykernel, in one run, and prints the ratios.

    python scripts/bench_kernel.py [--gopherlo build/bin/gopherlo] [--jax PYTHON] [--cells 200]

The Python that runs this must have ipykernel, jupyter_client and pyzmq; --jax names one that
has jax too (default: the same), for the jitted call. The client speaks the wire protocol
itself, so that its own cost is small. The kernels take turns: figures drift with the
machine's load, ratios less.
"""

import argparse
import hashlib
import hmac
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import zmq
from jupyter_client.connect import write_connection_file

ROOT = Path(__file__).resolve().parents[1]
DELIM = b"<IDS|MSG>"


class Kernel:
    def __init__(self, argv: list[str], env: dict | None = None) -> None:
        self.folder = tempfile.TemporaryDirectory()
        path = str(Path(self.folder.name) / "connection.json")
        self.key = uuid.uuid4().hex.encode()
        _, self.conn = write_connection_file(path, key=self.key)
        self.session = uuid.uuid4().hex
        self.context = zmq.Context()
        self.start = time.perf_counter()
        self.process = subprocess.Popen([a.replace("{connection_file}", path) for a in argv], env={**os.environ, **(env or {})},
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.shell, self.control = self.socket(zmq.DEALER, "shell_port"), self.socket(zmq.DEALER, "control_port")
        self.iopub = self.socket(zmq.SUB, "iopub_port")
        self.iopub.setsockopt(zmq.SUBSCRIBE, b"")
        self.request(self.shell, "kernel_info_request", {})
        self.started = time.perf_counter() - self.start
        time.sleep(0.3)
        while self.iopub.poll(100):
            self.iopub.recv_multipart()

    def socket(self, kind, port):
        s = self.context.socket(kind)
        s.linger = 0
        s.rcvhwm = 0
        s.reconnect_ivl = 1
        s.connect(f"tcp://{self.conn['ip']}:{self.conn[port]}")
        return s

    def post(self, socket, kind, content) -> str:
        header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "session": self.session, "username": "bench", "version": "5.3", "date": "2026-01-01T00:00:00Z"}
        parts = [json.dumps(p).encode() for p in (header, {}, {}, content)]
        mac = hmac.new(self.key, digestmod=hashlib.sha256)
        for p in parts:
            mac.update(p)
        socket.send_multipart([DELIM, mac.hexdigest().encode(), *parts])
        return header["msg_id"]

    @staticmethod
    def receive(socket, timeout=60):
        if not socket.poll(int(timeout * 1000)):
            raise TimeoutError
        frames = socket.recv_multipart()
        at = frames.index(DELIM)
        return frames[at + 2:]

    def request(self, socket, kind, content, timeout=60):
        self.post(socket, kind, content)
        return json.loads(self.receive(socket, timeout)[3])

    def cell(self, code: str, timeout=60) -> float:
        """Run a cell; seconds from the request until both the reply and idle are here."""
        begin = time.perf_counter()
        self.post(self.shell, "execute_request", {"code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True})
        self.messages = 0
        while True:
            frames = self.receive(self.iopub, timeout)
            self.messages += 1
            if b'"idle"' in frames[3] and b"execute_request" in frames[1]:
                break
        reply = json.loads(self.receive(self.shell, timeout)[3])
        took = time.perf_counter() - begin
        if reply["status"] != "ok":
            raise RuntimeError(f"{code!r}: {reply.get('ename')}: {reply.get('evalue')}")
        return took

    def complete(self, code: str) -> float:
        begin = time.perf_counter()
        self.request(self.shell, "complete_request", {"code": code, "cursor_pos": len(code)})
        took = time.perf_counter() - begin
        self.drain()
        return took

    def drain(self):
        while self.iopub.poll(20):
            self.iopub.recv_multipart()

    def interrupt(self, code: str, by_message: bool) -> float:
        """Seconds from the interrupt of a busy loop until idle."""
        self.post(self.shell, "execute_request", {"code": code, "silent": False, "store_history": False, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True})
        while b"looping" not in self.receive(self.iopub)[3]:
            pass
        time.sleep(0.2)
        begin = time.perf_counter()
        if by_message:
            self.post(self.control, "interrupt_request", {})
        else:
            self.process.send_signal(2)
        while True:
            frames = self.receive(self.iopub)
            if b'"idle"' in frames[3] and b"execute_request" in frames[1]:
                break
        took = time.perf_counter() - begin
        self.receive(self.shell)
        self.drain()
        return took

    def memory(self) -> float:
        """Proportional set size of the kernel and all processes below it in MB."""
        parents = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
        family, more = set(), {self.process.pid}
        while more:
            family |= more
            more = {pid for pid, parent in parents.items() if parent in family} - family
        total = 0
        for pid in family:
            try:
                total += sum(int(line.split()[1]) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines() if line.startswith("Pss:"))
            except OSError:
                continue
        return total / 1024

    def close(self):
        self.post(self.control, "shutdown_request", {"restart": False})
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.context.destroy(0)
        self.folder.cleanup()


GO = {
    "trivial cell": "1 + 1", "setup": 'f := jit(func(x Array) Array { return jnp.Sin(x).Mul(x).Add(1.0) })\nf(1.0).BlockUntilReady()', "jit": "f(1.0)",
    "10,000 lines": 'for i := range 10000 {\n\tfmt.Println("line", i)\n}', "10 MB": 'display.Show(display.HTML(strings.Repeat("x", 10<<20)))',
    "complete": "fmt.Printl", "loop": 'fmt.Println("looping")\nfor {\n}', "changed": "{n} + 1",
}
PYTHON = {
    "trivial cell": "1 + 1", "setup": "import jax, jax.numpy as jnp\nf = jax.jit(lambda x: jnp.sin(x) * x + 1.0)\nf(1.0).block_until_ready()", "jit": "f(1.0)",
    "10,000 lines": 'for i in range(10000): print("line", i)', "10 MB": 'from IPython.display import display, HTML\ndisplay(HTML("x" * (10 << 20)))',
    "complete": "str.isal", "loop": 'print("looping", flush=True)\nwhile True: pass', "changed": "{n} + 1",
}


class Side:
    """One of the two kernels: how to start it, and what its cells are."""

    def __init__(self, start, jit_start, code: dict, by_message: bool) -> None:
        self.start, self.jit_start, self.code, self.by_message = start, jit_start, code, by_message
        self.rows: dict[str, list[float]] = {}

    def note(self, row: str, value: float) -> None:
        self.rows.setdefault(row, []).append(value)

    def once(self) -> None:
        k = self.start()
        self.note("start to kernel_info", k.started * 1e3)
        k.close()

    def open(self) -> None:
        self.kernel = self.start()
        self.kernel.cell(self.code["trivial cell"])
        time.sleep(1)
        self.note("idle memory (MB, PSS)", self.kernel.memory())
        self.tried = 0

    def round(self, cells: int) -> None:
        k, code = self.kernel, self.code
        for _ in range(cells):
            self.note("trivial cell", k.cell(code["trivial cell"]) * 1e3)
        for _ in range(cells):
            self.tried += 1
            self.note("trivial cell, new text", k.cell(code["changed"].format(n=self.tried)) * 1e3)
        self.note("10,000 lines", k.cell(code["10,000 lines"]) * 1e3)
        self.note("  (messages)", k.messages)
        self.note("10 MB display", k.cell(code["10 MB"]) * 1e3)
        for _ in range(4):
            self.note("completion", k.complete(code["complete"]) * 1e3)
        self.note("interrupt of a loop", k.interrupt(code["loop"], self.by_message) * 1e3)

    def jit(self) -> None:
        self.kernel.close()
        self.kernel = self.jit_start()
        self.kernel.cell(self.code["setup"])

    def jit_round(self, cells: int) -> None:
        for _ in range(cells):
            self.note("warm jitted call", self.kernel.cell(self.code["jit"]) * 1e3)


ROUNDS = 5


def measure(sides: list[Side], cells: int, with_jit: bool) -> None:
    """Both kernels take turns in each row, so that the machine's load is the same for both."""

    def turns(n: int, f) -> None:
        for i in range(n):
            for side in sides if i % 2 == 0 else sides[::-1]:
                f(side)

    turns(ROUNDS, Side.once)
    turns(1, Side.open)
    turns(ROUNDS, lambda side: side.round(cells // ROUNDS))
    if with_jit:
        turns(1, Side.jit)
        turns(ROUNDS, lambda side: side.jit_round(cells // ROUNDS))
    turns(1, lambda side: side.kernel.close())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--gopherlo", default=str(ROOT / "build" / "bin" / "gopherlo"))
    parser.add_argument("--jax", default=sys.executable)
    parser.add_argument("--cells", type=int, default=200)
    args = parser.parse_args()
    ours = [args.gopherlo, "kernel", "-f", "{connection_file}", "--no-history"]
    theirs = ["-m", "ipykernel_launcher", "-f", "{connection_file}"]
    # Another Python's jax with this one's ipykernel.
    extra = {} if args.jax == sys.executable else {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p.endswith("site-packages"))}
    has_jax = subprocess.run([args.jax, "-c", "import importlib.util as u, sys; sys.exit(u.find_spec('jax') is None)"]).returncode == 0
    go = Side(lambda: Kernel(ours), lambda: Kernel(ours), GO, True)
    py = Side(lambda: Kernel([sys.executable, *theirs]), lambda: Kernel([args.jax, *theirs], {**extra, "JAX_PLATFORMS": "cpu"}), PYTHON, False)
    measure([go, py], args.cells, has_jax)
    print(f"{'ms, median':28}{'gopherlo':>10}{'ipykernel':>11}{'ratio':>8}   (load {os.getloadavg()[0]:.1f})")
    for name in go.rows:
        ours, theirs = statistics.median(go.rows[name]), statistics.median(py.rows[name])
        print(f"{name:28}{ours:10.2f}{theirs:11.2f}{ours / theirs:8.3f}")


if __name__ == "__main__":
    main()
