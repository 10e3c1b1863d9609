"""A synthetic cluster for the page of decisions: the same names and numbers at every start, except for the times."""
import datetime
import random

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "\"quotes\" & 'more' <b>bold</b>",
    "שלום-עולם",
    "evil\u202egnp.exe",
    "a" * 253,
    "rocket-\U0001f680-\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "__proto__",
    "javascript:alert(2)",
    "half-\ud800-pair",
    "line\nbreak\ttab\u0000nul",
]
SCORERS = [("TaintToleration", 3), ("NodeAffinity", 2), ("NodeResourcesFit", 1), ("PodTopologySpread", 2),
           ("NodeResourcesBalancedAllocation", 1), ("ImageLocality", 1)]
REJECTIONS = [
    ("NodeUnschedulable", "UnschedulableAndUnresolvable", ["node(s) were unschedulable"], "node(s) were unschedulable"),
    ("TaintToleration", "UnschedulableAndUnresolvable", ["node(s) had untolerated taint(s)"], "node(s) had untolerated taint(s)"),
    ("NodeAffinity", "UnschedulableAndUnresolvable", ["node(s) didn't match Pod's node affinity/selector"], "node(s) didn't match"),
    ("NodeResourcesFit", "Unschedulable", ["Insufficient cpu"], "Insufficient cpu"),
    ("NodeResourcesFit", "Unschedulable", ["Insufficient cpu", "Insufficient memory"], "Insufficient cpu, Insufficient memory"),
    ("PodTopologySpread", "Unschedulable", ["node(s) didn't match pod topology spread constraints"], "spread"),
    ("https://extender.example:8080/filter", "Unschedulable", ["the extender has no license for this node"], "license"),
]
CAUSES = [(["NodeResourcesFit"], "Insufficient cpu", 46), (["NodeResourcesFit", "TaintToleration"], "node(s) had untolerated taint(s)", 17),
          (["PodTopologySpread"], "node(s) didn't match pod topology spread constraints", 9), (["VolumeBinding"], "persistentvolumeclaim not found", 3)]
STARTED = datetime.datetime.now(datetime.timezone.utc)
OLD = 400           # decisions that exist at the start
WITH_NODES = 300    # of the newest, those with all nodes


def stamp(seconds_ago):
    at = STARTED - datetime.timedelta(seconds=seconds_ago)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond:06d}789Z"


