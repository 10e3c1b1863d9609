"""What the tests of the page share: the views, and a test case with a server and a tab."""
import re
import threading
import types
import unittest

from fixture_server import serve

# The options of page_test.py, and its browser.
RUN = types.SimpleNamespace(url="", screenshots=None, browser=None)
VIEWS = {"cluster": "#/cluster", "verdicts": "#/cluster?color=verdict&node=node-17", "totals": "#/cluster?color=total&order=value&decision=399",
         "decisions": "#/decisions", "decision": "#/decision/399", "unschedulable": "#/decision/398", "pending": "#/pending?cause=NodeResourcesFit",
         "pod": "#/pod/default/web-60", "policy": "#/policy", "try": "#/try"}
# What shows that a view has read its answers.
READY = {"cluster": ".legend button", "verdicts": ".node-facts h3", "totals": ".legend button", "decisions": "tbody tr", "decision": ".funnel tbody tr",
         "unschedulable": ".funnel tbody tr", "pending": ".cause", "pod": ".summary", "policy": ".is-quarantined", "try": ".try tbody tr"}


class PageTest(unittest.TestCase):
    """A server and a tab for each test; a test fails if the tab has an error."""
    nodes = 60
    hostile = False
    prefix = ""
    tab_options = {}

    @classmethod
    def setUpClass(cls):
        if RUN.url:
            raise unittest.SkipTest("only with the fixture")
        cls.server, cls.base = serve(cls.nodes, cls.hostile, prefix=cls.prefix)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        self.tab = RUN.browser.open(**self.tab_options)
        self.page = self.tab.page
        self.expected_errors = ()

    def tearDown(self):
        violations = self.page.evaluate("window.__violations ?? []")
        errors = [one for one in self.tab.errors if not any(re.search(expected, one) for expected in self.expected_errors)]
        self.tab.close()
        self.assertEqual(violations + errors, [])

    def visit(self, view):
        self.tab.visit(self.base, VIEWS[view], READY[view])

    def shoot(self, name, **options):
        if RUN.screenshots:
            self.page.screenshot(path=RUN.screenshots / f"{name}.png", **options)
