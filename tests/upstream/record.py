"""Records the cases of kube-scheduler's own plugin tests: objects, args, and the plugins' results, by case name.

Runs upstream's tests in a copy of the module with recorders around the plugins' PreFilter, Filter, and Score, and
writes their output to one YAML file per package. It needs the conformance module's Go. Run it after a change of the
Kubernetes version:  python3 tests/upstream/record.py [package...]
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE.parent / 'conformance'
# The resources that upstream's MakeNode adds to every node, for the plugins that do not read them.
MADE_UP = '"capacity":{"pods":"32"},"allocatable":{"pods":"32"},'
PLUGINS = 'k8s.io/kubernetes/pkg/scheduler/framework/plugins/'

# package: [(file, receiver, plugin, constructor, {gate: field that holds it})]
PACKAGES = {
    'queuesort': [('priority_sort.go', 'PrioritySort', 'PrioritySort', None, {})],
    'schedulinggates': [('scheduling_gates.go', 'SchedulingGates', 'SchedulingGates', None, {})],
    'nodeunschedulable': [('node_unschedulable.go', 'NodeUnschedulable', 'NodeUnschedulable', None, {})],
    'nodename': [('node_name.go', 'NodeName', 'NodeName', None, {})],
    'tainttoleration': [('taint_toleration.go', 'TaintToleration', 'TaintToleration', None,
                         {'TaintTolerationComparisonOperators': 'enableTaintTolerationComparisonOperators'})],
    'nodeaffinity': [('node_affinity.go', 'NodeAffinity', 'NodeAffinity', 'New', {})],
    'nodeports': [('node_ports.go', 'NodePorts', 'NodePorts', None, {})],
    'noderesources': [
        ('fit.go', 'Fit', 'NodeResourcesFit', 'NewFit',
         {'InPlacePodVerticalScaling': 'enableInPlacePodVerticalScaling', 'PodLevelResources': 'enablePodLevelResources',
          'SidecarContainers': 'enableSidecarContainers', 'DRAExtendedResource': 'enableDRAExtendedResource',
          'InPlacePodLevelResourcesVerticalScaling': 'enableInPlacePodLevelResourcesVerticalScaling'}),
        ('balanced_allocation.go', 'BalancedAllocation', 'NodeResourcesBalancedAllocation', 'NewBalancedAllocation',
         {'PodLevelResources': 'enablePodLevelResources', 'DRAExtendedResource': 'enableDRAExtendedResource'}),
    ],
    'imagelocality': [('image_locality.go', 'ImageLocality', 'ImageLocality', None, {})],
    'podtopologyspread': [(file, 'PodTopologySpread', 'PodTopologySpread', 'New', {}) for file in ('plugin.go', 'filtering.go', 'scoring.go')],
    'interpodaffinity': [(file, 'InterPodAffinity', 'InterPodAffinity', 'New', {}) for file in ('plugin.go', 'filtering.go', 'scoring.go')],
}

# Packages whose plugins read the whole cluster, with Go code that lists the objects they read besides nodes and pods.
# Their tests compare internal states as well as results. PreFilter, AddPod, and RemovePod are therefore recorded with
# the result of the next Filter call, and PreScore with the scores.
CLUSTER = {
    'podtopologyspread': """
func objectsOf(pl *PodTopologySpread) (out []any) {
	if pl.services == nil {
		return nil
	}
	services, _ := pl.services.List(labels.Everything())
	for _, o := range services {
		out = append(out, kind("v1", "Service", o))
	}
	controllers, _ := pl.replicationCtrls.List(labels.Everything())
	for _, o := range controllers {
		out = append(out, kind("v1", "ReplicationController", o))
	}
	replicaSets, _ := pl.replicaSets.List(labels.Everything())
	for _, o := range replicaSets {
		out = append(out, kind("apps/v1", "ReplicaSet", o))
	}
	statefulSets, _ := pl.statefulSets.List(labels.Everything())
	for _, o := range statefulSets {
		out = append(out, kind("apps/v1", "StatefulSet", o))
	}
	return out
}
""",
    'interpodaffinity': """
