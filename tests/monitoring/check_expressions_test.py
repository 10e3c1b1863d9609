#!/usr/bin/env python3
"""Tests of check_expressions.py, and of the rules and the dashboard as far as they need no list of served metrics."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

import check_expressions as check

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parents[1]


class MetricsOfTest(unittest.TestCase):
    def test_names(self):
        for expression, want in {
            "up": {"up"},
            'sum by (job, le) (rate(a_seconds_bucket{job="x", code=~"5..|<b_c>"}[5m])) > 0.05': {"a_seconds_bucket"},
            "a_total and on (instance) b_total unless c_total offset 15m": {"a_total", "b_total", "c_total"},
            "histogram_quantile(0.99, sum(rate(a_bucket[10m])) by (le, \"b\"))": {"a_bucket"},
            "max(a) without (b_c) * on (d_e) group_left (f_g) h_i == bool 1e3": {"a", "h_i"},
            "absent(up == 1)": {"up"},
            "job:a_b:rate5m > Inf": {"job:a_b:rate5m"},
            "vector(1)": set(),
        }.items():
            with self.subTest(expression=expression):
                self.assertEqual(check.metrics_of(expression), want)


class ServedNamesTest(unittest.TestCase):
    def served(self, name, text):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory, name)
            file.write_text(text)
            return check.served_names(file)

    def test_metrics(self):
        text = '# HELP a_b Words of c_d.\n# TYPE a_b histogram\na_b_bucket{le="1"} 1\na_b_sum 1\na_b_count 1\n'
        self.assertEqual(self.served("metrics.txt", text), {"a_b"})
        self.assertEqual(self.served("metrics.txt", 'a_b{c="d_e"} 1\nf_g 2\n'), {"a_b", "f_g"})

    def test_page(self):
        self.assertEqual(self.served("metrics.md", "| `a_b` | text c_d |\n| `e_f{g_h,i}` | `job` |\n"), {"a_b", "e_f"})

    def test_table(self):
        self.assertEqual(self.served("names.tsv", "# name\ttype\na_b\tcounter\nc_d\tgauge\n"), {"a_b", "c_d"})


class CommandTest(unittest.TestCase):
    def run_with(self, names, rule):
        with tempfile.TemporaryDirectory() as directory:
            served, rules = pathlib.Path(directory, "names.tsv"), pathlib.Path(directory, "rules.yaml")
            served.write_text(names)
            rules.write_text("groups: [{name: g, rules: [{alert: A, expr: '%s', labels: {severity: info}, annotations: {summary: s}}]}]" % rule)
            done = subprocess.run([sys.executable, HERE / "check_expressions.py", "--names", served, "--", rules],
                                  capture_output=True, text=True, check=False)
            return done.returncode, done.stderr

    def test_exit_code(self):
        self.assertEqual(self.run_with("a_seconds\n", "rate(a_seconds_bucket[5m]) > 0"), (0, ""))
        code, text = self.run_with("a_seconds\n", "a_seconds + b_seconds > 0")
        self.assertEqual(code, 1)
        self.assertIn("A: the scheduler does not serve b_seconds", text)
        self.assertEqual(self.run_with("a_seconds\n", "1 > 0")[0], 1)


class ShippedFilesTest(unittest.TestCase):
    def test_rules_are_complete(self):
        self.assertEqual(list(check.problems_of_rules(TOP / "manifests/prometheus/rules.yaml")), [])

    def test_panels_have_places_of_their_own(self):
        self.assertEqual(list(check.problems_of_dashboard(TOP / "manifests/grafana/berth.json")), [])

    def test_every_expression_selects_the_job(self):
        for where, expression in check.expressions_of_rules(TOP / "manifests/prometheus/rules.yaml"):
            with self.subTest(rule=where):
                self.assertEqual(expression.count("{"), expression.count('{job="berth"'))


if __name__ == "__main__":
    unittest.main()