class Cluster:
    """Nodes, decisions, and queue of a cluster of `size` nodes. `hostile` puts hostile texts wherever the cluster's texts are."""

    def __init__(self, size, hostile):
        self.hostile = HOSTILE if hostile else []
        dice = random.Random(size)
        self.names = [f"node-{at}" for at in range(size)]
        for at, text in enumerate(self.hostile):
            self.names[at * 3 % size] = text
        self.zones = [None if at % 29 == 28 else "abc"[at % 3] for at in range(size)]
        if self.hostile:
            self.zones = [HOSTILE[at % 4] if at % 4 == 0 else zone for at, zone in enumerate(self.zones)]
        self.pods = [dice.randrange(4, 111) for _ in range(size)]
        self.cordoned = [dice.random() < 0.03 for _ in range(size)]
        self.cpu = [dice.choice([4000, 8000, 32000]) for _ in range(size)]
        self.memory = [cores // 1000 * 4 << 30 for cores in self.cpu]
        load = [min(1.0, max(0.0, dice.gauss(0.65, 0.22))) for _ in range(size)]
        self.cpu_used = [int(cpu * one) // 50 * 50 for cpu, one in zip(self.cpu, load)]
        self.memory_used = [int(memory * one * 0.8) >> 20 << 20 for memory, one in zip(self.memory, load)]

    def node_table(self, keys):
        size = len(self.names)
        known = {"topology.kubernetes.io/zone": self.zones, "kubernetes.io/hostname": self.names,
                 "kubernetes.io/arch": ["arm64" if at % 5 == 0 else "amd64" for at in range(size)],
                 "node.kubernetes.io/instance-type": [f"m{cpu // 1000}.large" for cpu in self.cpu]}
        return {"kind": "NodeTable", "names": self.names, "pods": self.pods, "unschedulable": self.cordoned,
                "allocatable": {"cpu": self.cpu, "memory": self.memory, "pods": [110] * size},
                "requested": {"cpu": self.cpu_used, "memory": self.memory_used, "pods": self.pods},
                "labels": {key: known[key] for key in keys if key in known}, "labelKeys": list(known) + self.hostile[:3]}

    def pod(self, number):
        if self.hostile and number % 3 == 0:
            return f"default/{self.hostile[number // 3 % len(self.hostile)]}"
        return f"{('default', 'shop', 'batch')[number % 3]}/{('web', 'api', 'worker', 'cron')[number // 3 % 4]}-{number % 90}"

    def result(self, number):
        if number % 97 == 13:
            return "Error"
        return "Unschedulable" if number % 5 in (0, 3) else "Scheduled"

    def message(self, number, reason="Insufficient cpu"):
        size = len(self.names)
        text = f"0/{size} nodes are available: {size - 3} {reason}, 3 node(s) were unschedulable. preemption: 0/{size} nodes are available."
        return f"{self.hostile[number % len(self.hostile)]} {text}" if self.hostile else text

    def chosen(self, number):
        """The node that a decision chooses: its total is higher than all others."""
        rows = [row for row in range(len(self.names)) if not self.cordoned[row] and row % 10 != 9 and row % 9 != 5]
        return rows[number * 7 % len(rows)]

    def decision(self, number, newest, with_nodes=False):
        result = self.result(number)
        scheduled = result == "Scheduled"
        node = self.names[self.chosen(number)]
        made = {"id": number, "pod": self.pod(number), "uid": f"00000000-0000-4000-8000-{number:012d}",
                "profile": "batch-scheduler" if number % 3 == 2 else "default-scheduler", "generation": 2, "attempt": 1 + number % 4,
                "started": stamp((OLD - number) * 0.7), "cycleMicroseconds": 90 + number * 37 % 900,
                "totalMicroseconds": 2300 + number * 131 % 9000, "result": result, "node": node if scheduled else "", "ties": number % 4 if scheduled else 0,
                "evaluatedNodes": len(self.names) - len(self.names) // 10, "feasibleNodes": len(self.names) // 3 if scheduled else 0,
                "message": "" if scheduled else "context deadline exceeded" if result == "Error" else self.message(number),
                "nominatedNode": self.names[0] if number % 25 == 0 else "", "rejectedBy": ["NodeResourcesFit"] if result == "Unschedulable" else [],
                "withNodes": newest - number < WITH_NODES, "victimCount": 0, "victims": [],
                "queued": {"event": "AssignedPodDelete", "plugin": "NodeResourcesFit", "gated": number % 3, "gate": "SchedulingGates"},
                "pointMicroseconds": {"PreFilter": 1.5, "Filter": 30.2, "WaitOnPermit": 2500}}
        if made["nominatedNode"]:
            made["victimCount"] = 20
            made["victims"] = [{"pod": self.pod(at), "priority": at, "plugin": "NodeResourcesFit", "reason": "Insufficient cpu"} for at in range(3)]
        if with_nodes and made["withNodes"]:
            made["nodes"] = self.decision_nodes(number)
        return made

    def rejections(self):
        listed = [{"plugin": plugin, "code": code, "reasons": reasons} for plugin, code, reasons, _ in REJECTIONS]
        for text in self.hostile[:3]:
            listed.append({"plugin": text, "code": "Unschedulable", "reasons": [text, self.hostile[4]]})
        return listed

    def decision_nodes(self, number):
        dice = random.Random(number)
        rejections = self.rejections()
        scheduled = self.result(number) == "Scheduled"
        chosen = self.chosen(number) if scheduled else -1
        verdicts, totals = [], []
        scores = [{"plugin": plugin, "values": []} for plugin, _ in SCORERS]
        for row in range(len(self.names)):
            verdict = 1 if self.cordoned[row] else dice.choice([0, 0, 0, 2, 4, 4, 5, 6] if scheduled else [2, 3, 4, 4, 4, 4, 5, 6, 7])
            if self.hostile and row % 9 == 5:
                verdict = len(REJECTIONS) + 1 + row % 3
            if scheduled and row % 10 == 9:
                verdict = -1
            if row == chosen:
                verdict = 0
            verdicts.append(verdict)
            points = [100 * weight if row == chosen else dice.randrange(0, 101) * weight if verdict == 0 else None for _, weight in SCORERS]
            for column, value in zip(scores, points):
                column["values"].append(value)
            totals.append(sum(points) if verdict == 0 else None)
        if all(total is None for total in totals):
            scores = []
        return {"names": self.names, "verdicts": verdicts, "rejections": rejections, "scores": scores, "totals": totals}

    def queue(self):
        pods = []
        for plugins, reason, amount in CAUSES:
            for at in range(amount):
                where = "backoff" if at % 11 == 4 else "unschedulable"
                pods.append(self.queued(len(pods), where, plugins, self.message(at, reason)))
        pods += [self.queued(len(pods) + at, "active", [], "") for at in range(3)]
        pods += [self.queued(len(pods) + at, "gated", ["SchedulingGates"], "Scheduling is blocked due to non-empty scheduling gates") for at in range(4)]
        for at, text in enumerate(self.hostile):
            pods.append(self.queued(at * 3, "unschedulable", [text, HOSTILE[4]], text))
        counts = {where: sum(pod["where"] == where for pod in pods) for where in ("active", "backoff", "unschedulable", "gated")}
        return {"kind": "QueueState", **counts, "binding": 2, "pods": pods}

    def queued(self, number, where, plugins, message):
        return {"pod": self.pod(number), "profile": "default-scheduler", "where": where, "attempts": number % 7, "since": stamp(20 + number * 47),
                "rejectedBy": plugins, "message": message}

    def explanation(self, pod, newest):
        size = len(self.names)
        last = next((number for number in range(newest, 0, -1) if self.pod(number) == pod), None)
        decision = self.decision(last, newest) if last else None
        if not decision or decision["result"] == "Scheduled":
            return {"kind": "PodExplanation", "pod": pod, "profile": "default-scheduler", "state": "Scheduled", "node": self.names[1],
                    "summary": "The pod is on its node.", "groups": [], "queue": {"where": ""}, "decision": decision}
        groups = [{"plugin": plugin, "code": code, "reason": reason, "nodes": size // (2 + at), "detail": f"the closest, {self.names[7]}, lacks 300m" if at == 3 else "",
                   "examples": self.names[at:at + 3]} for at, (plugin, code, _, reason) in enumerate(REJECTIONS)]
        summary = (f"0 of {size:,} nodes fit: {size - 9:,} lack CPU (the closest, {self.names[7]}, lacks 300m), 6 have a taint that the pod does not tolerate, "
                   "3 are cordoned. The pod waits for a node with more free CPU, or for a pod to end.")
        return {"kind": "PodExplanation", "pod": pod, "profile": "default-scheduler", "state": "Pending", "node": "", "summary": summary, "groups": groups,
                "suggestions": [{"change": (self.hostile or ["lower its request for cpu from 2 to 1700m"])[0], "node": self.names[7], "nodes": 3}],
                "decisionWithNodes": newest,
                "queue": {"where": "unschedulable", "attempts": 3, "added": stamp(400), "backoffUntil": stamp(-30), "waitsFor": ["NodeResourcesFit"]},
                "decision": decision}
