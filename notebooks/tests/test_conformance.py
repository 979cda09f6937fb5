"""jupyter_kernel_test on Go cells. Its test of history ranges it skips for every kernel."""

import unittest

try:
    import jupyter_kernel_test
except ImportError:
    jupyter_kernel_test = None

Base = jupyter_kernel_test.KernelTests if jupyter_kernel_test else unittest.TestCase


@unittest.skipIf(jupyter_kernel_test is None, "jupyter_kernel_test is not installed (notebooks/requirements-test.txt)")
class Conformance(Base):
    kernel_name = "gopherlo"
    language_name = "go"
    file_extension = ".go"

    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "on stderr")'
    completion_samples = [{"text": "fmt.Printl", "matches": {"Println"}}, {"text": "jnp.Sinh", "matches": {"Sinh"}}]
    complete_code_samples = ["1 + 2", "x := 3", "func f() int {\n\treturn 1\n}", "%env", "for range 3 {\n}"]
    incomplete_code_samples = ["func f() {", "x := (1 +", "s := `raw", "/* comment"]
    invalid_code_samples = ["func )", "x := := 3"]
    code_page_something = "%help -p"
    code_generate_error = 'panic("on purpose")'
    code_execute_result = [{"code": "1 + 2", "result": "3"}, {"code": '"text"', "result": "text"}]
    code_display_data = [
        {"code": 'display.Show(display.HTML("<b>bold</b>"))', "mime": "text/html"},
        {"code": 'display.Show(display.JSON(map[string]any{"a": 1}))', "mime": "application/json"},
    ]
    code_inspect_sample = "fmt.Println"
    code_history_pattern = "1 ? 2"
    supported_history_operations = ("tail", "range", "search")
    code_clear_output = "display.Clear(false)"


del Base  # or it would be run as a test itself


if __name__ == "__main__":
    import sys
    from pathlib import Path

    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    import run

    run.project_environment()
    unittest.main()
