"""Writes what this folder knows of the messages of Kubernetes: fields.h and message_types.inc.

fields.h has the numbers of the fields that a source file of this folder names, as `fields::PodSpec::kContainers`.
message_types.inc has the tables of the transcoder: every message that is part of a kind of KINDS, with the name of each
field in JSON and what encoding/json of Go writes for its zero value, without metadata.managedFields.

The numbers and types come from the files generated.proto of k8s.io/api and k8s.io/apimachinery, in the versions of
tests/conformance/go.mod; the names in JSON come from the tags of the Go structs beside them. Run it after a change of
that version, of a decoder, or of an encoder:  python3 host/api/protobuf/generate.py
--check writes nothing and fails when the files differ from what it would write.
"""

import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MODULE = HERE.parents[2] / 'tests' / 'conformance'

# Where the messages are whose numbers the source files name. CHOSEN: of names that several packages have.
APIMACHINERY = 'k8s.io.apimachinery.pkg.'
PACKAGES = (['k8s.io.api.core.v1', 'k8s.io.api.coordination.v1'] +
            [APIMACHINERY + name for name in ('apis.meta.v1', 'runtime', 'api.resource', 'util.intstr')])
CHOSEN = {'TypeMeta': APIMACHINERY + 'runtime.TypeMeta', 'Event': 'k8s.io.api.events.v1.Event',
          'CoreEvent': 'k8s.io.api.core.v1.Event'}

# API version: kinds that are read or written as protobuf. Those of other versions stay JSON.
KINDS = {
    'v1': ['Pod', 'Node', 'Namespace', 'Service', 'ReplicationController', 'PersistentVolume', 'PersistentVolumeClaim',
           'ConfigMap', 'LimitRange', 'ResourceQuota', 'Event', 'Binding'],
    'apps/v1': ['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet'],
    'batch/v1': ['Job'],
    'policy/v1': ['PodDisruptionBudget'],
    'storage.k8s.io/v1': ['StorageClass', 'CSINode', 'CSIDriver', 'CSIStorageCapacity', 'VolumeAttachment',
                          'VolumeAttributesClass'],
    'resource.k8s.io/v1': ['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice', 'DeviceClass'],
    'scheduling.k8s.io/v1': ['PriorityClass'],
    'node.k8s.io/v1': ['RuntimeClass'],
    'events.k8s.io/v1': ['Event'],
    'coordination.k8s.io/v1': ['Lease'],
}
LEFT_OUT = {('ObjectMeta', 'managedFields')}

SCALARS = {'string': 'kText', 'int32': 'kInt32', 'int64': 'kInt64', 'bool': 'kBool', 'bytes': 'kBytes'}
SPECIAL = {
    APIMACHINERY + 'api.resource.Quantity': 'kQuantity',
    APIMACHINERY + 'apis.meta.v1.Time': 'kTime',
    APIMACHINERY + 'apis.meta.v1.MicroTime': 'kMicroTime',
    APIMACHINERY + 'apis.meta.v1.Duration': 'kDuration',
    APIMACHINERY + 'util.intstr.IntOrString': 'kIntOrString',
    APIMACHINERY + 'runtime.RawExtension': 'kRawExtension',
}

FIELD = re.compile(r'^  (optional|repeated|required)?\s*(map<string, *([\w.]+)>|[\w.]+) (\w+) = (\d+);')
GO_FIELD = re.compile(r'^\t(?:(\w+)\s+)?(\S+)\s+`([^`]*)`')
USED = re.compile(r'\b(\w+)::k(\w+)')
ALIAS = re.compile(r'\busing (\w+) = fields::(\w+);')


def module_folder(module):
    found = subprocess.run(['go', 'list', '-m', '-f', '{{.Dir}}', module], cwd=MODULE, check=True, capture_output=True,
                           text=True)
    return pathlib.Path(found.stdout.strip())


def go_structs(folder):
    """Struct name: {field number: (JSON name, options, is a pointer, Go type)}."""
    structs = {}
    for path in sorted(folder.glob('*.go')):
        if path.name.endswith('_test.go') or path.name.startswith('generated') or path.name.startswith('zz_'):
            continue
        fields = None
        for line in path.read_text().split('\n'):
            begin = re.match(r'^type (\w+) struct {', line)
            if begin:
                fields = structs.setdefault(begin.group(1), {})
            elif line.startswith('}'):
                fields = None
            elif fields is not None and (found := GO_FIELD.match(line)):
                json_tag = re.search(r'json:"([^"]*)"', found.group(3))
                number = re.search(r'protobuf:"\w+,(\d+),', found.group(3))
                if json_tag and number:
                    name, *options = json_tag.group(1).split(',')
                    fields[int(number.group(1))] = (name, options, found.group(2).startswith('*'), found.group(2))
    return structs


class Messages:
    """All messages of generated.proto files: full name -> [(number, name, label, type, Go tag)]."""

    def __init__(self, roots):
        self.fields, self.go = {}, {}
        for root in roots:
            for path in sorted(root.rglob('generated.proto')):
                self.read(path)

    def read(self, path):
        text = path.read_text()
        package = re.search(r'^package ([\w.]+);', text, re.M).group(1)
        structs = go_structs(path.parent)
        message = None
        for line in text.split('\n'):
            begin = re.match(r'^message (\w+) {', line)
            if begin:
                message = f'{package}.{begin.group(1)}'
                self.fields[message] = []
                self.go[message] = structs.get(begin.group(1), {})
            elif line.startswith('}'):
                message = None
            elif message and (found := FIELD.match(line)):
                label, kind, value, name, number = found.groups()
                kind = value or kind
                if kind not in SCALARS and not kind.startswith('.'):
                    kind = f'.{package}.{kind}' if f'{package}.{kind}' in self.fields or '.' not in kind else f'.{kind}'
                shape = 'kMap' if value else 'kRepeated' if label == 'repeated' else 'kSingle'
                self.fields[message].append((int(number), name, shape, kind.lstrip('.')))


