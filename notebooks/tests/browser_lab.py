"""JupyterLab in headless Chromium opens the notebook, runs all cells, shows highlighted HLO.

Environment: CHROMIUM (default: the first of the usual names on PATH). The screenshots
are build/lab-*.png.
"""

import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import unittest
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
NOTEBOOK = Path(os.environ.get("GOPHERLO_NOTEBOOK", ROOT / "notebooks" / "01-controlling-xla.ipynb"))
EXPECTED_ERRORS = "raises-exception"


def chromium() -> str | None:
    for name in (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if name and shutil.which(name):
            return shutil.which(name)
    return None


class Server:
    """JupyterLab on a free port, on a copy of the notebook, with settings of its own."""

    def __init__(self) -> None:
        self.folder = BUILD / "lab"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        shutil.copy(NOTEBOOK, self.folder / NOTEBOOK.name)
        settings = BUILD / "jupyter" / "lab-test-settings"
        tracker = settings / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
        tracker.parent.mkdir(parents=True, exist_ok=True)
        # All cells in the page, so that the test can look at them.
        tracker.write_text('{"windowingMode": "none"}')
        news = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
        news.parent.mkdir(parents=True, exist_ok=True)
        news.write_text('{"fetchNews": "false", "checkForUpdates": false}')
        completer = settings / "@jupyterlab" / "completer-extension" / "manager.jupyterlab-settings"
        completer.parent.mkdir(parents=True, exist_ok=True)
        lab = json.loads((ROOT / "notebooks" / "lab-settings.json").read_text())  # those of make lab
        completer.write_text(json.dumps(lab["@jupyterlab/completer-extension:manager"]))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.token = secrets.token_hex(16)
        flags = [
            "--no-browser", "--ip=127.0.0.1", f"--port={self.port}", "--ServerApp.port_retries=0",
            f"--IdentityProvider.token={self.token}", f"--LabApp.user_settings_dir={settings}",
            f"--ServerApp.root_dir={self.folder}", "--LabApp.news_url=",
        ]
        if os.geteuid() == 0:
            flags.append("--allow-root")
        self.log = open(BUILD / "lab.log", "w")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *flags], stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT
        )
        self.wait()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}?token={self.token}"

    def wait(self) -> None:
        deadline = time.monotonic() + 300  # a loaded machine reads its packages for minutes
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                urllib.request.urlopen(self.url("api/status"), timeout=20)
                return
            except OSError:
                time.sleep(0.2)
        self.close()
        raise RuntimeError(f"JupyterLab did not start, see {BUILD / 'lab.log'}")

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class Lab(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        browser = chromium()
        if browser is None:
            raise unittest.SkipTest("no Chromium found (Debian: apt-get install chromium; or set CHROMIUM)")
        from playwright.sync_api import sync_playwright

        cls.server = Server()
        cls.addClassCleanup(cls.server.close)
        driver = sync_playwright().start()
        cls.addClassCleanup(driver.stop)
        # Chromium's sandbox does not work for root.
        flags = ["--no-sandbox"] if os.geteuid() == 0 else []
        window = driver.chromium.launch(executable_path=browser, args=flags)
        cls.addClassCleanup(window.close)
        cls.page = window.new_page(viewport={"width": 1480, "height": 940}, device_scale_factor=1)
        cls.page.goto(cls.server.url(f"lab/tree/{NOTEBOOK.name}"))
        cls.page.locator(".jp-NotebookPanel .jp-Notebook").wait_for(timeout=60000)
        cls.run_all()

    @classmethod
    def prompts(cls):
        return [p.strip() for p in cls.page.locator(".jp-CodeCell .jp-InputPrompt").all_inner_texts()]

    @classmethod
    def run_all(cls):
        """Run all cells. JupyterLab forgets cells that are asked for while it still
        connects to the kernel, so a run that stands still is started again."""
        page = cls.page
        page.get_by_text("| Idle").wait_for(timeout=60000)
        for _ in range(3):
            page.wait_for_timeout(1000)
            page.get_by_role("menuitem", name="Run", exact=True).click()
            page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
            if cls.finished():
                return
        page.screenshot(path=BUILD / "lab-stuck.png")
        raise AssertionError(f"cells did not finish: {cls.prompts()} (build/lab-stuck.png)")

    @classmethod
    def finished(cls) -> bool:
        """Wait until every cell has a number, or none has been running for 10 s."""
        last_change, before = time.monotonic(), []
        while time.monotonic() - last_change < 10 or "[*]:" in before:
            prompts = cls.prompts()
            if prompts and all(p.strip("[]:").isdigit() for p in prompts):
                return True
            if prompts != before:
                last_change, before = time.monotonic(), prompts
            if time.monotonic() - last_change > 120:
                return False
            time.sleep(0.3)
        return False

    def test_every_cell_ran_in_order(self):
        counts = [int(p.strip("[]:")) for p in self.prompts()]
        self.assertEqual(counts, list(range(counts[0], counts[0] + len(counts))))

    def test_only_expected_errors(self):
        """Save in the browser and look at what JupyterLab wrote."""
        import nbformat

        copy = self.server.folder / NOTEBOOK.name
        before = copy.stat().st_mtime_ns
        self.page.locator(".jp-NotebookPanel").click(position={"x": 5, "y": 300})
        self.page.keyboard.press("Control+s")
        deadline = time.monotonic() + 20
        while copy.stat().st_mtime_ns == before and time.monotonic() < deadline:
            time.sleep(0.1)
        time.sleep(0.2)
        for cell in nbformat.read(copy, as_version=4).cells:
            if cell.cell_type == "code":
                failed = any(output.output_type == "error" for output in cell.outputs)
                self.assertEqual(failed, EXPECTED_ERRORS in cell.metadata.get("tags", []), cell.source)

    def test_hlo_is_highlighted(self):
        code = self.page.locator(".gopherlo-code[data-language='hlo']")
        self.assertGreater(code.count(), 0)
        tag = self.page.locator(".gopherlo-code .m").first
        tag.scroll_into_view_if_needed()
        colours = tag.evaluate("e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor, getComputedStyle(e.closest('pre')).color]")
        self.assertNotEqual(colours[0], colours[2], "the attribute has the colour of plain text")
        self.assertNotIn(colours[1], ("rgba(0, 0, 0, 0)", "transparent"))
        self.page.screenshot(path=BUILD / "lab-hlo.png")

    def test_folding(self):
        block = self.page.locator(".gopherlo-code details").first
        block.locator("summary").click()
        self.assertFalse(block.locator("pre").is_visible())
        block.locator("summary").click()
        self.assertTrue(block.locator("pre").is_visible())

    def test_tabs(self):
        """The value of f.Lower(…) has a tab for each stage, and its lines know where they come from."""
        form = self.page.locator(".gopherlo-programs").first
        form.scroll_into_view_if_needed()

        def shown():
            panes = form.locator("section")
            return [i for i in range(panes.count()) if panes.nth(i).is_visible()]

        tabs = form.locator("label").all_inner_texts()
        self.assertEqual(tabs, ["Go", "Jaxpr", "StableHLO", "HLO"])
        self.assertEqual(shown(), [3])
        line = form.locator("section").nth(3).locator(".L0")
        plain = line.first.evaluate("e => getComputedStyle(e).backgroundColor")
        line.first.hover()
        lit = [e.evaluate("e => getComputedStyle(e).backgroundColor") for e in line.all()]
        self.assertGreater(len(lit), 1)
        self.assertNotIn(plain, lit, "lines from the same place light up together")
        for i, tab in enumerate(tabs):
            form.locator("label").nth(i).click()
            self.assertEqual(shown(), [i], tab)
        self.assertIn("stablehlo.sine", form.locator("section").nth(2).inner_text() or form.locator("section").nth(2).text_content())
        form.locator("label").first.click()
        self.page.screenshot(path=BUILD / "lab-tabs.png")

    def test_picture_of_a_cell(self):
        """The README's picture: the first cell that shows a tagged block."""
        cell = self.page.locator(".jp-CodeCell").filter(has=self.page.locator(".gopherlo-code .m")).first
        cell.scroll_into_view_if_needed()
        self.page.evaluate("document.querySelectorAll('.gopherlo-code').forEach(e => { e.scrollLeft = 0 })")
        cell.screenshot(path=BUILD / "lab-cell.png")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "notebooks"))
    import run

    run.project_environment()
    unittest.main()
