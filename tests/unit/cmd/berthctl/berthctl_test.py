"""Runs berthctl as a user does: output, positions in errors, and exit codes."""

import http.server
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import textwrap
import threading
import time
import unittest

BERTHCTL = os.environ['BERTHCTL']
TOP = pathlib.Path(os.environ['BERTH_TOP'])
ZOO = pathlib.Path(os.environ['BERTH_ZOO'])
PLUGINS = str(pathlib.Path(BERTHCTL).parents[1] / 'lib/berth/plugins')

# Source: addKnownTypes in apis/config/v1/register.go of scheduler-plugins.
SUITE = ['Coscheduling', 'NodeResourcesAllocatable', 'TargetLoadPacking', 'LoadVariationRiskBalancing', 'LowRiskOverCommitment',
         'NodeResourceTopologyMatch', 'PreemptionToleration', 'TopologicalSort', 'NetworkOverhead', 'SySched', 'Peaks', 'NodeMetadata']

NODE = '''
apiVersion: v1
kind: Node
metadata: {name: %s}
status: {allocatable: {cpu: 4, memory: 8Gi, pods: 10}}
'''
POD = '''
apiVersion: v1
kind: Pod
metadata: {name: %s}
spec: {containers: [{name: c, image: nginx, resources: {requests: {cpu: %s}}}]}
'''


class Ctl(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)

    def file(self, name, text):
        path = self.dir / name
        path.write_text(textwrap.dedent(text))
        return str(path)

    def run_ctl(self, *arguments, code=0, text=None):
        done = subprocess.run([BERTHCTL, *arguments], capture_output=True, text=True, input=text)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def config(self, profile):
        head = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n'
        return self.file('config.yaml', head + textwrap.dedent(profile))

    def simulate(self, *arguments, manifests, **more):
        return self.run_ctl('simulate', '-f', self.file('cluster.yaml', manifests), *arguments, **more)

    def attempts(self, *arguments, manifests):
        return json.loads(self.simulate('-o', 'json', *arguments, manifests=manifests).stdout)['pods']


