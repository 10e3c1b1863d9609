#!/usr/bin/env python3
"""Checks that every metric in the expressions of alerting rules and dashboards is one that the scheduler serves.

Usage: check_expressions.py --names FILE... -- RULES.yaml... DASHBOARD.json...

A file of names is the text of /metrics, a page of the documentation (names in backquotes), or a table whose first column is
the name; the suffix says which: .md for pages, .tsv for tables, and everything else for /metrics.
"""
import argparse
import json
import pathlib
import re
import sys

import yaml

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
# Metrics that Prometheus itself adds to each scrape.
OF_PROMETHEUS = {"up"}
KEYWORDS = {"and", "or", "unless", "offset", "bool", "by", "without", "on", "ignoring", "group_left", "group_right", "inf", "nan"}
SUFFIXES = ("_bucket", "_sum", "_count")


def served_names(file):
    text = file.read_text()
    if file.suffix == ".md":
        return {match for match in re.findall(rf"`({NAME})(?:\{{[^`]*\}})?`", text) if "_" in match}
    if file.suffix == ".tsv":
        return {line.split("\t")[0] for line in text.splitlines() if line and not line.startswith("#")}
    # Without samples a family has only its TYPE line; without TYPE lines it has only samples.
    declared = set(re.findall(rf"^# TYPE ({NAME}) ", text, re.MULTILINE))
    return declared or set(re.findall(rf"^({NAME})(?=[ {{])", text, re.MULTILINE))


def metrics_of(expression):
    """The names of metrics in a PromQL expression."""
    rest = re.sub(r'"(?:[^"\\]|\\.)*"', '""', expression)
    rest = re.sub(r"\{[^}]*\}|\[[^\]]*\]", " ", rest)
    rest = re.sub(r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)", " ", rest)
    rest = re.sub(r"\boffset\s+\S+", " ", rest)
    rest = re.sub(r"\b[0-9][0-9a-zA-Z.]*", " ", rest)
    names = re.findall(rf"({NAME})\s*(\(?)", rest)
    return {name for name, call in names if not call and name.lower() not in KEYWORDS}


def base_of(name, served):
    """The family of a name: that of a histogram's or summary's series is the name without the suffix."""
    for suffix in SUFFIXES:
        if name not in served and name.endswith(suffix):
            return name.removesuffix(suffix)
    return name


def expressions_of_rules(file):
    for group in yaml.safe_load(file.read_text())["groups"]:
        for rule in group["rules"]:
            yield rule.get("alert") or rule["record"], rule["expr"]


def expressions_of_dashboard(file):
    board = json.loads(file.read_text())
    for variable in board["templating"]["list"]:
        match = re.match(r"label_values\((.*), *\w+\)$", variable["query"])
        if match:
            yield f"variable {variable['name']}", match[1]
    for annotation in board["annotations"]["list"]:
        yield f"annotation {annotation['name']}", annotation["expr"]
    for panel in board["panels"]:
        for target in panel.get("targets", []):
            yield f"panel {panel['title']}", target["expr"].replace("$__rate_interval", "5m").replace("$__range", "1h")


def problems_of_dashboard(file):
    """Two panels with one id, or in one place: Grafana shows only one of them."""
    board = json.loads(file.read_text())
    ids, places = set(), set()
    for panel in board["panels"]:
        if panel["id"] in ids:
            yield f"two panels have the id {panel['id']}"
        ids.add(panel["id"])
        grid = panel["gridPos"]
        cells = {(grid["x"] + dx, grid["y"] + dy) for dx in range(grid["w"]) for dy in range(grid["h"])}
        if cells & places or grid["x"] + grid["w"] > 24:
            yield f"panel {panel['title']} overlaps with another one or with the edge"
        places |= cells


def problems_of_rules(file):
    names = set()
    for name, _ in expressions_of_rules(file):
        if name in names:
            yield f"two rules have the name {name}"
        names.add(name)
    for group in yaml.safe_load(file.read_text())["groups"]:
        for rule in group["rules"]:
            if "alert" in rule and not (rule.get("labels", {}).get("severity") and rule.get("annotations", {}).get("summary")):
                yield f"{rule['alert']} has no severity or no summary"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    arguments = parser.parse_args()
    served = set().union(*(served_names(file) for file in arguments.names)) | OF_PROMETHEUS
    wrong, checked = [], 0
    for file in arguments.files:
        dashboard = file.suffix == ".json"
        wrong += [f"{file}: {p}" for p in (problems_of_dashboard if dashboard else problems_of_rules)(file)]
        for where, expression in (expressions_of_dashboard if dashboard else expressions_of_rules)(file):
            metrics = metrics_of(expression)
            checked += len(metrics)
            if not metrics:
                wrong.append(f"{file}: {where}: the expression names no metric: {expression}")
            wrong += [f"{file}: {where}: the scheduler does not serve {name}" for name in sorted(metrics)
                      if base_of(name, served) not in served]
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    print(f"{checked} uses of metrics in {len(arguments.files)} files; the scheduler serves {len(served) - len(OF_PROMETHEUS)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
