#!/usr/bin/env python3
"""Tests of the page of decisions in a browser: content, keyboard, hostile names, 15,000 nodes, narrow screens, and errors.

Usage: page_test.py [--url BASE [--token TOKEN]] [--screenshots FOLDER] [--browser PROGRAM] [-k PATTERN]

Without --url the tests start fixture_server.py. With --url, the base URL before /explain, they look at a real scheduler, and skip
what depends on the names and numbers of the fixture. Needs PyPI's playwright, and Debian's chromium-headless-shell or chromium.
"""
import argparse
import pathlib
import re
import sys
import threading
import unittest

from browser import Browser
from fixture_cluster import HOSTILE
from fixture_server import PAGE, serve
from looks import audit, contrast_of, luminances

MOST_BYTES = 100 * 1024
MOST_DRAW_MS = 200
MOST_ELEMENTS = 6000
PROXY = "/api/v1/namespaces/explain/services/https:berth:10259/proxy"
VIEWS = {"cluster": "#/cluster", "verdicts": "#/cluster?color=verdict&node=node-17", "totals": "#/cluster?color=total&order=value&decision=399",
         "decisions": "#/decisions", "decision": "#/decision/399", "unschedulable": "#/decision/398", "pending": "#/pending?cause=NodeResourcesFit",
         "pod": "#/pod/default/web-60", "policy": "#/policy"}
# What shows that a view has read its answers.
READY = {"cluster": ".legend button", "verdicts": ".node-facts h3", "totals": ".legend button", "decisions": "tbody tr", "decision": ".funnel tbody tr",
         "unschedulable": ".funnel tbody tr", "pending": ".cause", "pod": ".summary", "policy": ".is-quarantined"}
OPTIONS = None
BROWSER = None


class PageTest(unittest.TestCase):
    """A server and a tab for each test; a test fails if the tab has an error."""
    nodes = 60
    hostile = False
    prefix = ""
    tab_options = {}

    @classmethod
    def setUpClass(cls):
        if OPTIONS.url:
            raise unittest.SkipTest("only with the fixture")
        cls.server, cls.base = serve(cls.nodes, cls.hostile, prefix=cls.prefix)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        self.tab = BROWSER.open(**self.tab_options)
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
        if OPTIONS.screenshots:
            self.page.screenshot(path=OPTIONS.screenshots / f"{name}.png", **options)


class FilesTest(unittest.TestCase):
    def test_all_files_together_are_small(self):
        self.assertLessEqual(sum(file.stat().st_size for file in PAGE.iterdir()), MOST_BYTES)

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