func objectsOf(pl *InterPodAffinity) (out []any) {
	namespaces, _ := pl.nsLister.List(labels.Everything())
	for _, o := range namespaces {
		out = append(out, kind("v1", "Namespace", o))
	}
	return out
}
""",
}

POD = 'pod *v1.Pod'
NODE = 'node fwk.NodeInfo'
STATE = 'ctx context.Context, s fwk.CycleState'
# call: (parameters, arguments, results, the recorded form of the results)
CALLS = {
    'Less': ('a, b fwk.QueuedPodInfo', 'a, b', 'bool', 'recordLess(a, b, r)'),
    'PreEnqueue': (f'ctx context.Context, {POD}', 'ctx, pod', '*fwk.Status', 'record{"pod": pod}.with(r)'),
    'PreFilter': (f'{STATE}, {POD}, nodes []fwk.NodeInfo', 'ctx, s, pod, nodes', '*fwk.PreFilterResult, *fwk.Status',
                  'record{"pod": pod}.to(r).with(r2)'),
    'Filter': (f'{STATE}, {POD}, {NODE}', 'ctx, s, pod, node', '*fwk.Status', 'record{"pod": pod}.on(node).with(r)'),
    'PreScore': (f'{STATE}, {POD}, nodes []fwk.NodeInfo', 'ctx, s, pod, nodes', '*fwk.Status',
                 'record{"pod": pod}.among(nodes).with(r)'),
    'Score': (f'{STATE}, {POD}, {NODE}', 'ctx, s, pod, node', 'int64, *fwk.Status',
              'record{"pod": pod, "score": r}.on(node).with(r2)'),
}
HINT = ('logger klog.Logger, pod *v1.Pod, oldObj, newObj interface{}', 'logger, pod, oldObj, newObj', 'fwk.QueueingHint, error',
        'record{"pod": pod, "old": oldObj, "new": newObj, "hint": r.String()}.failed(r2)')

# The same for CLUSTER's packages: the call after the plugin's own, which prints.
CHANGE = f'{STATE}, {POD}, change fwk.PodInfo, {NODE}'
CLUSTER_CALLS = {
    'PreFilter': CALLS['PreFilter'][:3] + ('seePreFilter(ctx, pl, s, pod, r, r2)',),
    'AddPod': (CHANGE, 'ctx, s, pod, change, node', '*fwk.Status', 'seeChange(ctx, pl, "AddPod", s, pod, change, node, r)'),
    'RemovePod': (CHANGE, 'ctx, s, pod, change, node', '*fwk.Status', 'seeChange(ctx, pl, "RemovePod", s, pod, change, node, r)'),
    'getIncomingAffinityAntiAffinityCounts': (
        'ctx context.Context, info fwk.PodInfo, nodes []fwk.NodeInfo', 'ctx, info, nodes',
        'topologyToMatchedTermCount, topologyToMatchedTermCount', 'seeCounts(ctx, pl, info, nodes)'),
    'PreScore': CALLS['PreScore'][:3] + ('seePreScore(ctx, pl, s, pod, nodes, r)',),
}

RECORDER = '''package %s

import (
	"encoding/json"
	"fmt"

	v1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

type record map[string]any

var recordedArgs any

func (r record) with(status *fwk.Status) record {
	r["code"] = status.Code().String()
	if status != nil {
		r["reasons"] = status.Reasons()
	}
	return r
}

func (r record) failed(err error) record {
	if err != nil {
		r["error"] = err.Error()
	}
	return r
}

func (r record) to(result *fwk.PreFilterResult) record {
	r["result"] = "all"
	if !result.AllNodes() {
		r["result"] = result.NodeNames.UnsortedList()
	}
	return r
}

func (r record) on(node fwk.NodeInfo) record {
	r["node"], r["pods"] = node.Node(), podsOf(node)
	return r
}

func (r record) among(nodes []fwk.NodeInfo) record {
	var list []map[string]any
	for _, n := range nodes {
		list = append(list, map[string]any{"node": n.Node(), "pods": podsOf(n)})
	}
	r["nodes"] = list
	return r
}

func podsOf(node fwk.NodeInfo) []*v1.Pod {
	var pods []*v1.Pod
	for _, p := range node.GetPods() {
		pods = append(pods, p.GetPod())
	}
	return pods
}

func kind(version, name string, object any) map[string]any {
	return map[string]any{"apiVersion": version, "kind": name, "object": object}
}

func recordLess(a, b fwk.QueuedPodInfo, less bool) record {
	queued := func(q fwk.QueuedPodInfo) any {
		return map[string]any{"pod": q.GetPodInfo().GetPod(), "timestamp": q.GetTimestamp().UnixNano()}
	}
	return record{"queued": []any{queued(a), queued(b)}, "less": less}
}

func (r record) print(plugin, call string, gates map[string]bool) {
	r["plugin"], r["call"], r["args"], r["gates"] = plugin, call, recordedArgs, gates
	text, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	fmt.Printf("\\n@@ %%s\\n", text)
}
'''

CLUSTER_RECORDER = '''package %(package)s

import (
	"context"
	"runtime"
	"slices"
	"strings"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)
%(objects)s
// By name: a snapshot has no order. Without the pods of nodes that there are none of.
func nodesOf(pl *%(receiver)s) (nodes []fwk.NodeInfo) {
	all, _ := pl.sharedLister.NodeInfos().List()
	for _, node := range all {
		if node.Node() != nil {
			nodes = append(nodes, node)
		}
	}
	slices.SortFunc(nodes, func(a, b fwk.NodeInfo) int { return strings.Compare(a.Node().Name, b.Node().Name) })
	return nodes
}

func (r record) seen(pl *%(receiver)s) record {
	r["cluster"], r["objects"] = record{}.among(nodesOf(pl))["nodes"], objectsOf(pl)
	return r
}

func seePreFilter(ctx context.Context, pl *%(receiver)s, s fwk.CycleState, pod *v1.Pod, result *fwk.PreFilterResult, status *fwk.Status) {
	record{"pod": pod}.to(result).with(status).seen(pl).print("%(receiver)s", "PreFilter", %(gates)s)
	if !status.IsSuccess() {
		return
	}
	for _, node := range nodesOf(pl) {
		seeFilter(ctx, pl, s, pod, node)
	}
}

// Counts that a test looks at: what PreFilter and Filter make of them.
func seeCounts(ctx context.Context, pl *%(receiver)s, info fwk.PodInfo, nodes []fwk.NodeInfo) {
	if pc, _, _, _ := runtime.Caller(2); strings.Contains(runtime.FuncForPC(pc).Name(), "PreFilter") {
		return
	}
	pl.PreFilter(ctx, framework.NewCycleState(), info.GetPod(), nodes)
}

func seeFilter(ctx context.Context, pl *%(receiver)s, s fwk.CycleState, pod *v1.Pod, node fwk.NodeInfo) {
	record{"pod": pod, "node": node.Node().Name}.with(pl.Filter(ctx, s, pod, node)).seen(pl).print("%(receiver)s", "Filter", %(gates)s)
}

func seeChange(ctx context.Context, pl *%(receiver)s, call string, s fwk.CycleState, pod *v1.Pod, change fwk.PodInfo, node fwk.NodeInfo, status *fwk.Status) {
	record{"pod": pod, "changed": change.GetPod(), "node": node.Node().Name}.with(status).seen(pl).print("%(receiver)s", call, %(gates)s)
	seeFilter(ctx, pl, s, pod, node)
}

func seePreScore(ctx context.Context, pl *%(receiver)s, s fwk.CycleState, pod *v1.Pod, nodes []fwk.NodeInfo, status *fwk.Status) {
	names := []string{}
	for _, node := range nodes {
		names = append(names, node.Node().Name)
	}
	record{"pod": pod, "nodes": names}.with(status).seen(pl).print("%(receiver)s", "PreScore", %(gates)s)
	if !status.IsSuccess() {
		return
	}
	var list fwk.NodeScoreList
	for _, name := range names {
		node, _ := pl.sharedLister.NodeInfos().Get(name)
		score, _ := pl.Score(ctx, s, pod, node)
		list = append(list, fwk.NodeScore{Name: name, Score: score})
	}
	pl.NormalizeScore(ctx, s, pod, list)
	scores := map[string]int64{}
	for _, score := range list {
		scores[score.Name] = score.Score
	}
	record{"pod": pod, "scores": scores}.seen(pl).print("%(receiver)s", "NormalizeScore", %(gates)s)
}
'''


def copy_module(scratch):
    """Copies the module, so that files can be replaced, and returns the go.mod to build it with."""
    source = pathlib.Path(go('list', '-m', '-f', '{{.Dir}}', 'k8s.io/kubernetes').strip())
    copy = scratch / 'kubernetes'
    subprocess.run(['cp', '-r', str(source), str(copy)], check=True)
    subprocess.run(['chmod', '-R', 'u+w', str(copy)], check=True)
    for name in ('go.mod', 'go.sum'):
        (scratch / name).write_text((MODULE / name).read_text())
    subprocess.run(['go', 'mod', 'edit', f'-replace=k8s.io/kubernetes={copy}', str(scratch / 'go.mod')], check=True)
    return copy


def instrument(package, copy):
    folder = copy / 'pkg/scheduler/framework/plugins' / package
    for file, receiver, plugin, constructor, gates in PACKAGES[package]:
        text = (folder / file).read_text()
        hints = re.findall(rf'^func \(\w+ \*{receiver}\) (isSchedulableAfter\w+)\(logger klog', text, flags=re.M)
        calls = {**(CLUSTER_CALLS if package in CLUSTER else CALLS), **dict.fromkeys(hints, HINT)}
        held = 'map[string]bool{' + ', '.join(f'"{gate}": pl.{field}' for gate, field in gates.items()) + '}'
        for call, (takes, passes, answers, written_down) in calls.items():
            pattern = re.compile(rf'^func \((\w+) \*{receiver}\) {call}\(', re.M)
            if not pattern.search(text):
                continue
            text = pattern.sub(rf'func (\1 *{receiver}) recorded{call}(', text)
            results = 'r, r2' if ',' in answers else 'r'
            if not written_down.startswith('see'):
                seen = '.seen(pl)' if package in CLUSTER else ''
                written_down += f'{seen}.print("{plugin}", "{call}", {held})'
            text += (f'\nfunc (pl *{receiver}) {call}({takes}) ({answers}) {{\n\t{results} := pl.recorded{call}({passes})\n'
                     f'\t{written_down}\n\treturn {results}\n}}\n')
        if constructor:
            text = re.sub(rf'^(func {constructor}\(_ context\.Context, (\w+) runtime\.Object.*\{{)$', r'\1\n\trecordedArgs = \2', text,
                          flags=re.M)
        (folder / file).write_text(text)
    (folder / 'recorder.go').write_text(RECORDER % package)
    if package in CLUSTER:
        values = {'package': package, 'objects': CLUSTER[package], 'receiver': receiver, 'gates': held}
        (folder / 'cluster_recorder.go').write_text(CLUSTER_RECORDER % values)


def go(*arguments):
    return subprocess.run(['go', *arguments], cwd=MODULE, check=True, capture_output=True, text=True).stdout


def case_names():
    """The cases to record, by package, test, and the name that `go test -v` prints."""
    left_out = yaml.safe_load((HERE / 'left-out.yaml').read_text())
    names = {}
    for line in go('run', './cmd/upstreamcases', '-list').splitlines():
        package, test, name = line.split('\t')
        if not any((entry['package'], entry['test']) == (package, test) and name in entry.get('names', [name]) for entry in left_out):
            names[package, test, written(name)] = name
    return names


def written(name):
    """The form of a subtest's name in `go test -v`."""
    return re.sub(r'\s', '_', name)


