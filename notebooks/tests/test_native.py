"""Programs that no Go code can stop: interrupts and deaths inside XLA and in shell commands."""

import os
import signal
import sys
import time
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

from client import Session  # noqa: E402

# A compiled loop of 10^12 turns: hours.
SPIN = """spin := jit(func(x Array) Array {
	return lax.ForiLoop(0, 1000000, func(i, x Array) Array {
		return lax.ForiLoop(0, 1000000, func(j, y Array) Array { return jnp.Sin(y).Add(1.0) }, x)
	}, x)
})"""
RUN = 'fmt.Println("spinning")\nspin(1.0).BlockUntilReady()'
MARK = "GOPHERLO_TEST_MARK"


def marked(mark: str) -> list[int]:
    """The living processes that carry the mark in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes():
                if (folder / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                    found.append(int(folder.name))
        except OSError:
            continue
    return found


class NativeTest(unittest.TestCase):
    def setUp(self):
        self.mark = f"{os.getpid()}-{time.monotonic_ns()}"
        self.session = Session(env={MARK: self.mark})
        self.addCleanup(self.session.close)

    def started(self, code: str, text: str) -> str:
        """Start a cell and wait until it has printed text."""
        msg_id = self.session.start(code)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            message = self.session.client.get_iopub_msg(timeout=30)
            if message["msg_type"] == "stream" and text in message["content"]["text"]:
                return msg_id
            self.assertNotEqual(message["msg_type"], "error", message["content"])
        self.fail(f"{text!r} was not printed")


class Interrupts(NativeTest):
    def test_compiled_loop(self):
        """The interrupt is announced, the grace time passes, the next cell runs."""
        self.session.run("%interrupt grace 3s\nkept := 7\n" + SPIN)
        msg_id = self.started(RUN, "spinning")
        time.sleep(0.5)
        start = time.monotonic()
        self.session.manager.interrupt_kernel()
        outcome = self.session.finish(msg_id, timeout=30)
        self.assertLess(time.monotonic() - start, 3 + 1 + 3)
        self.assertEqual(outcome.status, "error")
        self.assertIn("KeyboardInterrupt", outcome.error)
        self.assertRegex(outcome.stream("stderr"), r"in native code .*kill in 3s, or interrupt again now; state will be lost")
        self.assertEqual(self.session.run("6 * 7").result, "42")
        self.assertIn("replayed", self.session.run("%replay").stream("stdout"))
        self.assertEqual(self.session.run("kept").result, "7")

    def test_second_interrupt_kills_at_once(self):
        self.session.run(SPIN)
        msg_id = self.started(RUN, "spinning")
        time.sleep(0.5)
        self.session.manager.interrupt_kernel()
        time.sleep(1.5)  # two within a second are one
        start = time.monotonic()
        self.session.manager.interrupt_kernel()
        outcome = self.session.finish(msg_id, timeout=30)
        self.assertLess(time.monotonic() - start, 3)
        self.assertIn("KeyboardInterrupt", outcome.error)
        self.assertEqual(self.session.run("6 * 7").result, "42")

    def test_go_loop_keeps_values(self):
        self.session.run("kept := 7")
        msg_id = self.started('fmt.Println("looping")\ni := 0\nfor {\n\ti++\n}', "looping")
        self.session.manager.interrupt_kernel()
        self.session.manager.interrupt_kernel()  # quickly: one interrupt
        self.assertIn("KeyboardInterrupt", self.session.finish(msg_id, timeout=10).error)
        self.assertEqual(self.session.run("kept").result, "7")
        self.assertEqual(self.session.run("i > 0").result, "true")

    def test_queue_is_aborted(self):
        first = self.started('fmt.Println("looping")\nfor {\n}', "looping")
        second = self.session.start("never := 1")
        time.sleep(0.3)
        self.session.manager.interrupt_kernel()
        self.assertEqual(self.session.finish(first, timeout=10).status, "error")
        self.assertEqual(self.session.finish(second, timeout=10).status, "aborted")

    def test_shell_command(self):
        msg_id = self.started('fmt.Println("sleeping")\n!sleep 1000', "sleeping")
        time.sleep(0.3)
        start = time.monotonic()
        self.session.manager.interrupt_kernel()
        self.session.finish(msg_id, timeout=15)
        self.assertLess(time.monotonic() - start, 5)


class Orphans(NativeTest):
    def assert_none_left(self):
        os.kill(self.session.pid, signal.SIGKILL)
        deadline = time.monotonic() + 2
        while time.monotonic() < deadline and marked(self.mark):
            time.sleep(0.05)
        self.assertEqual(marked(self.mark), [])

    def test_kernel_killed_while_xla_runs(self):
        self.session.run(SPIN)
        self.started(RUN, "spinning")
        time.sleep(0.5)
        self.assertEqual(len(marked(self.mark)), 2)
        self.assert_none_left()

    def test_kernel_killed_while_a_command_runs(self):
        self.started('fmt.Println("sleeping")\n!sleep 1000', "sleeping")
        time.sleep(0.5)
        self.assertGreaterEqual(len(marked(self.mark)), 3)
        self.assert_none_left()


class Order(NativeTest):
    ROUNDS = int(os.environ.get("GOPHERLO_ROUNDS", "1000"))

    def test_rounds(self):
        """print, display, print, stderr, native text, done: the Go-level order is the program's."""
        code = (
            'fmt.Println("a")\ndisplay.Show(display.Markdown("b"))\nfmt.Println("c")\n'
            'fmt.Fprintln(os.Stderr, "d")\nnative.WriteString("n\\n")\n1 + 2'
        )
        self.session.run("native := os.NewFile(1, \"native\")")
        for n in range(self.ROUNDS):
            outcome = self.session.run(code)
            got = []
            for message in outcome.messages:
                content = message["content"]
                if message["msg_type"] == "stream":
                    got += [(content["name"], line) for line in content["text"].splitlines()]
                elif message["msg_type"] == "display_data":
                    got.append(("display", content["data"]["text/plain"]))
                elif message["msg_type"] == "execute_result":
                    got.append(("result", content["data"]["text/plain"]))
            self.assertEqual(got.count(("stdout", "n")), 1, f"round {n}: {got}")
            got.remove(("stdout", "n"))
            self.assertEqual(got, [("stdout", "a"), ("display", "b"), ("stdout", "c"), ("stderr", "d"), ("result", "3")], f"round {n}")

    def test_late_output_goes_to_its_cell(self):
        """Goroutines of three finished cells print to their own cells while a fourth runs."""
        cells = [
            self.session.start(f'go func() {{\n\tfor i := range 20 {{\n\t\ttime.Sleep(20 * time.Millisecond)\n\t\tfmt.Println("late{n}", i)\n\t}}\n}}()')
            for n in range(3)
        ]
        fourth = self.session.start('for i := range 20 {\n\ttime.Sleep(30 * time.Millisecond)\n\tfmt.Println("own", i)\n}')
        text = {}
        deadline = time.monotonic() + 3
        while time.monotonic() < deadline:
            try:
                message = self.session.client.get_iopub_msg(timeout=0.2)
            except Exception:  # queue.Empty
                continue
            if message["msg_type"] == "stream":
                parent = message["parent_header"]["msg_id"]
                text[parent] = text.get(parent, "") + message["content"]["text"]
        for n, cell in enumerate(cells):
            self.assertEqual(text.get(cell), "".join(f"late{n} {i}\n" for i in range(20)))
        self.assertEqual(text.get(fourth), "".join(f"own {i}\n" for i in range(20)))


if __name__ == "__main__":
    import run

    run.project_environment()
    unittest.main()
