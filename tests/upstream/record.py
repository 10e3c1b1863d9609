"""Writes the facts of kube-scheduler's own plugin tests down: objects, args, and what the plugins answered, by case name.

Runs upstream's tests in a copy of the module that has recorders around the plugins' PreFilter, Filter and Score, and
collects what they print into one YAML file per package. Needs the conformance module's Go; run it after a change of
the Kubernetes version:  python3 tests/upstream/record.py
"""

import json
import pathlib
import re
import subprocess
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE.parent / 'conformance'
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
}

POD = 'pod *v1.Pod'
NODE = 'node fwk.NodeInfo'
STATE = 'ctx context.Context, s fwk.CycleState'
# call: (arguments, what is passed on, results, how the results are written down)
CALLS = {
    'Less': ('a, b fwk.QueuedPodInfo', 'a, b', 'bool', 'recordLess(a, b, r)'),
    'PreEnqueue': (f'ctx context.Context, {POD}', 'ctx, pod', '*fwk.Status', 'record{"pod": pod}.with(r)'),
    'PreFilter': (f'{STATE}, {POD}, nodes []fwk.NodeInfo', 'ctx, s, pod, nodes', '*fwk.PreFilterResult, *fwk.Status',
                  'record{"pod": pod}.with(r2)'),
    'Filter': (f'{STATE}, {POD}, {NODE}', 'ctx, s, pod, node', '*fwk.Status', 'record{"pod": pod}.on(node).with(r)'),
    'PreScore': (f'{STATE}, {POD}, nodes []fwk.NodeInfo', 'ctx, s, pod, nodes', '*fwk.Status',
                 'record{"pod": pod}.among(nodes).with(r)'),
    'Score': (f'{STATE}, {POD}, {NODE}', 'ctx, s, pod, node', 'int64, *fwk.Status',
              'record{"pod": pod, "score": r}.on(node).with(r2)'),
}
HINT = ('logger klog.Logger, pod *v1.Pod, oldObj, newObj interface{}', 'logger, pod, oldObj, newObj', 'fwk.QueueingHint, error',
        'record{"pod": pod, "old": oldObj, "new": newObj, "hint": r.String()}.failed(r2)')

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


def copy_module(scratch):
    """A copy of the module, in which files can be replaced; answers the go.mod to build it with."""
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
        for call, (takes, passes, answers, written_down) in {**CALLS, **dict.fromkeys(hints, HINT)}.items():
            pattern = re.compile(rf'^func \((\w+) \*{receiver}\) {call}\(', re.M)
            if not pattern.search(text):
                continue
            text = pattern.sub(rf'func (\1 *{receiver}) recorded{call}(', text)
            results = 'r, r2' if ',' in answers else 'r'
            held = ', '.join(f'"{gate}": pl.{field}' for gate, field in gates.items())
            text += (f'\nfunc (pl *{receiver}) {call}({takes}) ({answers}) {{\n\t{results} := pl.recorded{call}({passes})\n'
                     f'\t{written_down}.print("{plugin}", "{call}", map[string]bool{{{held}}})\n\treturn {results}\n}}\n')
        if constructor:
            text = re.sub(rf'^(func {constructor}\(_ context\.Context, (\w+) runtime\.Object.*\{{)$', r'\1\n\trecordedArgs = \2', text,
                          flags=re.M)
        (folder / file).write_text(text)
    (folder / 'recorder.go').write_text(RECORDER % package)


def go(*arguments):
    return subprocess.run(['go', *arguments], cwd=MODULE, check=True, capture_output=True, text=True).stdout


def case_names():
    """The cases that are to be recorded, by package, test and the name that `go test -v` prints."""
    left_out = yaml.safe_load((HERE / 'left-out.yaml').read_text())
    names = {}
    for line in go('run', './cmd/upstreamcases', '-list').splitlines():
        package, test, name = line.split('\t')
        if not any((entry['package'], entry['test']) == (package, test) and name in entry.get('names', [name]) for entry in left_out):
            names[package, test, written(name)] = name
    return names


def written(name):
    """As `go test -v` writes a subtest's name."""
    return re.sub(r'\s', '_', name)


def lower(value):
    """Args of upstream's internal types, spelt as configuration spells them."""
    if isinstance(value, dict):
        out = {key[0].lower() + key[1:]: lower(v) for key, v in value.items() if v is not None and key not in ('Kind', 'APIVersion')}
        return {key: v for key, v in out.items() if v not in ({}, [], '')}
    return [lower(v) for v in value] if isinstance(value, list) else value


def slim(value):
    """Without what says nothing: nulls, empty maps and lists, zero times."""
    if isinstance(value, dict):
        out = {key: slim(v) for key, v in value.items() if key not in ('creationTimestamp', 'daemonEndpoints')}
        return {key: v for key, v in out.items() if v not in (None, {}, [], '')}
    return [slim(v) for v in value] if isinstance(value, list) else value


def run(package, scratch, copy):
    instrument(package, copy)
    done = subprocess.run(['go', 'test', '-count=1', '-v', f'-modfile={scratch}/go.mod', '-mod=mod', PLUGINS + package], cwd=MODULE,
                          capture_output=True, text=True)
    if '@@' not in done.stdout:
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    current, records = None, {}
    for line in done.stdout.splitlines():
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
        for package in PACKAGES:
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
    with open(HERE / f'{package}.yaml', 'w') as out:
        out.write(f'# Recorded by record.py from kube-scheduler 1.36.3: what the plugins of package {package} answered.\n')
        yaml.dump_all(({'package': package, 'test': test, 'cases': cases} for test, cases in tests.items()), out,
                           sort_keys=False, default_flow_style=None, width=140, explicit_start=True, Dumper=Plain)
    print(package, {test: len(cases) for test, cases in tests.items()})


class Plain(yaml.SafeDumper):
    def ignore_aliases(self, data):
        return True


def add(tests, test, name, records):
    calls = [call(r) for r in records if 'error' not in r]
    if not calls:
        return
    case = {'name': name}
    for key in ('plugin', 'args', 'gates', 'pod'):  # said once where all calls agree
        values = [c.get(key) for c in calls]
        if values[0] is not None and all(value == values[0] for value in values):
            case[key] = values[0]
            for c in calls:
                del c[key]
    case['calls'] = calls
    tests.setdefault(test, []).append(case)


def call(record):
    out = {'plugin': record['plugin'], 'call': record['call'], 'gates': [gate for gate, on in record['gates'].items() if on] or None, 'pod': slim(record.get('pod')),
           'args': lower(record['args']) if record['args'] else None}
    for key in ('node', 'old', 'new', 'pods', 'nodes', 'queued'):
        if record.get(key) is not None:
            out[key] = slim(record[key])
    for key in ('code', 'reasons', 'score', 'hint', 'less'):
        if record.get(key) is not None:
            out[key] = record[key]
    return {key: value for key, value in out.items() if value is not None}


if __name__ == '__main__':
    main()