class ContentTest(PageTest):
    def test_cluster(self):
        self.visit("cluster")
        self.assertEqual(self.page.title(), "Cluster · Berth")
        self.assertIn("60 nodes", self.tab.text())
        self.assertIn("in 4 groups by topology.kubernetes.io/zone", self.page.get_attribute(".map-frame", "aria-label"))
        self.page.select_option("label:has-text('Color by') + select", "verdict")
        self.page.wait_for_selector(".legend >> text=NodeResourcesFit")
        self.page.select_option("label:has-text('Group by') + select", "kubernetes.io/arch")
        self.page.wait_for_selector("[aria-label*='in 2 groups by kubernetes.io/arch, colored by: Verdict']")
        self.assertIn("group=kubernetes.io%2Farch", self.page.url)
        self.page.click("summary:has-text('as a table')")
        self.page.wait_for_selector("details tbody tr")
        self.assertEqual(self.tab.count("details tbody tr"), 60)

    def test_pointer(self):
        self.visit("cluster")
        self.page.hover(".map-frame canvas", position={"x": 20, "y": 42})
        self.assertIn("node-0 · a · ", self.tab.text(".map-tip"))
        self.page.click(".map-frame canvas", position={"x": 20, "y": 42})
        self.assertEqual(self.tab.text(".side h2"), "node-0")
        self.assertIn("node=node-0", self.page.url)
        self.page.click(".side button:has-text('Close')")
        self.assertEqual(self.tab.count(".side h2"), 0)

    def test_legend_shows_one_category(self):
        self.visit("verdicts")
        before = self.page.locator("canvas").screenshot()
        self.page.locator(".legend button").nth(1).click()
        self.assertEqual(self.page.locator(".legend button").nth(1).get_attribute("aria-pressed"), "true")
        self.assertNotEqual(self.page.locator("canvas").screenshot(), before)

    def test_decisions_are_live(self):
        self.visit("decisions")
        self.assertEqual(self.tab.count("tbody tr"), 100)
        first = self.tab.text("tbody tr:first-child td:first-child")
        self.page.wait_for_function("first => document.querySelector('tbody td').innerText !== first", arg=first)
        self.assertTrue(any("after=" in url for url in self.tab.requests))
        self.page.click("button:has-text('Pause')")
        self.page.wait_for_selector("text=Paused")
        self.page.wait_for_timeout(300)  # a request that is under way
        asked = len(self.tab.requests)
        self.page.wait_for_timeout(2500)
        self.assertEqual(len(self.tab.requests), asked)

    def test_decisions_filters(self):
        self.visit("decisions")
        self.page.select_option("label:has-text('Result') + select", "Error")
        self.page.wait_for_function("() => [...document.querySelectorAll('tbody tr')].every((row) => row.innerText.includes('Error'))")
        self.page.select_option("label:has-text('Result') + select", "")
        self.page.fill("main label:has-text('Pod') + input", "shop/web-37")
        self.page.wait_for_function("() => [...document.querySelectorAll('tbody tr')].every((row) => row.innerText.includes('shop/web-37'))")
        self.assertIn("pod=shop%2Fweb-37", self.page.url)
        self.page.reload()
        self.page.wait_for_selector("tbody tr")
        self.assertTrue(all("shop/web-37" in row for row in self.page.locator("tbody tr").all_inner_texts()))

    def test_older_decisions(self):
        self.visit("decisions")
        self.page.wait_for_selector(".pager >> text=of 4")
        self.page.click("button:has-text('Next')")
        self.assertIn("Rows 101–200", self.tab.text(".pager"))
        self.page.wait_for_selector("button:has-text('new decision')")
        self.page.click("button:has-text('new decision')")
        self.page.wait_for_selector(".pager >> text=Rows 1–100")

    def test_decision(self):
        self.visit("decision")
        text = self.tab.text()
        self.assertIn("All nodes", self.tab.text(".funnel"))
        self.assertRegex(self.tab.text(".funnel"), r"NodeResourcesFit\s+−\d+\s+\d+")
        self.assertIn("one of 3 with the highest total", text)
        rows = self.page.locator("section[aria-label=Nodes] tbody tr")
        self.assertIn("★ chosen", rows.first.inner_text())
        self.page.select_option("label:has-text('Verdict') + select", "by:NodeResourcesFit")
        self.assertTrue(all("Insufficient" in row for row in rows.all_inner_texts()))
        self.page.fill("label:has-text('Node or reason') + input", "memory")
        self.page.wait_for_selector("text=/nodes? of 60/")
        self.page.wait_for_function("() => [...document.querySelectorAll('section[aria-label=Nodes] tbody tr')].every((row) => row.innerText.includes('memory'))")
        self.assertIn("verdict=by%3ANodeResourcesFit&filter=memory", self.page.url)
        self.page.click("text=Show the verdicts on the heat map")
        self.page.wait_for_selector("text=Decision #399 about")

    def test_decision_sorts(self):
        self.visit("decision")
        cells = "section[aria-label=Nodes] tbody tr th"
        self.page.click("section[aria-label=Nodes] th button:has-text('Node')")
        names = [re.split(r"[★\s]", one)[0] for one in self.page.locator(cells).all_inner_texts()]
        self.assertEqual(names, [f"node-{at}" for at in range(60)])
        self.page.click("section[aria-label=Nodes] th button:has-text('Node')")
        self.assertEqual(self.page.locator(cells).first.inner_text(), "node-59")
        self.assertIn("sort=node&down=1", self.page.url)
        self.assertEqual(self.tab.count("section[aria-label=Nodes] [aria-sort=descending]"), 1)

    def test_pending(self):
        self.visit("pending")
        self.assertRegex(self.tab.text(".tiles"), r"(?i)unschedulable\s+68")
        self.assertIn("NodeResourcesFit\n46 pods · 56%", self.tab.text(".cause summary >> nth=0"))
        self.assertIn("46 × 0/60 nodes are available", self.tab.text(".cause >> nth=0 >> .messages").replace("\n", " "))
        self.assertEqual(self.tab.count(".cause >> nth=0 >> tbody tr"), 46)
        self.page.click(".cause >> nth=0 >> tbody tr >> nth=0 >> a")
        self.page.wait_for_selector("h1:has-text('Pod ')")

    def test_pod(self):
        self.visit("pod")
        self.assertTrue(self.tab.text("main p.summary").startswith("0 of 60 nodes fit: 51 lack CPU"))
        for part in ("Insufficient cpu", "the closest, node-7, lacks 300m", "unschedulable", "#240", "Backs off until"):
            self.assertIn(part, self.tab.text())
        self.page.fill("#find-pod", "shop/web-37")
        self.page.press("#find-pod", "Enter")
        self.page.wait_for_selector("text=The pod is on its node.")

    def test_policy(self):
        self.visit("policy")
        self.page.wait_for_selector("text=/[0-9.]+ attempts per second/")
        rate = float(self.tab.text(".figure").split()[0])
        self.assertTrue(25 < rate < 35, rate)
        self.assertRegex(self.tab.text("section[aria-label='Throughput and latency'] tbody tr >> nth=0"), r"20,\d\d\d\s+[12]\d(\.\d)?\s.* ms")
        self.assertEqual(self.tab.count(".is-quarantined"), 3)
        self.assertRegex(self.tab.text("section[aria-label=Profiles] >> text=Profile batch-scheduler >> xpath=../.. >> tr:has-text('ImageLocality')"), r"5\s")

    def test_modules(self):
        """Functions that the views show only indirectly."""
        self.visit("policy")
        found = self.page.evaluate("""async () => {
          const {readMetrics, between, quantile} = await import('./explain/metrics.js');
          const {visible} = await import('./explain/dom.js');
          const {sorted} = await import('./explain/table.js');
          const text = (count) => `x_total{a="}"} 1\\nscheduler_schedule_attempts_total{profile="a\\\\"}b",result="r"} ${count}\\n` +
            [['0.001', 0], ['0.002', count / 2], ['+Inf', count]].map(([le, value]) =>
              `scheduler_scheduling_attempt_duration_seconds_bucket{profile="a\\\\"}b",result="r",le="${le}"} ${value}`).join('\\n');
          const rows = between(readMetrics(text(100), 0), readMetrics(text(300), 4000));
          return [rows.length, rows[0].profile, rows[0].perSecond, quantile(0.25, rows[0]), quantile(0.9, rows[0]),
            visible('a\\u202eb\\u0000'), sorted([3, null, 20, 1], (one) => one, true)];
        }""")
        self.assertEqual(found, [1, 'a"}b', 50, 0.0015, 0.002, "a\\u202eb\\u0000", [20, 3, 1, None]])