def package_of(api_version):
    group, _, version = api_version.rpartition('/')
    return f'k8s.io.api.{(group or "core").split(".")[0]}.{version}'


def path_of(api_version, kind):
    name = kind.lower()
    plural = name[:-1] + 'ies' if name.endswith('y') else name + 'es' if name.endswith('s') else name + 's'
    return ('/api/' if '/' not in api_version else '/apis/') + api_version + '/' + plural


def row(messages, message, field, indexes):
    """One field of a table, as the initializer of a FieldType."""
    number, name, shape, kind = field
    tag = messages.go[message].get(number)
    if tag is None:
        sys.exit(f'{message}.{name}: no field of the Go struct has the number {number}')
    json_name, options, pointer, _ = tag
    fieldtype = SCALARS.get(kind) or SPECIAL.get(kind) or 'kMessage'
    is_struct = shape == 'kSingle' and kind not in SCALARS and not pointer
    if 'inline' in options:
        if not is_struct:
            sys.exit(f'{message}.{name}: an inline field that is no struct')
        shape = 'kInline'
    if 'omitzero' in options and fieldtype != 'kTime':
        sys.exit(f'{message}.{name}: omitzero of something else than a time')
    leaves_out = 'omitzero' in options or ('omitempty' in options and not is_struct)
    absent = 'kNothing' if leaves_out else 'kZero' if shape in ('kSingle', 'kInline') and not pointer and kind != 'bytes' else 'kNull'
    omit_zero = leaves_out and not pointer and shape == 'kSingle'
    return (f'{{"{json_name}", {number}, {indexes.get(kind, 0)}, FieldType::{fieldtype}, Shape::{shape}, '
            f'Absent::{absent}, {str(omit_zero).lower()}}},')


def reachable(messages, roots):
    order, waiting = [], list(roots)
    while waiting:
        message = waiting.pop(0)
        if message in order or message in SPECIAL:
            continue
        order.append(message)
        short = message.rpartition('.')[2]
        waiting += [kind for _, name, _, kind in messages.fields[message]
                    if kind not in SCALARS and (short, name) not in LEFT_OUT]
    return order


def tables(messages):
    kinds = [(version, kind) for version, names in KINDS.items() for kind in names]
    order = reachable(messages, [f'{package_of(version)}.{kind}' for version, kind in kinds])
    indexes = {message: i for i, message in enumerate(order)}
    lines = ['// Written by generate.py: do not edit.', '', 'constexpr Field kFields[] = {']
    spans, n = [], 0
    for message in order:
        short = message.rpartition('.')[2]
        lines.append(f'    // {message}')
        rows = [row(messages, message, field, indexes) for field in sorted(messages.fields[message])
                if (short, field[1]) not in LEFT_OUT]
        lines += ['    ' + one for one in rows]
        spans.append((n, len(rows), message))
        n += len(rows)
    lines += ['};', '', 'constexpr MessageType kMessages[] = {']
    lines += [f'    {{{first}, {count}}},  // {i}: {message}' for i, (first, count, message) in enumerate(spans)]
    lines += ['};', '', 'constexpr KindType kKinds[] = {']
    lines += [f'    {{"{path_of(version, kind)}", "{version}", "{kind}", {indexes[f"{package_of(version)}.{kind}"]}}},'
              for version, kind in kinds]
    return '\n'.join(lines + ['};', ''])


def used_fields():
    used = {}
    for path in sorted(HERE.glob('*.cc')):
        text = path.read_text()
        names = dict(ALIAS.findall(text)) | {name: name for name in re.findall(r'\bfields::(\w+)::', text)}
        for name, field in USED.findall(text):
            if name in names:
                used.setdefault(names[name], set()).add(field)
    return used


def numbers(messages, message, wanted):
    """The numbers of the wanted fields. Packages that share the name of a message must agree, or CHOSEN has it."""
    found = []
    for full in [CHOSEN[message]] if message in CHOSEN else [f'{package}.{message}' for package in PACKAGES]:
        have = {name[0].upper() + name[1:]: number for number, name, _, _ in messages.fields.get(full, [])}
        if wanted <= set(have):
            found.append({name: have[name] for name in wanted})
    if not found or any(one != found[0] for one in found):
        sys.exit(f'no message {message}, or several that differ, with the fields {", ".join(sorted(wanted))}')
    return found[0]


def header(messages):
    lines = ['// The numbers of the fields that the source files name. Written by generate.py: do not edit.', '#pragma once', '',
             '#include <cstdint>', '', 'namespace berth::protobuf::fields {', '']
    for message, wanted in sorted(used_fields().items()):
        lines.append(f'struct {message} {{')
        found = numbers(messages, message, wanted)
        for name in sorted(wanted, key=found.get):
            lines.append(f'  static constexpr uint32_t k{name} = {found[name]};')
        lines.append('};')
    return '\n'.join(lines + ['', '}  // namespace berth::protobuf::fields', ''])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--check', action='store_true')
    check = parser.parse_args().check
    messages = Messages([module_folder('k8s.io/api'), module_folder('k8s.io/apimachinery')])
    differ = []
    for name, text in (('fields.h', header(messages)), ('message_types.inc', tables(messages))):
        path = HERE / name
        if path.exists() and path.read_text() == text:
            continue
        differ.append(name)
        if not check:
            path.write_text(text)
    if check and differ:
        sys.exit(f'{", ".join(differ)}: not what host/api/protobuf/generate.py writes; run it')


main()
