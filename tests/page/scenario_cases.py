"""The page over simulations of the scenarios, which berthctl serves, and over the decision logs that they write."""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from looks import audit
from page_case import RUN, VIEWS, PageTest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BERTHCTL = pathlib.Path(os.environ.get("BERTHCTL", ROOT / "build/dev/bin/berthctl"))
SCENARIOS = ["my-scheduler", "i-scheduler", "wyq-weights", "wyq-images", "not-ready"]


class Served:
    """A process of berthctl that serves the page; `base` is the URL before /explain."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([BERTHCTL, *arguments, "--serve=127.0.0.1:0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.base = ""
        for line in self.process.stderr:
            if found := re.match(r"Serving (http://\S+)/explain until interrupted", line):
                self.base = found[1]
                break

    def __enter__(self):
        return self.base

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.stderr.close()
        assert self.process.wait(10) == 0


class ScenarioTest(PageTest):
    @classmethod
    def setUpClass(cls):
        if RUN.url or not BERTHCTL.is_file():
            raise unittest.SkipTest(f"needs {BERTHCTL}, and no --url")

    @classmethod
    def tearDownClass(cls):
        pass

    def look_at(self, base, name):
        for view in ("cluster", "decisions", "pending", "policy"):
            self.tab.visit(base, VIEWS[view].split("?")[0], "text=Updated")
            self.assertEqual(self.tab.count(".error:not(:empty)"), 0, self.tab.text())
            self.assertEqual(audit(self.page), [])
            self.shoot(f"{name}-{view}")

    # From the newest decision to its pod; its text.
    def read_newest(self, base):
        self.tab.visit(base, "#/decisions", "tbody tr")
        self.page.click("tbody tr >> nth=0 >> a >> nth=0")
        self.page.wait_for_selector("h1:has-text('Decision #')")
        self.page.wait_for_selector(".funnel tbody tr")
        self.page.click("dl.facts a >> nth=0")
        self.page.wait_for_selector("h1:has-text('Pod ')")
        self.page.wait_for_selector(".summary")
        self.assertEqual(self.tab.count(".error:not(:empty)"), 0, self.tab.text())
        return self.tab.text(".summary")

    def test_scenarios(self):
        for name in SCENARIOS:
            with self.subTest(scenario=name), tempfile.TemporaryDirectory() as folder:
                path, log = ROOT / "tests/scenarios" / name, f"{folder}/log.jsonl"
                steps = [one for step in sorted(path.glob("step-*.yaml")) for one in ("--step", step)]
                with Served("simulate", "--config", path / "config.yaml", "-f", path / "cluster.yaml", *steps, "--decision-log", log) as base:
                    self.look_at(base, f"simulate-{name}")
                    self.assertIn("node", self.read_newest(base))
                with Served("why", "--decision-log", log) as base:
                    self.look_at(base, f"log-{name}")
                    self.assertIn("node", self.read_newest(base))
