#!/usr/bin/env python3
"""Serves the page of decisions, with the headers that the scheduler sends, and a synthetic API. Prints the base URL.

Usage: fixture_server.py [--nodes N] [--hostile] [--port PORT] [--prefix PATH]
"""
import argparse
import http.server
import json
import pathlib
import re
import sys
import time
import urllib.parse

from fixture_cluster import OLD, Cluster

PAGE = pathlib.Path(__file__).resolve().parents[2] / "host/cluster/explain/page"
CSP = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
       "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'")
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
BOUNDS = ["0.001", "0.002", "0.004", "0.008", "0.016", "0.032", "0.064", "0.128", "+Inf"]
PLUGINS = ["NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodeResourcesFit", "PodTopologySpread", "NodeResourcesBalancedAllocation",
           "ImageLocality", "DefaultBinder"]
WEIGHTS = {"TaintToleration": 3, "NodeAffinity": 2, "PodTopologySpread": 2, "NodeResourcesFit": 1, "NodeResourcesBalancedAllocation": 1, "ImageLocality": 1}


def served(file):
    """The bytes of a file of the page as the scheduler serves them: host/cluster/explain/CMakeLists.txt."""
    text = re.sub(r"\n[ \t]+", "\n", "\n" + file.read_text())
    if file.suffix == ".js":
        text = re.sub(r"\n//[^\n]*", "", text)
    return re.sub(r"\n\n+", "\n", text)[1:].encode()