class KeyboardTest(PageTest):
    def test_skip_and_views(self):
        self.visit("cluster")
        self.page.keyboard.press("Tab")
        self.assertEqual(self.tab.focused(), "A Skip to the content")
        self.page.keyboard.press("Enter")
        self.assertTrue(self.tab.focused().startswith("MAIN"))
        self.assertIn("#/cluster", self.page.url)
        self.page.focus("#views a >> nth=1")
        self.page.keyboard.press("Enter")
        self.page.wait_for_selector("h1:has-text('Decisions')")
        self.assertEqual(self.tab.focused(), "H1 Decisions")
        self.assertEqual(self.tab.text("[aria-current]"), "Decisions")
        self.page.go_back()
        self.page.wait_for_selector("h1:has-text('Cluster')")

    def test_heat_map(self):
        self.visit("cluster")
        self.page.focus("select >> nth=-1")
        while not self.tab.focused().startswith("DIV"):
            self.page.keyboard.press("Tab")
        self.assertIn("node-0 · a", self.tab.text(".map-tip"))
        for key, node in (("ArrowRight", "node-3 · a"), ("End", "node-54 · a"), ("Home", "node-0 · a"), ("PageDown", "node-1 · b"), ("ArrowLeft", "node-54 · a"),
                          ("PageUp", "node-0 · a"), ("ArrowDown", "node-18 · a"), ("ArrowUp", "node-0 · a"), ("ArrowUp", "node-0 · a")):
            self.page.keyboard.press(key)
            self.assertIn(node, self.tab.text(".map-tip"), key)
        self.page.wait_for_function("() => document.getElementById('announcements').innerText.startsWith('node-0 · a')")
        self.page.keyboard.press("Enter")
        self.assertEqual(self.tab.focused(), "H2 node-0")
        self.page.keyboard.press("Escape")
        self.assertEqual(self.tab.count(".side h2"), 0)
        self.assertTrue(self.page.evaluate("document.activeElement.classList.contains('map-frame')"))

    def test_focus_survives_updates(self):
        self.visit("decisions")
        self.page.locator("tbody tr >> nth=3 >> a >> nth=1").focus()
        pod = self.tab.focused()
        first = self.tab.text("tbody tr td")
        self.page.wait_for_function("first => document.querySelector('tbody td').innerText !== first", arg=first)
        self.assertEqual(self.tab.focused(), pod)

    def test_everything_is_named(self):
        for view in VIEWS:
            with self.subTest(view=view):
                self.visit(view)
                self.assertEqual(audit(self.page), [])


