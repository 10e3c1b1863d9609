"""Records the cases of upstream's tests of the volume plugins, like record.py, with the objects in a case's listers.

Upstream's tests call the binder. The recorder calls a VolumeBinding plugin with that binder, so that it records a plugin.
Run it after a change of the Kubernetes version:  python3 tests/upstream/record_volumes.py
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import record  # noqa: E402

HERE = record.HERE

# package: (file, receiver, plugin, the listers that its tests fill, its gate, the recorded tests)
PACKAGES = {
    'volumezone': ('volume_zone.go', 'VolumeZone', 'VolumeZone', 'pl.pvLister, pl.pvcLister, pl.scLister', '', 'Test'),
    'volumerestrictions': ('volume_restrictions.go', 'VolumeRestrictions', 'VolumeRestrictions', 'pl.pvcLister', '', 'Test'),
    'nodevolumelimits': ('csi.go', 'CSILimits', 'NodeVolumeLimits',
                         'heldBy(pl.csiManager), pl.pvLister, pl.pvcLister, pl.scLister, pl.vaIndexer, pl.csiDriverLister',
                         '"VolumeLimitScaling": pl.enableVolumeLimitScaling', 'Test'),
    'volumebinding': ('volume_binding.go', 'VolumeBinding', 'VolumeBinding', 'heldBy(pl), pl.classLister',
                      '"StorageCapacityScoring": pl.fts.EnableStorageCapacityScoring',
                      'TestVolumeBinding|TestIsSchedulable|TestFindPodVolumes|TestCapacity|TestFindAssumeVolumes'),
}

# Added to a package: the objects of its listers, in the order of their kinds and names.
OBJECTS = '''package %s

import (
	"reflect"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

func objectsOf(listers ...any) []runtime.Object {
	var all []runtime.Object
	for _, l := range listers {
		all = append(all, listed(reflect.ValueOf(l))...)
	}
	return all
}

// The object with its kind.
func kinded(any any) any {
	object, ok := any.(runtime.Object)
	if !ok || reflect.ValueOf(object).IsNil() {
		return nil
	}
	object = object.DeepCopyObject()
	if kinds, _, err := scheme.Scheme.ObjectKinds(object); err == nil {
		object.GetObjectKind().SetGroupVersionKind(kinds[0])
	}
	return object
}

func listed(l reflect.Value) []runtime.Object {
	if !l.IsValid() || (l.Kind() == reflect.Pointer && l.IsNil()) {
		return nil
	}
	if l.Kind() == reflect.Slice {
		var all []runtime.Object
		for i := range l.Len() {
			item := l.Index(i)
			if item.Kind() == reflect.Interface {
				item = item.Elem()
			}
			if item.Kind() == reflect.Struct {
				item = item.Addr()
			}
			all = append(all, kinded(item.Interface()).(runtime.Object))
		}
		return all
	}
	method := l.MethodByName("List")
	if method.Type().NumIn() == 0 {
		return listed(method.Call(nil)[0])
	}
	return listed(method.Call([]reflect.Value{reflect.ValueOf(labels.Everything())})[0])
}
'''

# csiManager holds a lister that may be a slice.
MANAGER = '''
func heldBy(manager fwk.CSIManager) any {
	if m, ok := manager.(*DefaultCSIManager); ok {
		return m.csiNodeLister.csiNodeLister
	}
	return nil
}
'''

# The objects in a binder's caches.
HELD = '''package volumebinding

type held struct{ listers []any }

func (h held) List() []any {
	var all []any
	for _, one := range h.listers {
		for _, o := range objectsOf(one) {
			all = append(all, o)
		}
	}
	return all
}

func heldBy(pl *VolumeBinding) any {
	if b, ok := pl.Binder.(*volumeBinder); ok {
		return held{[]any{b.pvCache.store, b.pvcCache.store, b.csiNodeLister, b.csiDriverLister, b.csiStorageCapacityLister}}
	}
	return nil
}
'''

# A plugin with the binder of upstream's tests, instead of their helper. It also reserves a node that passes, and records
# the volumes of the claims and the claims to provision.
ASKED = '''package volumebinding

import (
	"context"
	"errors"

	v1 "k8s.io/api/core/v1"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

func (b *volumeBinder) asked(pod *v1.Pod, node *v1.Node, volumes *PodVolumes) {
	pl := &VolumeBinding{Binder: b, PVCLister: corelisters.NewPersistentVolumeClaimLister(b.pvcCache.store), classLister: b.classLister}
	ctx, state, info := context.Background(), framework.NewCycleState(), framework.NewNodeInfo()
	info.SetNode(node)
	if _, status := pl.PreFilter(ctx, state, pod, nil); !status.IsSuccess() || !pl.Filter(ctx, state, pod, info).IsSuccess() {
		return
	}
	statics, provisioned := map[string]string{}, []string{}
	for _, binding := range volumes.StaticBindings {
		statics[binding.pv.Name] = binding.pvc.Name
	}
	for _, provision := range volumes.DynamicProvisions {
		provisioned = append(provisioned, provision.PVC.Name)
	}
	r := record{"objects": objectsOf(heldBy(pl), pl.classLister), "pod": pod, "statics": statics, "provisioned": provisioned}
	r.on(info).print("VolumeBinding", "Reserve", nil)
}

func findPodVolumes(logger klog.Logger, binder SchedulerVolumeBinder, pod *v1.Pod, node *v1.Node) (volumes *PodVolumes, reasons ConflictReasons, err error) {
	defer func() { binder.(*volumeBinder).asked(pod, node, volumes) }()
	claims, err := binder.GetPodVolumeClaims(logger, pod)
	if err != nil {
		return nil, nil, err
	}
	if len(claims.unboundClaimsImmediate) > 0 {
		return nil, nil, errors.New("immediate")
	}
	return binder.FindPodVolumes(logger, pod, claims, node)
}
'''


def instrument(package, copy):
    file, receiver, plugin, listers, gate, _ = PACKAGES[package]
    folder = copy / 'pkg/scheduler/framework/plugins' / package
    text = (folder / file).read_text()
    hints = re.findall(rf'^func \(\w+ \*{receiver}\) (isSchedulableAfter\w+)\(logger klog', text, flags=re.M)
    for name, (takes, passes, answers, written_down) in {**record.CALLS, **dict.fromkeys(hints, record.HINT)}.items():
        pattern = re.compile(rf'^func \((\w+) \*{receiver}\) {name}\(', re.M)
        if not pattern.search(text):
            continue
        text = pattern.sub(rf'func (\1 *{receiver}) recorded{name}(', text)
        results = 'r, r2' if ',' in answers else 'r'
        for side in ('old', 'new'):
            written_down = written_down.replace(f'{side}Obj', f'kinded({side}Obj)')
        written_down = written_down.replace('record{', f'record{{"objects": objectsOf({listers}), ', 1)
        text += (f'\nfunc (pl *{receiver}) {name}({takes}) ({answers}) {{\n\t{results} := pl.recorded{name}({passes})\n'
                 f'\t{written_down}.print("{plugin}", "{name}", map[string]bool{{{gate}}})\n\treturn {results}\n}}\n')
    (folder / file).write_text(text + (MANAGER if package == 'nodevolumelimits' else ''))
    (folder / 'recorder.go').write_text(record.RECORDER % package)
    (folder / 'objects.go').write_text(OBJECTS % package)
    if package == 'volumebinding':
        (folder / 'held.go').write_text(HELD)
        (folder / 'asked_test.go').write_text(ASKED)
        test = folder / 'binder_test.go'
        test.write_text(test.read_text().replace('\nfunc findPodVolumes(', '\nfunc upstreamsFindPodVolumes('))


def recorded(package, scratch, copy):
    """The calls by the path of their (sub)test."""
    instrument(package, copy)
    done = subprocess.run(['go', 'test', '-count=1', '-v', '-parallel=1', f'-run={PACKAGES[package][-1]}', f'-modfile={scratch}/go.mod',
                           '-mod=mod', record.PLUGINS + package], cwd=record.MODULE, capture_output=True, text=True)
    if '@@' not in done.stdout:
        raise SystemExit(done.stdout[-3000:] + done.stderr[-3000:])
    current, calls = None, {}
    for line in done.stdout.splitlines():
        if match := re.match(r'=== (?:RUN|CONT|NAME)\s+(\S+)', line):
            current = match[1]
        elif line.startswith('@@ ') and current:
            calls.setdefault(current, []).append(call(json.loads(line[3:])))
    return calls


def slim(value):
    """Removes values without information. Empty maps and texts may have some: an empty selector, a label's value."""
    if isinstance(value, dict):
        dull = ('creationTimestamp', 'daemonEndpoints', 'nodeInfo')
        out = {key: slim(v) for key, v in value.items() if v is not None and key not in dull}
        return {key: v for key, v in out.items() if v or key not in ('status', 'resources', 'spec')}
    return [slim(v) for v in value] if isinstance(value, list) else value