class Api:
    """The answers by path. About two decisions are made each second, and 30 attempts."""

    def __init__(self, cluster):
        self.cluster = cluster
        self.start = time.monotonic()
        self.instance = "f1x"
        self.streams = True  # False: as a scheduler that has too many clients

    @property
    def newest(self):
        return OLD + int((time.monotonic() - self.start) * 2)

    def decisions(self, query):
        limit, before, after = (int(query.get(key, [default])[0]) for key, default in (("limit", 100), ("before", 1 << 60), ("after", 0)))
        pod, profile, result = (query.get(key, [""])[0] for key in ("pod", "profile", "result"))
        newest, found = self.newest, []
        for number in range(min(newest, before - 1), max(0, after, newest - OLD), -1):
            if len(found) == limit:
                break
            if pod and as_sent(self.cluster.pod(number)) != pod or profile and profile != ("batch-scheduler" if number % 3 == 2 else "default-scheduler"):
                continue
            one = self.cluster.decision(number, newest)
            if result in ("", one["result"]):
                found.append(one)
        recorded = {"attempts": OLD, "withNodes": 300, "bytes": 10485760, "maxAttempts": 10000, "maxBytes": 67108864}
        return {"kind": "DecisionList", "instance": self.instance, "newest": newest, "decisions": found, "recorded": recorded}

    def events(self, query, last):
        """What GET admin/v1/decisions?watch sends, for ever. last: the Last-Event-ID."""
        yield f"event: instance\ndata: {json.dumps({'instance': self.instance, 'newest': self.newest})}\n\n"
        while True:
            for one in reversed(self.decisions({**query, "after": [str(last)]})["decisions"]):
                last = one["id"]
                yield f"id: {last}\nevent: decision\ndata: {json.dumps(one)}\n\n"
            yield ": heartbeat\n\n"
            time.sleep(0.1)

    def decision(self, text):
        newest = self.newest
        if not re.fullmatch(r"[0-9]{1,9}", text) or not newest - OLD < int(text) <= newest:
            return None
        return {"kind": "Decision", **self.cluster.decision(int(text), newest, with_nodes=True)}

    def pod(self, pod):
        known = [self.cluster.pod(number) for number in range(1, 300)]
        match = next((one for one in known if as_sent(one) == pod), None)
        return self.cluster.explanation(match, self.newest) if match else None

    def plugins(self):
        listed = [{"name": name, "library": f"/usr/lib/berth/plugins/{name.lower()}.so", "version": "1.0.0", "digest": f"sha256:{at:02d}{'4e' * 31}",
                   "generation": 1 + at % 2, "state": "active"} for at, name in enumerate(PLUGINS)]
        listed += [{"name": text, "library": text, "version": text, "digest": text, "generation": 1, "state": "active"} for text in self.cluster.hostile]
        listed[5]["state"] = "quarantined"
        return {"kind": "PluginList", "plugins": listed}

    def configz(self):
        multi = {"enabled": [{"name": name, "weight": WEIGHTS.get(name, 0)} for name in PLUGINS] + [{"name": text} for text in self.cluster.hostile]}
        batch = {"multiPoint": multi, "score": {"enabled": [{"name": "ImageLocality", "weight": 5}], "disabled": [{"name": "PodTopologySpread"}]}, "filter": {}}
        return {"componentconfig": {"profiles": [{"schedulerName": "default-scheduler", "plugins": {"multiPoint": multi, "filter": {}}},
                                                 {"schedulerName": "batch-scheduler", "plugins": batch}]}}

    def policy_diff(self, asked):
        """(status, type, body): with a change, every fifth pod moves to another node."""
        weights, disabled = asked.get("weights", {}), asked.get("disabled", {})
        known = PLUGINS[:-1] + self.cluster.hostile
        for name in [*weights, *disabled.get("score", []), *disabled.get("filter", [])]:
            if as_sent(name) not in map(as_sent, known):
                return 400, "text/plain; charset=utf-8", f'weights["{name}"]: profile has no Score plugin of this name\n'.encode("utf-8", "replace")
        plugins = [{"plugin": name, "weight": WEIGHTS.get(name), "newWeight": None if name in disabled.get("score", []) else weights.get(name, WEIGHTS.get(name)),
                    "filter": name not in ("ImageLocality", "NodeResourcesBalancedAllocation"),
                    "newFilter": name not in ("ImageLocality", "NodeResourcesBalancedAllocation", *disabled.get("filter", []))} for name in known]
        moves = []
        if weights or disabled.get("score"):
            for number in range(1, asked["limit"] + 1, 5):
                at = self.cluster.chosen(number)
                moves.append({"pod": self.cluster.pod(number), "from": self.cluster.names[at], "to": self.cluster.names[at - 1], "decision": number, "ties": 1,
                              "fromTotal": {"before": 500, "after": 400}, "toTotal": {"before": 450, "after": 600}, "unknownNodes": 0})
        inexact = [{"pod": self.cluster.pod(2), "from": self.cluster.names[0], "decision": 2, "unknownNodes": 7}] if disabled.get("filter") else []
        zones = [{"zone": zone, "pods": 30} for zone in ("", "a", *self.cluster.hostile[:2])]
        figures = {"nodesUsed": 40, "mostPodsOnANode": 3, "zones": zones, "cpu": {"mean": 0.125, "deviation": 0.0321}, "memory": {"mean": 0.1, "deviation": 0.02}}
        body = {"kind": "PolicyDiff", "profile": asked["profile"], "plugins": plugins, "note": "The decisions are independent of each other.", "moves": moves,
                "notExact": inexact, "before": figures, "after": {**figures, "nodesUsed": 40 - len(moves)},
                "decisions": {"lookedAt": asked["limit"], "moving": len(moves), "unchanged": asked["limit"] - len(moves) - len(inexact), "tied": 2,
                              "notExact": len(inexact), "withoutNodes": 5, "otherGenerations": 1}}
        return 200, "application/json", json.dumps(body).encode()

    def metrics(self):
        lines = ["# TYPE scheduler_schedule_attempts_total counter"]
        for profile, result, share in (("default-scheduler", "scheduled", 20), ("default-scheduler", "unschedulable", 8), ("batch-scheduler", "scheduled", 2)):
            total = int(1000 * share + (time.monotonic() - self.start) * share)
            labels = f'profile="{profile}",result="{result}"'
            lines.append(f"scheduler_schedule_attempts_total{{{labels}}} {total}")
            for at, bound in enumerate(BOUNDS):
                lines.append(f'scheduler_scheduling_attempt_duration_seconds_bucket{{{labels},le="{bound}"}} {int(total * min(1, (at + 1) / 7))}')
        return "\n".join(lines) + "\n"

    def answer(self, path, query):
        """(status, type, body)"""
        parts = [urllib.parse.unquote(part) for part in path.split("/")]
        if path == "metrics":
            return 200, "text/plain; version=0.0.4; charset=utf-8", self.metrics().encode()
        found = self.answer_json(path, parts, query)
        if found is None:
            return 404, "text/plain; charset=utf-8", b"there is no such object\n"
        return 200, "application/json", json.dumps({"apiVersion": "berth.dev/v1alpha1", **found}).encode()

    def answer_json(self, path, parts, query):
        if path == "admin/v1/decisions":
            return self.decisions(query)
        if path == "admin/v1/queue":
            return self.cluster.queue()
        if path == "admin/v1/nodes":
            return self.cluster.node_table(query.get("label", []))
        if path == "admin/v1/plugins":
            return self.plugins()
        if path == "configz":
            return self.configz()
        if parts[:3] == ["admin", "v1", "decisions"] and len(parts) == 4:
            return self.decision(parts[3])
        if parts[:3] == ["admin", "v1", "pods"] and len(parts) == 5:
            return self.pod(f"{parts[3]}/{parts[4]}")
        return None


