"""JupyterLab in headless Chromium: what a person does to a kernel.

Interrupt, restart, complete, inspect, a progress bar that survives a reload of the page,
and an indicator that stays busy. Environment and screenshots as in browser_lab.py; the
pictures are build/lab-kernel-*.png.
"""

import json
import os
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import browser_lab  # noqa: E402
from browser_lab import BUILD, ROOT, Server, chromium  # noqa: E402

CELLS = [
    'bar := display.NewWidgetBar(40, "training")\nbar',
    'for i := range 40 {\n\tbar.Set(i + 1)\n\ttime.Sleep(10 * time.Millisecond)\n}\nbar.Done(true)\nx := 7',
    'fmt.Println("looping")\nfor {\n}',
    "x",
    "jnp.Sinh",
    'for i := range 300 {\n\tfmt.Println("turn", i)\n\ttime.Sleep(50 * time.Millisecond)\n}',
]


class Kernel(unittest.TestCase):
    """One page for all tests; they run in the order of their numbers."""

    @classmethod
    def setUpClass(cls):
        browser = chromium()
        if browser is None:
            raise unittest.SkipTest("no Chromium found (Debian: apt-get install chromium; or set CHROMIUM)")
        from playwright.sync_api import sync_playwright

        BUILD.mkdir(exist_ok=True)
        path = BUILD / "kernel-test.ipynb"
        path.write_text(json.dumps({
            "nbformat": 4, "nbformat_minor": 5,
            "metadata": {"kernelspec": {"name": "gopherlo", "display_name": "Go (XLA)", "language": "go"}},
            "cells": [{"cell_type": "code", "id": f"c{n}", "metadata": {}, "execution_count": None, "outputs": [], "source": s} for n, s in enumerate(CELLS)],
        }))
        first, browser_lab.NOTEBOOK = browser_lab.NOTEBOOK, path
        try:
            cls.server = Server()
        finally:
            browser_lab.NOTEBOOK = first
        cls.addClassCleanup(cls.server.close)
        driver = sync_playwright().start()
        cls.addClassCleanup(driver.stop)
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        window = driver.chromium.launch(executable_path=browser, args=flags)
        cls.addClassCleanup(window.close)
        cls.page = window.new_page(viewport={"width": 1280, "height": 900})
        cls.page.set_default_timeout(30000)
        cls.open()

    @classmethod
    def open(cls):
        cls.page.goto(cls.server.url("lab/tree/kernel-test.ipynb"))
        cls.page.locator(".jp-NotebookPanel .jp-Notebook").wait_for(timeout=60000)
        cls.status("Idle")
        cls.page.wait_for_timeout(1000)

    @classmethod
    def status(cls, word):
        cls.page.get_by_text(re.compile(rf"\| {word}")).first.wait_for(timeout=60000)

    def cell(self, n):
        return self.page.locator(".jp-NotebookPanel .jp-CodeCell").nth(n)

    def run_cell(self, n, wait=True):
        cell = self.cell(n)
        before = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        if wait:
            self.page.wait_for_function(
                "([n, before]) => { const p = document.querySelectorAll('.jp-NotebookPanel .jp-CodeCell')[n].querySelector('.jp-InputPrompt').innerText;"
                " return /\\[\\d+\\]/.test(p) && p !== before }", arg=[n, before])
        return cell

    def picture(self, name):
        self.page.screenshot(path=BUILD / f"lab-kernel-{name}.png")

    def bar(self):
        return self.cell(0).locator(".widget-hprogress .progress-bar, .jupyter-widgets .progress-bar").first

    def width(self):
        return self.bar().evaluate("e => e.getBoundingClientRect().width / e.parentElement.getBoundingClientRect().width")

    def test_1_progress_bar(self):
        self.run_cell(0)
        self.bar().wait_for(state="attached")
        self.run_cell(1)
        self.page.wait_for_timeout(500)
        self.picture("progress")
        self.assertGreater(self.width(), 0.95)
        self.assertIn("progress-bar-success", self.bar().get_attribute("class"))

    def test_2_complete(self):
        cell = self.cell(4)
        cell.locator(".cm-content").click()
        self.page.keyboard.press("End")
        for _ in range(2):
            self.page.keyboard.press("Backspace")
        self.page.keyboard.press("Tab")
        self.page.locator(".jp-Completer").wait_for()
        self.picture("complete")
        self.assertIn("Sinh", self.page.locator(".jp-Completer").inner_text())
        self.page.keyboard.press("Escape")

    def test_3_inspect(self):
        cell = self.cell(4)
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type("jnp.Sinh", delay=20)
        self.page.keyboard.press("Escape")
        cell.locator(".cm-content").click()
        self.page.keyboard.press("End")
        self.page.keyboard.press("Shift+Tab")
        self.page.locator(".jp-Tooltip").wait_for()
        self.picture("inspect")
        self.assertIn("Sinh", self.page.locator(".jp-Tooltip").inner_text())
        self.page.keyboard.press("Escape")

    def type_into(self, n, text):
        """Write the text of a cell anew; the cursor is behind it."""
        self.cell(n).locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(text)  # brackets are not closed by themselves

    def test_3_flags_with_documentation(self):
        """In compiler options the completer shows the plugin's flags, and what each is for."""
        self.type_into(4, 'jit(jnp.Sin, compiler_options{"xla_cpu_enable_fast_')
        self.page.keyboard.press("Tab")
        self.page.locator(".jp-Completer-item").first.wait_for()
        panel = self.page.locator(".jp-Completer-docpanel")
        panel.get_by_text("unsafe fast-math").wait_for()
        self.picture("flags")
        items = self.page.locator(".jp-Completer").inner_text()
        self.assertIn("xla_cpu_enable_fast_min_max", items)
        self.assertIn("bool", items)
        self.assertIn("xla_cpu_enable_fast_math  bool", panel.inner_text())
        self.page.keyboard.press("Escape")

    def test_3_hlo_with_documentation(self):
        """In the text of a module the completer shows operations, and what each does."""
        self.type_into(4, "%%hlo\nHloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] mul")
        self.page.keyboard.press("Tab")
        self.page.locator(".jp-Completer-item").first.wait_for()
        self.page.locator(".jp-Completer-docpanel").get_by_text("of the product of each pair").wait_for()
        self.picture("hlo")
        self.assertIn("multiply", self.page.locator(".jp-Completer").inner_text())
        self.page.keyboard.press("Escape")

    def test_4_interrupt_keeps_values(self):
        cell = self.run_cell(2, wait=False)
        cell.get_by_text("looping").wait_for()
        self.status("Busy")
        # The shortcut is I twice, and people press it more often.
        self.page.keyboard.press("Escape")
        for _ in range(4):
            self.page.keyboard.press("i")
        cell.get_by_text("KeyboardInterrupt").first.wait_for()
        self.status("Idle")
        self.picture("interrupt")
        shown = self.run_cell(3).locator(".jp-OutputArea-output").last
        self.assertEqual(shown.inner_text().strip(), "7")

    def test_5_busy_while_a_completion_is_answered(self):
        """The protocol ends each request with idle; the busy of the cell follows at once, so that
        the indicator does not rest on Idle until the cell's end, 15 s later."""
        cell = self.run_cell(5, wait=False)
        cell.get_by_text("turn 3").wait_for()
        other = self.cell(4)
        other.locator(".cm-content").click()
        self.page.keyboard.press("End")
        self.page.keyboard.press("Tab")
        self.page.locator(".jp-Completer-item").first.wait_for()
        for _ in range(20):
            self.page.locator("#jp-main-statusbar").get_by_text("| Busy").wait_for(timeout=5000)
            self.page.wait_for_timeout(50)
        self.picture("busy")
        self.assertIn("[*]", cell.locator(".jp-InputPrompt").inner_text(), "the cell has ended meanwhile")
        self.page.keyboard.press("Escape")
        # The value that the last cell has left is shown beside the running one.
        self.type_into(4, "x")
        self.page.keyboard.press("Shift+Tab")
        self.page.locator(".jp-Tooltip").get_by_text("another cell is running").wait_for()
        self.picture("inspect-busy")
        self.assertIn("= 7", self.page.locator(".jp-Tooltip").inner_text())
        self.assertIn("[*]", cell.locator(".jp-InputPrompt").inner_text(), "the cell has ended meanwhile")
        self.page.keyboard.press("Escape")

    def test_6_reload_during_a_cell(self):
        """The page comes back to the running kernel, and the bar to its state."""
        self.page.keyboard.press("Control+s")
        self.page.wait_for_timeout(500)
        self.page.reload()
        self.page.locator(".jp-NotebookPanel .jp-Notebook").wait_for(timeout=60000)
        self.status("Busy")
        self.bar().wait_for(state="attached", timeout=15000)
        self.picture("reload-busy")
        self.status("Idle")
        self.picture("reload")
        self.assertGreater(self.width(), 0.95)
        self.assertEqual(self.run_cell(3).locator(".jp-OutputArea-output").last.inner_text().strip(), "7")

    def test_7_restart(self):
        self.page.get_by_role("menuitem", name="Kernel", exact=True).click()
        self.page.get_by_role("menuitem", name=re.compile("^Restart Kernel…")).click()
        self.page.get_by_role("button", name="Confirm Kernel Restart").click()
        self.page.wait_for_timeout(1500)
        self.status("Idle")
        cell = self.run_cell(3)
        cell.get_by_text("undefined: x").first.wait_for()
        self.picture("restart")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "notebooks"))
    import run

    run.project_environment()
    unittest.main()