class Simulate(Ctl):
    def test_json_is_the_documented_format(self):
        result = json.loads(self.simulate('-o', 'json', manifests='\n---\n'.join([NODE % 'n1', POD % ('p', 1), POD % ('q', 9)])).stdout)
        self.assertEqual(list(result), ['apiVersion', 'kind', 'pods'])
        self.assertEqual((result['apiVersion'], result['kind']), ('berth.dev/v1alpha1', 'SimulationResult'))
        p, q = result['pods']
        self.assertEqual(p, {'pod': 'default/p', 'profile': 'default-scheduler', 'result': 'Scheduled', 'node': 'n1', 'ties': 1,
                             'generation': 1, 'message': '', 'nominatedNode': '', 'victims': [],
                             'nodes': [{'name': 'n1', 'verdict': 'Success', 'plugin': '', 'reasons': [], 'scores': {}, 'total': 0}]})
        self.assertEqual(q['message'], '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: '
                         '0/1 nodes are available: 1 Preemption is not helpful for scheduling.')
        self.assertEqual(q['nodes'][0], {'name': 'n1', 'verdict': 'UnschedulableAndUnresolvable', 'plugin': 'NodeResourcesFit',
                                         'reasons': ['Insufficient cpu'], 'scores': {}, 'total': 0})

    def test_nodes_none_leaves_nodes_out(self):
        out = self.attempts('--nodes', 'none', manifests='\n---\n'.join([NODE % 'n1', POD % ('p', 1)]))
        self.assertNotIn('nodes', out[0])

    def test_the_same_seed_tells_the_same_story(self):
        manifests = '\n---\n'.join([NODE % f'n{i}' for i in range(5)] + [POD % (f'p{i}', '10m') for i in range(20)])
        first, again, other = (self.simulate('--seed', s, manifests=manifests).stdout for s in ('7', '7', '8'))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_standard_input_and_ignored_kinds(self):
        text = '\n---\n'.join([NODE % 'n1', POD % ('p', 1), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\n'])
        done = self.run_ctl('simulate', '-f', '-', text=text)
        self.assertIn('default/p  n1', done.stdout)
        self.assertIn('ignored 1 ConfigMap', done.stderr)

    def test_claims_find_their_volumes(self):
        set_of_two = '''
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: local, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: kubernetes.io/no-provisioner
volumeBindingMode: WaitForFirstConsumer
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: pv}
spec:
  capacity: {storage: 10Gi}
  accessModes: [ReadWriteOnce]
  storageClassName: local
  local: {path: /mnt}
  nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: Exists}]}]}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  volumeClaimTemplates:
  - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 5Gi}}}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i}]}}
'''
        done = self.simulate('--check', manifests='\n---\n'.join([NODE % 'n1', NODE % 'n2, labels: {disk: ""}', set_of_two]))
        self.assertRegex(done.stdout, r'default/db-0 +n2')
        self.assertIn("2 node(s) didn't find available persistent volumes to bind", done.stdout)
        self.assertEqual(done.stderr, '')

    def test_steps_replace_and_remove(self):
        gone = 'apiVersion: v1\nkind: Node\nmetadata: {name: n1, deletionTimestamp: "2026-01-01T00:00:00Z"}\n---\n' + POD % ('q', 1)
        out = self.simulate('--step', self.file('step.yaml', gone), manifests='\n---\n'.join([NODE % 'n1', POD % ('p', 1)])).stdout
        self.assertIn('AT START\nPOD        NODE  TOTAL\ndefault/p  n1        -\n', out)
        self.assertIn('AT step.yaml\nPENDING\ndefault/q\n    no nodes available to schedule pods\n', out)

    def test_explain_names_the_taint(self):
        tainted = NODE % 'n2' + 'spec: {taints: [{key: dedicated, value: gpu, effect: NoSchedule}]}\n'
        out = self.simulate('--explain', 'p', manifests='\n---\n'.join([NODE % 'n1', tainted, POD % ('p', 1)])).stdout
        self.assertIn('POD default/p, attempt 1, profile default-scheduler: Scheduled on n1', out)
        self.assertRegex(out, r'n2 +UnschedulableAndUnresolvable +TaintToleration +node\(s\) had untolerated taint\(s\)  '
                              r'\[taint dedicated=gpu:NoSchedule\]')

    def test_suggestions_for_pending_pods(self):
        manifests = '\n---\n'.join([NODE % 'n1', POD % ('p', 1), POD % ('q', 9)])
        out = self.simulate('--suggest', manifests=manifests).stdout
        self.assertIn('WHAT WOULD MAKE THE PENDING PODS FIT\ndefault/q\n    - lower its request for cpu from 9 to', out)
        self.assertNotIn('PODS FIT', self.simulate(manifests=manifests).stdout)
        value = json.loads(self.simulate('--suggest', '-o', 'json', manifests=manifests).stdout)
        self.assertEqual([(pod['pod'], pod['fittingNodes'], len(pod['suggestions'])) for pod in value['pending']],
                         [('default/q', 0, 1)])
        self.assertEqual(value['pending'][0]['suggestions'][0]['patch'][0]['path'],
                         '/spec/containers/0/resources/requests/cpu')
        self.assertNotIn('pending', json.loads(self.simulate('-o', 'json', manifests=manifests).stdout))
        none = self.simulate('--suggest', manifests=POD % ('q', 9)).stdout
        self.assertIn('default/q\n    No change was found', none)

    def test_explaining_a_pod_that_is_not_there_fails(self):
        done = self.simulate('--explain', 'nobody', manifests=NODE % 'n1', code=1)
        self.assertIn('there was no attempt to schedule pod "default/nobody"', done.stderr)

    def test_a_plugin_that_crashes_in_a_call_is_named_with_the_pod(self):
        folder = self.dir / 'crashing'
        folder.mkdir()
        shutil.copy(ZOO / 'filter_crashes.so', folder)
        path = self.config('- {plugins: {filter: {enabled: [{name: FilterCrashes}]}}}')
        done = self.simulate('--config', path, '--plugin-dir', PLUGINS, '--plugin-dir', str(folder),
                             manifests=NODE % 'n1' + '\n---\n' + POD % ('p', 1), code=1)
        self.assertRegex(done.stderr, r'"FilterCrashes" of profile "default-scheduler" \(.*filter_crashes\.so\) '
                                      r'crashed in Filter: signal 11 .*, pod "default/p"')

    def test_a_list_from_kubectl_is_taken_as_it_is(self):
        items = [{'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': 'n1', 'uid': 'u1'},
                  'status': {'allocatable': {'cpu': '1', 'memory': '1Gi', 'pods': '3'}}},
                 {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'p', 'namespace': 'x', 'uid': 'u2'},
                  'spec': {'schedulerName': 'default-scheduler',
                           'containers': [{'name': 'c', 'resources': {'limits': {'cpu': '5'}}}]}}]
        path = self.file('list.json', json.dumps({'apiVersion': 'v1', 'items': items, 'kind': 'List'}))
        done = self.run_ctl('simulate', '-f', path)
        self.assertIn('x/p  n1', done.stdout, 'limits do not become requests of a pod that has been admitted already')

    def test_errors_name_file_line_and_field(self):
        bad = NODE % 'n1' + '\n---\n' + POD % ('p', '1z')
        done = self.simulate(manifests=bad, code=1)
        self.assertRegex(done.stderr, r'cluster\.yaml:\d+:\d+: pod "default/p": spec\.containers\[0\]\.resources\.requests\["cpu"\]')
        done = self.simulate(manifests='kind: Pod\nkind: Pod\n', code=1)
        self.assertRegex(done.stderr, r'cluster\.yaml:2:1: kind: the key is given twice')
        done = self.run_ctl('simulate', '-f', str(self.dir / 'nothing.yaml'), code=1)
        self.assertIn('nothing.yaml: No such file or directory', done.stderr)