def as_sent(text):
    """A browser sends the replacement character for half of a pair of surrogates."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    api = None
    prefix = ""

    def do_GET(self):  # noqa: N802, the name that the library calls
        url = urllib.parse.urlsplit(self.path)
        if not url.path.startswith(f"{self.prefix}/"):
            return self.send(404, "text/plain", b"outside of the prefix\n")
        path = url.path[len(self.prefix) + 1:]
        if path == "explain" or path.startswith("explain/"):
            return self.send_file("index.html" if path == "explain" else path.removeprefix("explain/"))
        query = urllib.parse.parse_qs(url.query, keep_blank_values=True)
        if path == "admin/v1/decisions" and "watch" in query:
            return self.stream(query)
        return self.send(*self.api.answer(path, query))

    def stream(self, query):
        if not self.api.streams:
            return self.send(429, "text/plain; charset=utf-8", b"16 clients watch the decisions already\n")
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Cache-Control", "no-cache, private")
        self.end_headers()
        self.close_connection = True
        last = int(self.headers.get("Last-Event-ID") or query.get("after", ["0"])[0])
        try:
            for event in self.api.events(query, last):
                self.wfile.write(event.encode())
                if not self.api.streams:
                    return
        except OSError:
            pass  # the client has disconnected

    def do_POST(self):  # noqa: N802, the name that the library calls
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != f"{self.prefix}/admin/v1/policy/diff" or self.headers["Sec-Fetch-Site"] not in (None, "same-origin"):
            return self.send(404, "text/plain", b"there is no such object\n")
        return self.send(*self.api.policy_diff(asked))

    def send_file(self, name):
        file = PAGE / name
        if not re.fullmatch(r"[a-z_]+\.(html|css|js)", name) or not file.is_file():
            return self.send(404, "text/plain", b"there is no such file\n")
        return self.send(200, TYPES[file.suffix], served(file))

    def send(self, status, content_type, body):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", CSP)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache, private")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # a browser ends connections as it likes
            super().handle_error(request, client_address)


def serve(nodes=60, hostile=False, port=0, prefix=""):
    """A server that the caller runs with serve_forever(), and its base URL, which ends before /explain."""
    handler = type("FixtureHandler", (Handler,), {"api": Api(Cluster(nodes, hostile)), "prefix": prefix.rstrip("/")})
    server = Server(("127.0.0.1", port), handler)
    return server, f"http://127.0.0.1:{server.server_address[1]}{handler.prefix}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=60)
    parser.add_argument("--hostile", action="store_true", help="names that try to be markup, or to confuse")
    parser.add_argument("--port", type=int, default=0, help="0, the default, is any free port")
    parser.add_argument("--prefix", default="", help="a path before /explain, as that of the API server's proxy")
    options = parser.parse_args()
    server, url = serve(options.nodes, options.hostile, options.port, options.prefix)
    print(f"{url}/explain", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