def identify(made):
    """Sets the names of objects, and the uids of pods with ephemeral claims, as an API server does."""
    for side in ('old', 'new'):
        if made.get(side, {}).get('kind', 'Pod') not in ('Pod', 'Node'):
            made[side]['metadata'].setdefault('name', 'unnamed')
    for pod in (pod for pod in [made.get('pod'), *made.get('pods', [])] if pod):
        if any('ephemeral' in volume for volume in pod.get('spec', {}).get('volumes', [])):
            pod['metadata'].setdefault('uid', 'pod')
    for o in made.get('objects', []):
        for owner in o['metadata'].get('ownerReferences', []):
            owner['uid'] = owner['uid'] or 'pod'


def call(raw):
    if 'error' in raw:
        return None
    gates = [gate for gate, on in (raw.get('gates') or {}).items() if on]
    out = {'plugin': raw['plugin'], 'call': raw['call'], 'gates': gates or None}
    for key in ('objects', 'pod', 'node', 'pods', 'old', 'new', 'nodes'):
        if raw.get(key):
            out[key] = slim(raw[key])
    identify(out)
    for key in ('code', 'reasons', 'score', 'hint', 'statics', 'provisioned'):
        if raw.get(key) is not None:
            out[key] = raw[key]
    if 'reasons' in out:  # upstream's fake listers know their resources in the plural only
        out['reasons'] = [re.sub(r'\b(persistentvolumeclaim|persistentvolume|storageclass)e?s(?=[ .])', r'\1', reason)
                          for reason in out['reasons']]
    return {key: value for key, value in out.items() if value is not None}