def lower(value):
    """Converts args of upstream's internal types to the names in configuration files."""
    if isinstance(value, dict):
        out = {key[0].lower() + key[1:]: lower(v) for key, v in value.items() if v is not None and key not in ('Kind', 'APIVersion')}
        return {key: v for key, v in out.items() if v not in ({}, [], '')}
    return [lower(v) for v in value] if isinstance(value, list) else value


UNSAID = ('creationTimestamp', 'daemonEndpoints')
TEXTS = ('labels', 'matchLabels', 'nodeSelector', 'annotations', 'selector')  # '' is a value
SET = ('labelSelector', 'namespaceSelector', 'selector', 'podAffinity', 'podAntiAffinity')  # {} is more than nothing


def slim(value, within=None):
    """Removes values without information: nulls, empty maps and lists, zero times."""
    if isinstance(value, dict):
        out = {key: slim(v, key) for key, v in value.items() if key not in UNSAID}
        return {key: v for key, v in out.items()
                if v is not None and v != [] and (v != {} or key in SET) and (v != '' or within in TEXTS)}
    if within == 'namespaces':  # upstream's tests leave namespaces empty, which our objects cannot
        return [v or 'default' for v in value]
    return [slim(v) for v in value] if isinstance(value, list) else value


def run(package, scratch, copy):
    instrument(package, copy)
    done = subprocess.run(['go', 'test', '-count=1', '-v', f'-modfile={scratch}/go.mod', '-mod=mod', PLUGINS + package], cwd=MODULE,
                          capture_output=True, text=True)
    if '@@' not in done.stdout or 'panic:' in done.stdout:
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    current, records = None, {}
    for line in done.stdout.splitlines():
        line = line.replace(MADE_UP, '') if package in CLUSTER else line
        if match := re.match(r'=== (?:RUN|CONT|NAME)\s+(\S+)', line):
            current = match[1]
        elif line.startswith('@@ ') and current:
            records.setdefault(current, []).append(json.loads(line[3:]))
    return records


