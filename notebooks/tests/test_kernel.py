"""The kernel as a plain jupyter_client script sees it: results, order, bad input, deaths."""

import os
import re
import signal
import sys
import time
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1])]

from client import Session, children  # noqa: E402


class KernelTest(unittest.TestCase):
    """One kernel for the tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.session = Session()
        cls.addClassCleanup(cls.session.close)

    def run_cell(self, code, **options):
        return self.session.run(code, **options)

    def assert_alive(self):
        outcome = self.run_cell("6 * 7")
        self.assertEqual((outcome.status, outcome.result), ("ok", "42"))


class Basics(KernelTest):
    def test_kernel_info(self):
        self.session.client.kernel_info()
        content = self.session.client.get_shell_msg(timeout=10)["content"]
        self.assertEqual(content["status"], "ok")
        self.assertEqual(content["language_info"]["name"], "go")
        self.assertEqual(content["language_info"]["file_extension"], ".go")

    def test_streams_and_result(self):
        outcome = self.run_cell('import "os"\nfmt.Println("out")\nfmt.Fprintln(os.Stderr, "err")\n1 + 2')
        self.assertEqual(outcome.stream("stdout"), "out\n")
        self.assertEqual(outcome.stream("stderr"), "err\n")
        self.assertEqual(outcome.result, "3")

    def test_semicolon_hides_the_result(self):
        self.assertIsNone(self.run_cell("1 + 2;").result)

    def test_declarations_and_statements_mix(self):
        outcome = self.run_cell("x := 2\nfunc double(n int) int { return 2 * n }\nx = double(x)\ntype point struct{ a, b int }\npoint{x, 1}")
        self.assertEqual(outcome.error, "")
        self.assertIn("4", outcome.result)
        self.assertEqual(self.run_cell("x := x + 1\nx").result, "5")

    def test_redefinition_is_seen_by_callers(self):
        self.run_cell("func inner() int { return 1 }\nfunc outer() int { return inner() }")
        self.run_cell("func inner() int { return 2 }")
        self.assertEqual(self.run_cell("outer()").result, "2")

    def test_is_complete(self):
        for code, want in (("1 + 2", "complete"), ("func f() {", "incomplete"), ("x := (", "incomplete"), ("func )", "invalid")):
            with self.subTest(code):
                self.session.client.is_complete(code)
                content = self.session.client.get_shell_msg(timeout=10)["content"]
                self.assertEqual(content["status"], want)

    def test_array_result(self):
        outcome = self.run_cell("jit(func(x Array) Array { return jnp.Sin(x).Mul(x) })(2.0)")
        self.assertEqual(outcome.error, "")
        self.assertRegex(outcome.result, r"^Array\(1\.81859\d*, dtype=float32, weak_type=True\)$")

    def test_hlo_comes_with_html(self):
        data = self.run_cell('jit(jnp.Sin).Lower(1.0).AsText("hlo")').data
        self.assertTrue(data["text/plain"].startswith("HloModule jit_sin"), data)
        self.assertIn("<details", data["text/html"])


class BadInput(KernelTest):
    """Each gives its error with the cell's line, and the kernel runs on."""

    def assert_error(self, code, pattern, line=None):
        outcome = self.run_cell(code)
        self.assertEqual(outcome.status, "error", f"{code!r} gave {outcome.result!r}")
        self.assertRegex(outcome.error, re.compile(pattern, re.S))
        if line is not None:
            self.assertRegex(outcome.traceback, rf"(?i)(line {line}\b|:{line}\b)")
        self.assert_alive()

    def test_unknown_option(self):
        self.assert_error(
            'jit(func(x Array) Array { return jnp.Tanh(x) }, compiler_options{"not_a_flag_here": 1})(0.25)',
            r"^JaxRuntimeError: INVALID_ARGUMENT: No such compile option: 'not_a_flag_here'$",
        )

    def test_bad_value(self):
        self.assert_error(
            'jit(jnp.Sin, compiler_options{"xla_embed_ir_in_executable": "banana"})(1.0)',
            r"^JaxRuntimeError: INVALID_ARGUMENT: While setting option xla_embed_ir_in_executable, 'banana' is not a valid bool value\.$",
        )

    def test_bad_effort(self):
        self.assert_error('jit(jnp.Sin, compiler_options{"optimization_level": "O4"})(1.0)', r"^ValueError: 'O4' is not a valid CompilerEffortLevel$")

    def test_options_on_an_inner_jit(self):
        self.assert_error(
            'a := jit(jnp.Sin, compiler_options{"xla_embed_ir_in_executable": true})\njit(func(x Array) Array { return a(x) })(1.0)',
            r"^ValueError: `compiler_options` can only be passed to top-level `jax\.jit`",
            line=2,
        )

    def test_shapes(self):
        self.assert_error(
            "jit(func(x, y Array) Array { return x.Add(y) })([]float32{1, 2}, []float32{1, 2, 3})",
            r"^\w+Error: .*(2,\).*\(3,\))",
        )

    def test_condition_on_a_traced_value(self):
        self.assert_error(
            "jit(func(x Array) Array {\n\tif x.Gt(0.).Bool() {\n\t\treturn x\n\t}\n\treturn x.Neg()\n})(1.0)",
            r"^TracerBoolConversionError: ",
        )

    def test_compile_errors_come_all_at_once(self):
        outcome = self.run_cell('a := 1 +\n"x"\nb := undefinedName\nc := missing.Thing')
        self.assertEqual(outcome.status, "error")
        for word in ("undefinedName", "missing"):
            self.assertIn(word, outcome.traceback)
        self.assert_alive()

    def test_panic(self):
        self.assert_error('\npanic("on purpose")', "on purpose", line=2)

    def test_index_out_of_range(self):
        self.assert_error("s := []int{1}\ni := 5\ns[i]", "index out of range", line=3)

    def test_exit_ends_the_cell_only(self):
        self.run_cell("kept := 5")
        self.assert_error('import "os"\nos.Exit(3)', r"(?i)exit")
        self.assertEqual(self.run_cell("kept").result, "5")