class Config(Ctl):
    def test_every_mistake_is_told_at_its_place_and_fast(self):
        path = self.config('''\
            - schedulerName: one
              plugins:
                score:
                  enabled:
                  - name: NodeResourcesFit
                    wieght: 3
              pluginConfig:
              - name: NodeResourcesFit
                args:
                  scoringStrategy: {type: Best}
            - schedulerName: one
            ''')
        start = time.monotonic()
        done = self.run_ctl('config', 'check', '--config', path, code=1)
        self.assertLess(time.monotonic() - start, 5)
        lines = done.stderr.splitlines()
        self.assertTrue(any('config.yaml:9:' in line and 'wieght' in line for line in lines), done.stderr)

    def test_a_plugin_that_no_library_offers_is_an_error_that_names_all(self):
        path = self.config('''\
            - plugins:
                filter:
                  enabled: [{name: Missing1}, {name: Missing2}]
            ''')
        done = self.run_ctl('config', 'check', '--config', path, code=1)
        self.assertIn('Missing1', done.stderr)
        self.assertIn('Missing2', done.stderr)

    def test_selectors_in_args_are_judged_and_let_go(self):
        # Regression: a check that kept compiled selectors too long crashed the program at exit.
        path = self.config('''\
            - plugins:
                filter:
                  enabled: [{name: filteringNode}]
              pluginConfig:
              - name: filteringNode
                args: {labelSelectors: [{matchLabels: {a: b}}]}
            ''')
        self.assertIn('sound', self.run_ctl('config', 'check', '--config', path).stdout)
        done = self.simulate('--config', path, manifests='\n---\n'.join(
            [NODE % 'n1', (NODE % 'n2').replace('{name: n2}', '{name: n2, labels: {a: b}}'), POD % ('p', 1)]))
        self.assertIn('default/p  n1', done.stdout)

    def test_bad_selectors_in_args_are_refused_with_their_path(self):
        path = self.config('''\
            - plugins:
                filter:
                  enabled: [{name: filteringNode}]
              pluginConfig:
              - name: filteringNode
                args: {labelSelectors: [{matchExpressions: [{key: a, operator: Near}]}]}
            ''')
        done = self.run_ctl('config', 'check', '--config', path, code=1)
        self.assertIn('labelSelectors[0].matchExpressions[0].operator', done.stderr)

    def test_two_libraries_that_offer_one_name_are_both_named(self):
        both = self.dir / 'plugins'
        both.mkdir()
        for name in ('duplicate_a.so', 'duplicate_b.so'):
            shutil.copy(ZOO / name, both)
        path = self.config('''\
            - plugins:
                filter:
                  enabled: [{name: Twice}]
            ''')
        done = self.run_ctl('config', 'check', '--config', path, '--plugin-dir', str(both), code=1)
        self.assertIn('duplicate_a.so', done.stderr)
        self.assertIn('duplicate_b.so', done.stderr)

    def test_a_library_that_crashes_or_exits_is_an_error_that_names_it(self):
        cases = [('crashes_when_loaded', 'CrashesWhenLoaded', r'a child process that loaded it was ended by signal 11'),
                 ('exits_when_loaded', 'ExitsWhenLoaded', r'a child process that loaded it ended with exit code 7'),
                 ('create_crashes', 'CreateCrashes', r'"CreateCrashes" of profile "s" \(.*\) crashed in create: signal 6')]
        for library, name, expected in cases:
            with self.subTest(library):
                folder = self.dir / library
                folder.mkdir()
                shutil.copy(ZOO / f'{library}.so', folder)
                path = self.config('- {schedulerName: s, plugins: {multiPoint: {enabled: [{name: %s}]}}}' % name)
                done = self.run_ctl('config', 'check', '--config', path, '--plugin-dir', PLUGINS, '--plugin-dir', str(folder), code=1)
                self.assertIn(library + '.so', done.stderr)
                self.assertRegex(done.stderr, expected)

    def test_args_that_are_missing_are_shown_by_an_example(self):
        config = self.config('- {schedulerName: s, plugins: {score: {enabled: [{name: RequestedToCapacityRatio}]}}}')
        error = self.run_ctl('config', 'check', '--config', config, code=1).stderr
        self.assertIn('initializing plugin "RequestedToCapacityRatio": args: shape: Required value', error)
        self.assertIn('; its library has this example of args: {"shape":[{"utilization":0,"score":0},', error)

    def check_kinds(self, version, suffix):
        """The messages about args with this apiVersion and this suffix of their kind, for every plugin of the suite with args."""
        configs = ''.join(f"  - {{name: {plugin}, args: {{apiVersion: '{version}', kind: {plugin}{suffix}}}}}\n" for plugin in SUITE)
        path = self.config('- schedulerName: suite\n  pluginConfig:\n' + configs)
        return subprocess.run([BERTHCTL, 'config', 'check', '--config', path], capture_output=True, text=True, check=False).stderr

    def test_args_of_the_suite_are_of_their_kind(self):
        group = 'kubescheduler.config.k8s.io'
        for version in (group + '/v1', group + '/v1beta3', group + '/v1beta2', ''):
            with self.subTest(version=version):
                self.assertNotRegex(self.check_kinds(version, 'Args'), 'registered for|not of type')
        other, unknown = self.check_kinds('', 'Settings'), self.check_kinds(group + '/v2', 'Args')
        for index, plugin in enumerate(SUITE):
            place = f'config.yaml:{6 + index}:.*pluginConfig.{index}..args'
            self.assertRegex(other, f'{place}.kind: args for plugin {plugin} were not of type {plugin}Args.{group}, got {plugin}Settings.{group}')
            self.assertRegex(unknown, f'{place}.apiVersion: no kind "{plugin}Args" is registered for version "{group}/v2"')

    def test_the_seeds_configurations_are_sound(self):
        for path in sorted((TOP / 'config').glob('*.yaml')):
            with self.subTest(path.name):
                self.run_ctl('config', 'check', '--config', str(path))

    def test_feature_gates(self):
        done = self.run_ctl('config', 'check', '--feature-gates', 'NoSuchGate=true', code=1)
        self.assertIn('unrecognized feature gate: NoSuchGate', done.stderr)