def main():
    names = case_names()
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        copy = copy_module(scratch)
        for package in sys.argv[1:] or PACKAGES:
            write(package, run(package, scratch, copy), names)


def write(package, recorded, names):
    tests = {}
    for path, records in recorded.items():
        test, _, case = path.partition('/')
        if (package, test, case) in names:
            add(tests, test, names[package, test, case], records)
        elif not case:  # a test without subtests: one call for each of its cases
            cases = [name for (p, t, _), name in names.items() if (p, t) == (package, test)]
            if len(cases) == len(records):
                for name, one in zip(cases, records):
                    add(tests, test, name, [one])
    order = {(test, name): i for i, ((_, test, _), name) in enumerate(names.items())}  # some tests have the order of Go's maps
    for test, cases in tests.items():
        cases.sort(key=lambda case: order[test, case['name']])
    with open(HERE / f'{package}.yaml', 'w') as out:
        out.write(f'# Recorded by record.py from kube-scheduler 1.36.3: what the plugins of package {package} answered.\n')
        yaml.dump_all(({'package': package, 'test': test, 'cases': cases} for test, cases in tests.items()), out,
                           sort_keys=False, default_flow_style=None, width=140, explicit_start=True, Dumper=Plain)
    print(package, {test: len(cases) for test, cases in tests.items()})