class ErrorsTest(PageTest):
    def setUp(self):
        super().setUp()
        self.expected_errors = (r"Failed to load resource",)  # the browser's own line for each answer that is no success

    def test_statuses(self):
        for status, said in ((403, "You may not read"), (503, "is not ready to answer"), (404, "has nothing at"), (500, "the status 500")):
            self.page.unroute_all()
            self.page.route(re.compile("/(admin/|configz|metrics$)"), lambda route, _, status=status: route.fulfill(status=status, body="because <b>x</b>\n"))
            for view, path in VIEWS.items():
                with self.subTest(status=status, view=view):
                    self.tab.visit(self.base, path, "main .error:not(:empty)")
                    self.assertIn(said, self.tab.text())
                    self.assertIn("because <b>x</b>", self.tab.text())

    def test_no_server_and_back(self):
        self.visit("pending")
        self.page.route("**/admin/**", lambda route: route.abort())
        self.page.click("button:has-text('Pause')")
        self.page.click("button:has-text('Pause')")
        self.page.wait_for_selector("text=The scheduler cannot be reached")
        self.assertIn("46 pods", self.tab.text())
        self.page.unroute_all()
        self.page.click("button:has-text('Pause')")
        self.page.click("button:has-text('Pause')")
        self.page.wait_for_selector(".error", state="hidden")

    def test_answer_that_is_no_json(self):
        self.page.route("**/admin/**", lambda route: route.fulfill(status=200, body="<html>"))
        self.tab.visit(self.base, VIEWS["pending"], "main .error:not(:empty)")
        self.assertIn("The scheduler cannot be reached", self.tab.text())

    def test_unknown_objects(self):
        for path, said in (("#/decision/1", "nothing at /admin/v1/decisions/1"), ("#/pod/default/none", "nothing at /admin/v1/pods/default/none"),
                           ("#/pod/x/..", "is no name of a pod"), ("#/pod/x", "is no name of a pod")):
            self.tab.visit(self.base, path, "main .error:not(:empty)")
            self.assertIn(said, self.tab.text())
        self.tab.visit(self.base, "#/cluster?node=gone&color=score:Gone&decision=399", ".side h2")
        self.assertIn("knows no node with this name", self.tab.text())
        self.assertIn("Not scored", self.tab.text(".legend"))
        self.tab.visit(self.base, "#/%zz?%=%", "h1:has-text('Cluster')")

    def test_scheduler_starts_again(self):
        self.visit("decisions")
        self.assertIn("#4", self.tab.text("tbody"))
        again = {"decisions": [], "recorded": None}
        one = {**self.server.RequestHandlerClass.api.cluster.decision(3, 3), "id": 3}
        self.page.route("**/admin/v1/decisions?*", lambda route: route.fulfill(json=again if "after=" in route.request.url else {"decisions": [one]}))
        self.page.wait_for_function("() => document.querySelector('tbody td')?.innerText === '#3'", timeout=25000)