class Plugins(Ctl):
    def test_list_and_inspect(self):
        self.assertRegex(self.run_ctl('plugin', 'list').stdout, r'NodeName: filter')
        done = self.run_ctl('plugin', 'inspect', str(ZOO / 'imports_glog.so'), code=1)
        self.assertRegex(done.stdout, r'error BP-\d+')

    def test_list_of_a_running_scheduler(self):
        digest = 'sha256:' + 64 * 'a'
        answers = {'state': 'active', 'status': 200}

        class Admin(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                plugin = {'name': 'NodeName', 'library': '/p/NodeName.so', 'version': '1.2.0', 'digest': digest,
                          'generation': 12, 'state': answers['state']}
                found = self.path == '/admin/v1/plugins' and answers['status'] == 200
                self.send_response(200 if found else 404)
                self.end_headers()
                self.wfile.write(json.dumps({'plugins': [plugin]}).encode() if found else b'not found')

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(('127.0.0.1', 0), Admin) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f'127.0.0.1:{server.server_port}'
            done = self.run_ctl('plugin', 'list', '--running', address)
            self.assertEqual(done.stdout.splitlines(), [
                'NAME      VERSION  DIGEST               GENERATION  STATE   LIBRARY',
                'NodeName  1.2.0    sha256:aaaaaaaaaaaa  12          active  /p/NodeName.so'])
            done = self.run_ctl('plugin', 'list', '--running', 'http://' + address, '-o', 'json')
            self.assertEqual(json.loads(done.stdout)['plugins'][0]['digest'], digest)
            answers['state'] = 'quarantined'
            self.assertIn('quarantined', self.run_ctl('plugin', 'list', '--running', address, code=1).stdout)
            answers['status'] = 404
            done = self.run_ctl('plugin', 'list', '--running', address, code=1)
            self.assertIn('/admin/v1/plugins answered 404', done.stderr)
            server.shutdown()
        done = self.run_ctl('plugin', 'list', '--running', address, code=1)
        self.assertIn('connection refused', done.stderr)


if __name__ == '__main__':
    unittest.main()