def pods_of(calls):
    for c in calls:
        yield from (pod for pod in [c.get('pod'), *c.get('pods', [])] if pod)


def claims_of(pods):
    """Namespaces and names of the claims that pods use."""
    for pod in pods:
        metadata = pod['metadata']
        for volume in pod.get('spec', {}).get('volumes', []):
            if claim := volume.get('persistentVolumeClaim'):
                yield metadata.get('namespace'), claim['claimName']
            elif 'ephemeral' in volume:
                yield metadata.get('namespace'), f"{metadata.get('name', '')}-{volume['name']}"


def class_of(o):
    beta = o['metadata'].get('annotations', {}).get('volume.beta.kubernetes.io/storage-class')
    return beta or o.get('spec', {}).get('storageClassName')


def relevant(objects, pods):
    """Removes claims that no pod of the case uses, their classes, and volumes that no claim can use."""
    named = set(claims_of(pods))
    claims = [o for o in objects if o['kind'] == 'PersistentVolumeClaim' and (o['metadata'].get('namespace'), o['metadata'].get('name')) in named]
    classes = {class_of(o) for o in claims}
    volumes = {o.get('spec', {}).get('volumeName') for o in claims}
    volumes |= {o['spec']['source'].get('persistentVolumeName') for o in objects if o['kind'] == 'VolumeAttachment'}
    waiting = None in volumes

    def keeps(o):
        name = o['metadata'].get('name')
        return {'PersistentVolumeClaim': o in claims, 'StorageClass': name in classes,
                'PersistentVolume': name in volumes or waiting and class_of(o) in classes}.get(o['kind'], True)
    return [o for o in objects if keeps(o)]