class HostileTest(PageTest):
    hostile = True

    def test_names_are_text(self):
        for view, path in VIEWS.items():
            with self.subTest(view=view):
                self.tab.visit(self.base, path.replace("web-60", "__proto__"))
                self.page.wait_for_timeout(1200)
                self.assertEqual(self.tab.count("main :is(img, b, script, iframe, object, style)"), 0)
                self.assertEqual(self.tab.count("[href^='javascript:'], [onerror], [style*='expression']"), 0)
                self.shoot(f"hostile-{view}", full_page=True)

    def test_links_lead_to_the_object(self):
        for at in range(len(HOSTILE)):
            with self.subTest(pod=HOSTILE[at][:40]):
                self.visit("decisions")
                self.page.click("button:has-text('Pause')")
                self.page.click(f"tr:has(a[href='#/decision/{360 + 3 * at}']) th a")
                self.page.wait_for_selector("p.summary")
                self.assertTrue(self.tab.text("h1").startswith("Pod default/"))

    def test_nodes_open(self):
        self.visit("cluster")
        self.page.click("summary:has-text('as a table')")
        for at in range(len(HOSTILE)):
            self.page.locator("details tbody th button").nth(at).click()
            self.page.wait_for_selector(".side .small")
        self.page.reload()
        self.page.wait_for_selector(".side .small")


class LargeTest(PageTest):
    nodes = 15000

    def draw_ms(self):
        return self.page.evaluate("performance.getEntriesByName('heatmap-draw')[0].duration")

    def test_heat_map(self):
        for view in ("cluster", "verdicts", "totals"):
            self.visit(view)
            self.assertLess(self.draw_ms(), MOST_DRAW_MS)
            print(f"{view}: drew 15,000 nodes in {self.draw_ms():.1f} ms", file=sys.stderr)
            self.shoot(f"15000-{view}")
            self.assertLess(self.tab.count("*"), MOST_ELEMENTS)

    def test_pointer_stays_fluid(self):
        self.visit("cluster")
        took = self.page.evaluate("""() => {
          const frame = document.querySelector('.map-frame');
          const box = frame.getBoundingClientRect();
          const start = performance.now();
          for (let at = 0; at < 200; ++at) {
            frame.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + at * 5, clientY: box.top + 30 + at, bubbles: true}));
          }
          return (performance.now() - start) / 200;
        }""")
        print(f"a move of the pointer takes {took:.2f} ms", file=sys.stderr)
        self.assertLess(took, 8)

    def test_many_groups(self):
        self.tab.visit(self.base, "#/cluster?group=kubernetes.io/hostname", ".legend button")
        self.assertIn("100 groups", self.page.get_attribute(".map-frame", "aria-label"))
        self.assertLess(self.draw_ms(), MOST_DRAW_MS)

    def test_tables_have_pages(self):
        self.visit("decision")
        nodes = "section[aria-label=Nodes]"
        self.assertEqual(self.tab.count(f"{nodes} tbody tr"), 100)
        self.assertLess(self.tab.count("*"), MOST_ELEMENTS)
        self.page.click(f"{nodes} button:has-text('Next')")
        self.assertIn("Rows 101–200 of 15,000", self.tab.text(f"{nodes} .pager"))
        self.assertIn("page=2", self.page.url)
        took = self.page.evaluate("""() => {
          const start = performance.now();
          document.querySelector('section[aria-label=Nodes] th button').click();
          return performance.now() - start;
        }""")
        print(f"a sort of 15,000 nodes takes {took:.0f} ms", file=sys.stderr)
        self.assertLess(took, 1000)


