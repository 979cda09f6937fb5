"""Runs jupyter_kernel_test against the echo kernel."""
import unittest

import jupyter_kernel_test


class EchoTests(jupyter_kernel_test.KernelTests):
    kernel_name = "echo"
    language_name = "echo"
    file_extension = ".txt"
    code_hello_world = "print hello, world"
    code_stderr = "eprint oops"
    completion_samples = [{"text": "pri", "matches": {"print"}}]
    complete_code_samples = ["print a", "value b"]
    incomplete_code_samples = ["a\\"]
    invalid_code_samples = [")"]
    code_page_something = "page help"
    code_generate_error = "error no"
    code_execute_result = [{"code": "value 6", "result": "6"}]
    code_display_data = [{"code": "display x", "mime": "text/plain"}]
    code_history_pattern = "value ?*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "print"
    code_clear_output = "clear"


if __name__ == "__main__":
    unittest.main()