def answers_of(case):
    return [{key: c.get(key) for key in ('call', 'code', 'reasons', 'statics', 'provisioned')} for c in case['calls']]


def distinct(cases):
    """Keeps one of several runs of a case with the same results."""
    kept = []
    for case in cases:
        if not any(answers_of(case) == answers_of(other) for other in kept):
            kept.append(case)
    return kept


def case_of(name, calls):
    """Moves values that all calls of a case share to the case."""
    pods = list(pods_of(calls))
    listed = {(o['kind'], o['metadata'].get('namespace', ''), o['metadata'].get('name', '')): o for c in calls for o in c.pop('objects', [])}
    objects = relevant([listed[key] for key in sorted(listed)], pods)
    case = {'name': name, **({'objects': objects} if objects else {})}
    for key in ('plugin', 'pod'):
        values = [c.get(key) for c in calls]
        if values[0] is not None and all(value == values[0] for value in values):
            case[key] = values[0]
            for c in calls:
                c.pop(key)
    case['calls'] = calls
    return case


def cases_of(test, calls, names):
    """The cases of a test by upstream's names. A case in several subtests has several runs."""
    out = {}
    for path, made in calls.items():
        top, *rest = path.split('/')
        if top != test or any(c is None or 'gates' in c for c in made):
            continue
        found = [names.get((test, part)) for part in rest]
        if found and found[-1] is not None:
            out.setdefault(found[-1], []).append(made)
    return out


def write(package, calls, names):
    documents, counts = [], {}
    for test in dict.fromkeys(path.split('/')[0] for path in calls):
        cases = []
        for name, runs in cases_of(test, calls, names).items():
            cases += distinct(case_of(name, made) for made in runs)
        documents.append({'package': package, 'test': test, 'cases': cases})
        counts[test] = len({case['name'] for case in cases})
    with open(HERE / f'{package}.yaml', 'w') as out:
        out.write(f'# Recorded by record_volumes.py from kube-scheduler 1.36.3: what the plugin of package {package} answered.\n')
        yaml.dump_all([d for d in documents if d['cases']], out, sort_keys=False, default_flow_style=None, width=140, explicit_start=True,
                      Dumper=Plain)
    print(package, counts)


class Plain(record.Plain):
    pass


# y and n are booleans in YAML 1.1.
Plain.add_implicit_resolver('tag:yaml.org,2002:bool', re.compile('^[yYnN]$'), list('yYnN'))


def names_of():
    """The names of the cases to record, by test and by their form in `go test -v`."""
    left_out = yaml.safe_load((record.HERE / 'left-out.yaml').read_text())
    names = {}
    for line in record.go('run', './cmd/upstreamcases', '-list').splitlines():
        package, test, name = line.split('\t')
        if not any((e['package'], e['test']) == (package, test) and name in e.get('names', [name]) for e in left_out):
            names.setdefault(package, {})[test, record.written(name)] = name
    return names


def main():
    names = names_of()
    with tempfile.TemporaryDirectory() as directory:
        scratch = pathlib.Path(directory)
        copy = record.copy_module(scratch)
        for package in sys.argv[1:] or PACKAGES:
            write(package, recorded(package, scratch, copy), names.get(package, {}))


if __name__ == '__main__':
    main()