class NarrowTest(PageTest):
    tab_options = {"width": 400}
    hostile = True

    def test_nothing_is_wider_than_the_screen(self):
        for view, path in VIEWS.items():
            with self.subTest(view=view):
                self.tab.visit(self.base, path.replace("web-60", "__proto__"))
                self.page.wait_for_timeout(1000)
                self.assertLessEqual(self.page.evaluate("document.documentElement.scrollWidth"), 400)


class ProxyTest(PageTest):
    prefix = PROXY

    def test_all_requests_have_the_prefix(self):
        for view in VIEWS:
            self.visit(view)
        outside = [url for url in self.tab.requests if not url.startswith((self.base + "/", "data:", "about:"))]
        self.assertEqual(outside, [])


class LooksTest(PageTest):
    def test_motion_can_be_turned_off(self):
        self.page.emulate_media(reduced_motion="reduce")
        self.visit("decision")
        self.assertEqual(self.page.evaluate("getComputedStyle(document.querySelector('.bar > span')).transitionDuration"), "0s")

    def test_screenshots(self):
        if not OPTIONS.screenshots:
            self.skipTest("no --screenshots")
        for scheme in ("light", "dark"):
            for width in (1280, 400):
                self.page.set_viewport_size({"width": width, "height": 900})
                self.page.emulate_media(color_scheme=scheme)
                for view in VIEWS:
                    self.visit(view)
                    self.page.wait_for_timeout(4500 if view == "policy" and width == 1280 else 300)
                    self.shoot(f"{view}-{scheme}-{width}", full_page=view not in ("decision", "decisions", "unschedulable"))


class RealTest(PageTest):
    """What is true for each scheduler: the views show something, and nothing is wrong."""

    @classmethod
    def setUpClass(cls):
        cls.server, cls.base = None, (OPTIONS.url or "").rstrip("/")
        if not OPTIONS.url:
            super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        if cls.server:
            super().tearDownClass()

    def test_views(self):
        for view in ("cluster", "decisions", "pending", "policy"):
            self.tab.visit(self.base, VIEWS[view].split("?")[0], "text=Updated")
            self.assertEqual(self.tab.count(".error:not(:empty)"), 0, self.tab.text())
            self.assertEqual(audit(self.page), [])
            self.shoot(f"real-{view}")

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
    global OPTIONS, BROWSER
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="", help="the base URL of a running scheduler, such as https://localhost:10259")
    parser.add_argument("--token", default="", help="a bearer token for it")
    parser.add_argument("--screenshots", type=pathlib.Path, help="a folder for pictures of the views")
    parser.add_argument("--browser", help="the program of a Chromium")
    OPTIONS, rest = parser.parse_known_args()
    if OPTIONS.screenshots:
        OPTIONS.screenshots.mkdir(parents=True, exist_ok=True)
    BROWSER = Browser(OPTIONS.browser, OPTIONS.token)
    try:
        done = unittest.main(argv=[sys.argv[0], *rest], exit=False, verbosity=2)
    finally:
        BROWSER.close()
    sys.exit(not done.result.wasSuccessful())


if __name__ == "__main__":
    main()
