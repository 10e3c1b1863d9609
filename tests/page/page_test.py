#!/usr/bin/env python3
"""Tests of the page of decisions in a browser: content, keyboard, hostile names, 15,000 nodes, narrow screens, and errors.

Usage: page_test.py [--url BASE [--token TOKEN]] [--screenshots FOLDER] [--browser PROGRAM] [-k PATTERN]

Without --url the tests start fixture_server.py. With --url, the base URL before /explain, they look at a real scheduler, and skip
what depends on the names and numbers of the fixture. ScenarioTest looks at simulations that build/dev/bin/berthctl serves, or the
program that BERTHCTL names; without one it is skipped. Needs PyPI's playwright, and Debian's chromium-headless-shell or chromium.
"""
import argparse
import pathlib
import re
import sys
import unittest

from browser import Browser
from content_cases import ContentTest, ErrorsTest
from fixture_server import PAGE, served
from looks import audit, contrast_of, luminances
from page_case import RUN, VIEWS, PageTest
from scenario_cases import ScenarioTest
from use_cases import HostileTest, KeyboardTest, LargeTest, LooksTest, NarrowTest, ProxyTest

MOST_BYTES = 100 * 1024


class FilesTest(unittest.TestCase):
    def test_all_files_together_are_small(self):
        self.assertLessEqual(sum(len(served(file)) for file in PAGE.iterdir()), MOST_BYTES)

    def test_no_file_uses_what_the_policy_forbids(self):
        for file in PAGE.iterdir():
            text = file.read_text()
            with self.subTest(file=file.name):
                self.assertIsNone(re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|import\(", text))
                self.assertLess(text.count("\n"), 300)
                if file.suffix == ".html":
                    self.assertIsNone(re.search(r"\s(style|on[a-z]+)=|<style|<script(?![^>]* src=)", text))
                if file.suffix != ".html":
                    self.assertIsNone(re.search(r"https?://(?!www\.w3\.org/2000/svg)", text), "a file from elsewhere")

    def test_colors_of_text_have_contrast(self):
        css = (PAGE / "style.css").read_text()
        colors = luminances(css)
        pairs = [("text", "page"), ("text", "surface"), ("text", "raised"), ("muted", "page"), ("muted", "surface"), ("muted", "raised"),
                 ("accent", "surface"), ("accent", "page"), ("good", "good-back"), ("bad", "bad-back"), ("warn", "warn-back"), ("text", "warn-back")]
        for scheme in (0, 1):
            for front, back in pairs:
                with self.subTest(front=front, back=back, scheme=("light", "dark")[scheme]):
                    self.assertGreaterEqual(contrast_of(colors[front][scheme], colors[back][scheme]), 4.5)


class RealTest(PageTest):
    """What is true for each scheduler: the views show something, and nothing is wrong."""

    @classmethod
    def setUpClass(cls):
        cls.server, cls.base = None, (RUN.url or "").rstrip("/")
        if not RUN.url:
            super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        if cls.server:
            super().tearDownClass()

    def test_views(self):
        for view in ("cluster", "decisions", "pending", "policy", "try"):
            self.tab.visit(self.base, VIEWS[view].split("?")[0], "text=would move" if view == "try" else "text=Updated")
            self.assertEqual(self.tab.count(".error:not(:empty)"), 0, self.tab.text())
            self.assertEqual(audit(self.page), [])
            self.shoot(f"real-{view}")
            self.page.set_viewport_size({"width": 400, "height": 900})
            self.page.wait_for_function("() => document.documentElement.scrollWidth <= 400")
            self.page.set_viewport_size({"width": 1280, "height": 900})

    def test_from_a_decision_to_a_node(self):
        self.tab.visit(self.base, "#/decisions", "text=Updated")
        if self.tab.count("tbody tr") == 0:
            self.skipTest("there is no decision")
        self.page.click("button:has-text('Pause')")
        self.page.click("tbody tr >> nth=0 >> a >> nth=0")
        self.page.wait_for_selector("h1:has-text('Decision #')")
        self.page.wait_for_selector("dl.facts")
        self.assertEqual(self.tab.count(".error:not(:empty)"), 0, self.tab.text())
        self.shoot("real-decision")
        self.page.click("dl.facts a >> nth=0")
        self.page.wait_for_selector("h1:has-text('Pod ')")
        self.shoot("real-pod")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="", help="the base URL of a running scheduler, such as https://localhost:10259")
    parser.add_argument("--token", default="", help="a bearer token for it")
    parser.add_argument("--screenshots", type=pathlib.Path, help="a folder for pictures of the views")
    parser.add_argument("--browser", dest="program", help="the program of a Chromium")
    _, rest = parser.parse_known_args(namespace=RUN)
    if RUN.screenshots:
        RUN.screenshots.mkdir(parents=True, exist_ok=True)
    RUN.browser = Browser(RUN.program, RUN.token)
    try:
        done = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    finally:
        RUN.browser.close()
    sys.exit(not done.result.wasSuccessful())


if __name__ == "__main__":
    main()