class Plain(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True


def add(tests, test, name, records):
    if any('cluster' in r for r in records):  # a test may check more than one; the last one is its subject
        records = [r for r in records if r.get('cluster') == records[-1]['cluster']]
    calls = [call(r) for r in records if 'error' not in r]
    if not any(says_something(c) for c in calls) or removes_nothing(calls):
        return
    case = {'name': name}
    for key in ('plugin', 'args', 'gates', 'cluster', 'objects', 'pod'):  # recorded once if all calls agree
        values = [c.get(key) for c in calls]
        if values[0] is not None and all(value == values[0] for value in values):
            case['nodes' if key == 'cluster' else key] = values[0]
            for c in calls:
                del c[key]
    case['calls'] = calls
    tests.setdefault(test, []).append(case)


def says_something(call):
    """A Success of PreFilter or PreScore is needed only for later calls; without nodes it shows that it is no Skip."""
    return call['call'] not in ('PreFilter', 'PreScore') or call['code'] != 'Success' or call.get('cluster') == []


def removes_nothing(calls):
    """Berth's trials remove only existing pods, from the node of the trial."""
    there = [(node['node']['metadata'].get('name'), pod) for c in calls for node in c.get('cluster', []) for pod in node.get('pods', [])]
    there += [(c['node'], c['changed']) for c in calls if c['call'] == 'AddPod']
    return any(c['call'] == 'RemovePod' and (c['node'], c['changed']) not in there for c in calls)


def call(record):
    out = {'plugin': record['plugin'], 'call': record['call'], 'pod': slim(record.get('pod')),
           'gates': [gate for gate, on in record['gates'].items() if on] or None,
           'args': lower(record['args']) if record['args'] else None, 'cluster': cluster(record), 'objects': objects(record)}
    for key in ('node', 'old', 'new', 'pods', 'nodes', 'queued', 'changed'):
        if record.get(key) is not None:
            out[key] = slim(record[key])
    for key in ('code', 'reasons', 'score', 'scores', 'hint', 'less'):
        if record.get(key) is not None:
            out[key] = record[key]
    if record.get('code') == 'Success' and 'result' in record:
        out['result'] = sorted(record['result']) if isinstance(record['result'], list) else record['result']
    return {key: value for key, value in out.items() if value is not None}


def cluster(record):
    return [slim(n) for n in record['cluster'] or []] if 'cluster' in record else None


def objects(record):
    """Sorts the objects, because listers have no order."""
    found = [{'apiVersion': o['apiVersion'], 'kind': o['kind'], **slim(o['object'])} for o in record.get('objects') or []]
    for one in found:
        if one['kind'] == 'Namespace':  # as in slim
            one.setdefault('metadata', {}).setdefault('name', 'default')
    return sorted(found, key=str) or None


if __name__ == '__main__':
    main()
