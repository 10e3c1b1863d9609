"""What the views show, and what they do with answers that are no success."""
import re
import urllib.parse

from page_case import VIEWS, PageTest


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
        asked = [url for url in self.tab.requests if "/admin/v1/decisions" in url]
        self.assertEqual(len(asked), 2, asked)  # the list, and the stream
        self.assertIn("?watch&after=", asked[1])
        self.pauses()
        self.page.click("button:has-text('Pause')")
        self.is_live()
        ids = [int(text[1:]) for text in self.page.locator("tbody tr td:first-child").all_inner_texts()]
        self.assertEqual(ids, list(range(ids[0], ids[0] - 100, -1)), "each decision once, without a gap")

    def test_decisions_are_live_without_a_stream(self):
        self.expected_errors = ("429", "ERR_")
        api = self.server.RequestHandlerClass.api
        self.visit("decisions")
        self.is_live()
        api.streams = False
        self.addCleanup(setattr, api, "streams", True)
        with self.page.expect_request(lambda request: "limit=500&after=4" in request.url):
            self.is_live()
        self.visit("decisions")
        self.is_live()
        self.pauses()
        ids = [int(text[1:]) for text in self.page.locator("tbody tr td:first-child").all_inner_texts()]
        self.assertEqual(ids, list(range(ids[0], ids[0] - 100, -1)), "each decision once, without a gap")

    def is_live(self):
        first = self.tab.text("tbody tr:first-child td:first-child")
        self.page.wait_for_function("first => document.querySelector('tbody td').innerText !== first", arg=first)

    def pauses(self):
        self.page.click("button:has-text('Pause')")
        self.page.wait_for_selector("text=Paused")
        self.page.wait_for_timeout(300)  # a request that is under way
        asked, first = len(self.tab.requests), self.tab.text("tbody tr:first-child td:first-child")
        self.page.wait_for_timeout(2500)
        self.assertEqual((len(self.tab.requests), self.tab.text("tbody tr:first-child td:first-child")), (asked, first))

    def test_updates_are_not_noisy(self):
        self.visit("decisions")
        said = self.page.evaluate("""async () => {
          const said = [];
          const observer = new MutationObserver((changes) => changes.forEach(({target}) => said.push(target.textContent)));
          for (const one of document.querySelectorAll('[role=status], [role=alert], [aria-live=polite]')) observer.observe(one, {childList: true, characterData: true, subtree: true});
          await new Promise((resolve) => setTimeout(resolve, 4000));
          return said;
        }""")
        self.assertLessEqual(len(said), 1, said)

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

    def test_decision_says_what_started_it_and_whom_it_evicts(self):
        self.page.goto(f"{self.base}/explain#/decision/375")
        self.page.wait_for_selector("section[aria-label=Victims] tbody tr")
        text = self.tab.text()
        for part in ("AssignedPodDelete, for NodeResourcesFit", "PreFilter 1.5 µs, Filter 30.2 µs, WaitOnPermit 2.5 ms",
                     "20 pods must leave", "Insufficient cpu"):
            self.assertIn(part, text)
        self.assertNotIn("Gated before by", text)
        self.page.goto(f"{self.base}/explain#/decision/376")
        self.page.wait_for_selector("text=SchedulingGates (1 time)")
        self.assertEqual(self.page.locator("section[aria-label=Victims]").count(), 0)

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
        self.page.click("button:has-text('Find changes')")
        self.page.wait_for_selector("text=lower its request for cpu from 2 to 1700m (3 nodes, for example node-7)")
        self.page.wait_for_selector("text=1 change, each evaluated")
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

    def test_try_a_change(self):
        self.visit("try")
        self.page.wait_for_selector("text=0 pods of 100 decisions would move, 100 would stay (2 after a tie). 5 decisions without recorded nodes")
        self.assertEqual(self.tab.count(".try tbody tr"), 7)
        self.page.fill("[aria-label='Weight of NodeAffinity']", "9")
        self.page.uncheck("[aria-label='ImageLocality scores']")
        self.assertTrue(self.page.is_disabled("[aria-label='Weight of ImageLocality']"))
        self.page.fill("label:has-text('Decisions to look at') + input", "50")
        with self.page.expect_request("**/admin/v1/policy/diff") as asked:
            self.page.click("button:has-text('Try it')")
        self.assertEqual(asked.value.post_data_json, {"weights": {"NodeAffinity": 9}, "disabled": {"score": ["ImageLocality"], "filter": []},
                                                      "profile": "default-scheduler", "limit": 50})
        self.page.wait_for_selector("text=10 pods of 50 decisions would move, 40 would stay")
        self.assertEqual(self.tab.count("section[aria-label='Pods that move'] tbody tr"), 10)
        self.assertRegex(self.tab.text("section[aria-label='Pods that move'] tbody tr >> nth=0"), r"node-\d+\s+node-\d+\s+500\s+400\s+450\s+600\s+1\s+#1")
        self.assertRegex(self.tab.text("section[aria-label='Before and after'] tbody"), r"Nodes used\s+40\s+30")
        self.assertRegex(self.tab.text("section[aria-label='Before and after'] tbody"), r"CPU requested, standard deviation\s+3.21%\s+3.21%")
        self.page.reload()
        self.page.wait_for_selector("text=10 pods of 50 decisions would move")
        self.assertEqual(self.page.input_value("[aria-label='Weight of NodeAffinity']"), "9")
        self.page.uncheck("[aria-label='NodePorts filters'], [aria-label='TaintToleration filters']")
        self.page.press("[aria-label='Weight of NodeAffinity']", "Enter")
        self.page.wait_for_selector("text=1 decision cannot be computed exactly.")
        self.assertRegex(self.tab.text("section[aria-label='Not exact'] tbody"), r"node-0\s+7\s+#2")
        self.page.click("button:has-text('As it is now')")
        self.page.wait_for_selector("text=/^0 pods of 50 decisions would move/")
        self.assertEqual(self.page.input_value("[aria-label='Weight of NodeAffinity']"), "2")
        self.assertNotIn("change=", self.page.url)

    def test_try_another_profile_before_the_answer(self):
        """The answer about the first profile comes last, and does not replace that about the second."""
        self.visit("try")
        self.page.wait_for_selector("text=0 pods of 100 decisions")
        self.expected_errors = ("ERR_", "500")
        held = []
        self.page.route("**/policy/diff", lambda route: route.continue_() if "batch" in route.request.post_data else held.append(route))
        self.page.click("button:has-text('Try it')")
        self.page.select_option(".try select", "batch-scheduler")
        self.page.wait_for_selector("text=0 pods of 100 decisions")
        self.assertEqual([route.request.post_data_json["profile"] for route in held], ["default-scheduler"])
        self.assertEqual(self.page.eval_on_selector("button:has-text('Try it')", "(one) => one.disabled"), False)
        self.assertIn("profile=batch-scheduler", self.page.url)
        held[0].abort()
        self.page.unroute_all()
        self.page.route("**/policy/diff", lambda route: route.fulfill(status=500, body="broken\n"))
        self.page.select_option(".try select", "default-scheduler")
        self.page.wait_for_selector("main .error:has-text('broken')")
        self.assertEqual((self.tab.count(".try tbody tr"), self.tab.count("section[aria-label='Before and after']")), (0, 0))

    def test_try_after_a_reload_of_the_policy(self):
        self.visit("try")
        self.page.wait_for_selector("text=0 pods of 100 decisions")

        def reloaded(route):
            answer = route.fetch().json()
            for one in answer["plugins"]:
                if one["plugin"] == "NodeAffinity":
                    one.update(plugin="NewAffinity", weight=7, newWeight=7)
            route.fulfill(json=answer)
        self.page.route("**/policy/diff", reloaded)
        self.page.click("button:has-text('As it is now')")
        self.page.wait_for_selector("[aria-label='Weight of NewAffinity']")
        self.assertEqual(self.page.input_value("[aria-label='Weight of NewAffinity']"), "7")
        self.assertRegex(self.tab.text(".try tbody tr:has-text('NewAffinity')"), r"7$")
        self.assertEqual(self.tab.count("[aria-label='Weight of NodeAffinity']"), 0)

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

    def test_change_that_the_scheduler_refuses(self):
        for change, said in (('{"weights":{"None":1}}', 'weights["None"]: profile has no Score plugin'), ("{", ""), ("[]", ""), ("7", "")):
            self.tab.visit(self.base, "#/try?" + urllib.parse.urlencode({"change": change}), ".try tbody tr")
            self.assertIn(said, self.tab.text())
            self.assertEqual(self.tab.count("main .error:not(:empty)"), 1 if said else 0)
        self.page.route("**/policy/diff", lambda route: route.fulfill(status=429, body="one request at a time\n"))
        self.page.click("button:has-text('Try it')")
        self.page.wait_for_selector("text=Try again in a second. It says: one request at a time")
        self.page.unroute_all()
        self.page.click("button:has-text('Try it')")
        self.page.wait_for_selector("main .error", state="hidden")

    def test_scheduler_starts_again(self):
        self.visit("decisions")
        self.assertIn("#4", self.tab.text("tbody"))
        self.expected_errors = ("404", "ERR_")
        api = self.server.RequestHandlerClass.api
        self.addCleanup(setattr, api, "streams", True)
        one = {**api.cluster.decision(3, 3), "id": 3}
        again = {"instance": "an0ther", "newest": 3, "recorded": None}

        def answer(route):
            if "watch" in route.request.url:
                return route.fulfill(status=404, body="no stream\n")
            return route.fulfill(json={**again, "decisions": [one] if "after=0" in route.request.url else []})
        self.page.route("**/admin/v1/decisions?*", answer)
        api.streams = False  # the connection ends
        self.page.wait_for_function("() => document.querySelector('tbody td')?.innerText === '#3'", timeout=25000)