class Deaths(unittest.TestCase):
    """A dead worker is reported, replaced, and the next cell runs."""

    def setUp(self):
        self.session = Session()
        self.addCleanup(self.session.close)

    def assert_alive(self):
        outcome = self.session.run("6 * 7")
        self.assertEqual((outcome.status, outcome.result), ("ok", "42"))

    def worker(self):
        workers = children(self.session.pid)
        self.assertTrue(workers, "the kernel has no worker")
        return workers[0]

    def test_kill_during_a_cell(self):
        msg_id = self.session.start('import "time"\nfmt.Println("started")\ntime.Sleep(60 * time.Second)')
        time.sleep(1)
        os.kill(self.worker(), signal.SIGKILL)
        outcome = self.session.finish(msg_id, timeout=20)
        self.assertEqual(outcome.status, "error")
        self.assertIn("started", outcome.stream("stdout"))
        self.assertRegex(outcome.error, r"(?i)kill")
        self.assertRegex(outcome.error + outcome.traceback, r"(?i)lost")
        self.assert_alive()

    def test_kill_between_cells(self):
        self.session.run("x := 1")
        os.kill(self.worker(), signal.SIGKILL)
        time.sleep(0.5)
        self.assert_alive()

    def test_infinite_recursion(self):
        outcome = self.session.run("func down(n int) int { return down(n+1) + 1 }\ndown(0)", timeout=60)
        self.assertEqual(outcome.status, "error")
        self.assertRegex(outcome.error + outcome.traceback, r"(?i)stack")
        self.assert_alive()

    def test_bad_xla_flags(self):
        outcome = self.session.run("%env XLA_FLAGS=--no_such_flag=1\njnp.Sin(1.0)")
        self.assertEqual(outcome.status, "error")
        self.assertIn("Unknown flag in XLA_FLAGS: --no_such_flag=1", outcome.error)
        self.assert_alive()
        outcome = self.session.run("%env XLA_FLAGS=\njnp.Sin(1.0)")
        self.assertEqual(outcome.error, "")

    def test_interrupt(self):
        msg_id = self.session.start("i := 0\nfor {\n\ti++\n}")
        time.sleep(1)
        self.session.manager.interrupt_kernel()
        outcome = self.session.finish(msg_id, timeout=20)
        self.assertEqual(outcome.status, "error")
        self.assertIn("KeyboardInterrupt", outcome.error)
        self.assert_alive()

    def test_nothing_is_left_after_shutdown(self):
        worker, pid = self.worker(), self.session.pid
        self.session.close()
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and any(os.path.exists(f"/proc/{p}") and not zombie(p) for p in (worker, pid)):
            time.sleep(0.05)
        for process in (worker, pid):
            self.assertTrue(not os.path.exists(f"/proc/{process}") or zombie(process), f"process {process} is still there")

    def test_no_orphan_when_the_kernel_is_killed(self):
        worker = self.worker()
        os.kill(self.session.pid, signal.SIGKILL)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and os.path.exists(f"/proc/{worker}") and not zombie(worker):
            time.sleep(0.05)
        self.assertTrue(not os.path.exists(f"/proc/{worker}") or zombie(worker))


def zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


class Order(KernelTest):
    ROUNDS = 2000

    def test_output_keeps_the_order_of_the_program(self):
        """print, display, print, stderr, result, many times: in order, nothing after idle."""
        self.run_cell('import "os"')
        per_cell = 100
        for first in range(0, self.ROUNDS, per_cell):
            code = (
                f"for i := {first}; i < {first + per_cell}; i++ {{\n"
                '\tfmt.Println("a", i)\n\tdisplay.Show(i)\n\tfmt.Println("b", i)\n\tfmt.Fprintln(os.Stderr, "c", i)\n}\n'
                f'"end {first}"'
            )
            outcome = self.run_cell(code)
            self.assertEqual(outcome.status, "ok", outcome.error)
            self.assertEqual(self.events(outcome), self.expected(first, per_cell))
            self.assertEqual(outcome.result, f"end {first}")

    def test_nothing_after_idle(self):
        outcome = self.run_cell('for i := 0; i < 1000; i++ {\n\tfmt.Println(i)\n}\n"end"', linger=1)
        self.assertEqual(outcome.late, [])
        self.assertEqual(outcome.stream("stdout").splitlines(), [str(i) for i in range(1000)])

    @staticmethod
    def expected(first, count):
        events = []
        for i in range(first, first + count):
            events += [("stdout", f"a {i}"), ("display", str(i)), ("stdout", f"b {i}"), ("stderr", f"c {i}")]
        return events + [("result", f"end {first}")]

    @staticmethod
    def events(outcome):
        events = []
        for message in outcome.messages:
            content = message["content"]
            if message["msg_type"] == "stream":
                events += [(content["name"], line) for line in content["text"].splitlines()]
            elif message["msg_type"] == "display_data":
                events.append(("display", content["data"]["text/plain"]))
            elif message["msg_type"] == "execute_result":
                events.append(("result", content["data"]["text/plain"]))
        return events


if __name__ == "__main__":
    import run

    run.project_environment()
    unittest.main()
