"""Runs berthctl policy diff as a user does: on a decision log, on the answers of a scheduler, and on two simulations."""

import http.server
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest

BERTHCTL = os.environ['BERTHCTL']
SPREADING, PACKING = 'LeastAllocated', 'MostAllocated'


def node(name, cpu, **spec):
    labels = {'topology.kubernetes.io/zone': f'zone-{name}'}
    return {'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': name, 'labels': labels}, 'spec': spec,
            'status': {'allocatable': {'cpu': cpu, 'memory': '8Gi', 'pods': '10'},
                       'images': [{'names': ['i:1'], 'sizeBytes': 150 << 20}] if name == 'image' else []}}


def pod(name, cpu='1'):
    container = {'name': 'c', 'image': 'i:1', 'resources': {'requests': {'cpu': cpu, 'memory': '1Gi'}}}
    return {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': name}, 'spec': {'containers': [container]}}


def config(enabled=(), disabled=(), args=None, filters=(), profile='default-scheduler', **more):
    """A configuration with Score plugins (name, weight), and with plugins that are disabled at score and at filters."""
    plugins = {'score': {'enabled': [{'name': name, 'weight': weight} for name, weight in enabled],
                         'disabled': [{'name': name} for name in [*disabled, *(name for name, _ in enabled)]]}}
    for point in ('preFilter', 'filter'):
        plugins[point] = {'disabled': [{'name': name} for name in filters]}
    one = {'schedulerName': profile, 'plugins': plugins}
    if args:
        one['pluginConfig'] = [{'name': name, 'args': value} for name, value in args.items()]
    return {'apiVersion': 'kubescheduler.config.k8s.io/v1', 'kind': 'KubeSchedulerConfiguration', 'profiles': [one], **more}


def strategy(kind):
    return {'NodeResourcesFit': {'scoringStrategy': {'type': kind, 'resources': [{'name': 'cpu', 'weight': 1}]}}}


class Scheduler(http.server.BaseHTTPRequestHandler):
    """Answers with a configuration, and with what the test has put into `answer`."""
    configuration, answer, asked = {}, (200, '{}'), []

    def do_GET(self):
        self.send(200, json.dumps({'componentconfig': self.configuration}))

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        self.asked.append((self.path, json.loads(body)))
        self.send(*self.answer)

    def send(self, status, body):
        self.send_response(status)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


class PolicyDiff(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)

    def write(self, name, value):
        path = self.dir / name
        path.write_text(json.dumps(value))
        return str(path)

    def diff(self, *arguments, code=0):
        done = subprocess.run([BERTHCTL, 'policy', 'diff', *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.err = done.stderr
        return done.stderr if code == 2 else done.stdout

    def manifests(self, *objects):
        return self.write('cluster.json', {'apiVersion': 'v1', 'kind': 'List', 'items': objects})

    def log_of(self, *objects, old=None):
        log = str(self.dir / 'log.jsonl')
        subprocess.run([BERTHCTL, 'simulate', '--config', self.write('old.json', old or config()), '-f', self.manifests(*objects),
                        '--decision-log', log], check=True, capture_output=True)
        return log

    def serve(self, configuration, answer):
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Scheduler)
        Scheduler.configuration, Scheduler.answer, Scheduler.asked = configuration, answer, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f'127.0.0.1:{server.server_port}'

    # ---- decision logs

    def test_nothing_moves_with_the_same_policy(self):
        log = self.log_of(node('image', '4'), node('empty', '8'), pod('web'))
        out = self.diff('--config', self.write('new.json', config()), '--decision-log', log)
        self.assertIn('profile "default-scheduler"\n  no plugin or weight differs\n1 decision: 0 pods move, 1 unchanged', out)

    def test_a_weight_moves_a_pod(self):
        log = self.log_of(node('image', '4'), node('empty', '8'), pod('web'))
        new = self.write('new.json', config([('ImageLocality', 50)]))
        out = self.diff('--config', new, '--decision-log', log, code=1)
        self.assertIn('ImageLocality: weight 1 -> 50\n1 decision: 1 pod moves, 0 unchanged\n', out)
        self.assertRegex(out, r'default/web +empty +image +\d+ +\d+ +\d+ +\d+\n')
        self.assertIn('independent of each other', out)
        self.assertIn('notice: a log has neither args', self.err)
        value = json.loads(self.diff('--config', new, '--decision-log', log, '-o', 'json', code=1))['items'][0]
        move = value['moves'][0]
        self.assertEqual((move['from'], move['to']), ('empty', 'image'))
        self.assertGreater(move['fromTotal']['before'], move['toTotal']['before'])
        self.assertLess(move['fromTotal']['after'], move['toTotal']['after'])

    def test_the_result_agrees_with_a_simulation_of_the_new_policy(self):
        objects = [node('image', '4'), node('empty', '8'), pod('web')]
        new = config([('ImageLocality', 50)])
        self.log_of(*objects, old=new)
        decision = json.loads((self.dir / 'log.jsonl').read_text().splitlines()[0])
        totals = dict(zip(decision['nodes']['names'], decision['nodes']['totals']))
        log = self.log_of(*objects)
        value = json.loads(self.diff('--config', self.write('new.json', new), '--decision-log', log, '-o', 'json', code=1))
        move = value['items'][0]['moves'][0]
        self.assertEqual(move['to'], decision['node'])
        self.assertEqual((move['fromTotal']['after'], move['toTotal']['after']), (totals['empty'], totals['image']))

    def test_a_disabled_score_plugin(self):
        log = self.log_of(node('image', '4'), node('empty', '8'), pod('web'), old=config([('ImageLocality', 50)]))
        out = self.diff('--config', self.write('new.json', config(disabled=['ImageLocality'])), '--decision-log', log, code=1)
        self.assertIn('ImageLocality: no longer scores\n', out)
        self.assertRegex(out, r'default/web +image +empty')

    def test_a_disabled_filter_is_not_exact(self):
        taint = {'key': 'a', 'effect': 'NoSchedule'}
        log = self.log_of(node('a', '4'), node('b', '8', taints=[taint]), pod('web'))
        out = self.diff('--config', self.write('new.json', config(filters=['TaintToleration'])), '--decision-log', log, code=1)
        self.assertIn('TaintToleration: no longer filters\n1 decision: 0 pods move, 0 unchanged, 1 not exact\n', out)
        self.assertRegex(out, r'default/web +a +1\n')

    def test_the_limit_takes_the_last_decisions(self):
        log = self.log_of(node('image', '9'), node('empty', '9'), *(pod(f'web-{i}', '100m') for i in range(7)))
        out = self.diff('--config', self.write('new.json', config()), '--decision-log', log, '--limit', '3')
        self.assertIn('3 decisions: 0 pods move', out)

    def test_the_newest_generation_of_the_last_start_counts(self):
        objects = [node('image', '4'), node('empty', '8'), pod('web')]
        log = pathlib.Path(self.log_of(*objects))
        decision = json.loads(log.read_text().splitlines()[0])
        older = json.loads(pathlib.Path(self.log_of(*objects, old=config([('ImageLocality', 50)]))).read_text().splitlines()[0])
        start = {'kind': 'DecisionLogStart'}
        lines = [decision | {'generation': 9}, start, older | {'generation': 1}, decision | {'generation': 2}, older | {'generation': 1}]
        log.write_text(''.join(json.dumps(line) + '\n' for line in lines))
        out = self.diff('--config', self.write('new.json', config()), '--decision-log', str(log))
        self.assertIn('no plugin or weight differs\n1 decision: 0 pods move, 1 unchanged\n'
                      '2 decisions are left out: another generation of the policy decided\n', out)
        value = json.loads(self.diff('--config', self.write('new.json', config()), '--decision-log', str(log), '-o', 'json'))
        self.assertEqual(value['items'][0]['decisions']['otherGenerations'], 2)

    def test_a_line_that_is_being_written_is_ignored(self):
        log = self.log_of(node('a', '4'), pod('p'))
        with open(log, 'a', encoding='utf-8') as file:
            file.write('{"kind":"Decis')
        self.diff('--config', self.write('new.json', config()), '--decision-log', log)

    def test_a_log_without_weights_is_refused(self):
        log = pathlib.Path(self.log_of(node('a', '4'), node('b', '8'), pod('web')))
        value = json.loads(log.read_text().splitlines()[0])
        for one in value['nodes']['scores']:
            del one['weight']
        log.write_text(json.dumps(value) + '\n')
        error = self.diff('--config', self.write('new.json', config()), '--decision-log', str(log), code=2)
        self.assertRegex(error, r'log.jsonl:1: decision 1: the scores of \w+ have no weight: an older version')

    # ---- mistakes

    def test_mistakes_are_errors(self):
        new = self.write('new.json', config())
        log = self.log_of(node('a', '4'), pod('web'))
        self.assertIn('--config is required', self.diff('--decision-log', log, code=2))
        self.assertIn('--none', self.diff('--config', new, '--none', code=2))
        self.assertIn('--limit', self.diff('--limit', 'x', code=2))
        self.assertIn('--limit: 1001', self.diff('--config', new, '--limit', '1001', code=2))
        self.assertIn('use one of', self.diff('--config', new, '--running', 'a:1', '--decision-log', log, code=2))
        self.assertIn('needs both', self.diff('--config', new, '--old', new, code=2))
        self.assertIn('cannot come from standard input', self.diff('--config', new, '--old', new, '-f', '-', code=2))
        self.assertIn('cannot read /none', self.diff('--config', new, '--decision-log', '/none', code=2))
        self.assertIn('/none', self.diff('--config', '/none', '--decision-log', log, code=2))
        self.assertIn('connection refused', self.diff('--config', new, '--running', '127.0.0.1:1', code=2))
        other = self.write('other.json', config(profile='other'))
        self.assertIn('has no decision of a profile', self.diff('--config', other, '--decision-log', log, code=2))
        bad = self.write('bad.json', config([('ImageLocality', 50)], args={'NodeResourcesFit': {'none': 1}}))
        self.assertRegex(self.diff('--config', bad, '--decision-log', log, code=2), r'bad.json:\d+:\d+: .*none')

    # ---- a running scheduler

    ANSWER = {'kind': 'PolicyDiff', 'profile': 'default-scheduler', 'note': 'n', 'moves': [], 'notExact': [],
              'plugins': [{'plugin': 'ImageLocality', 'weight': 1, 'newWeight': 9, 'filter': False, 'newFilter': False}],
              'decisions': {'lookedAt': 4, 'moving': 0, 'unchanged': 4, 'tied': 1, 'notExact': 0, 'withoutNodes': 2, 'otherGenerations': 1},
              'before': {'nodesUsed': 2, 'mostPodsOnANode': 3, 'zones': [{'zone': 'z', 'pods': 4}], 'cpu': {'mean': 0.25, 'deviation': 0.1}},
              'after': {'nodesUsed': 2, 'mostPodsOnANode': 3, 'zones': [{'zone': 'z', 'pods': 4}], 'cpu': {'mean': 0.25, 'deviation': 0.1}}}

    def test_a_running_scheduler_is_asked(self):
        address = self.serve(config(), (200, json.dumps(self.ANSWER)))
        new = self.write('new.json', config([('ImageLocality', 9)], disabled=['NodeAffinity'], filters=['NodePorts']))
        out = self.diff('--config', new, '--running', address, '--limit', '50')
        self.assertEqual(Scheduler.asked, [('/admin/v1/policy/diff', {
            'profile': 'default-scheduler', 'weights': {'ImageLocality': 9},
            'disabled': {'score': ['NodeAffinity'], 'filter': ['NodePorts']}, 'limit': 50})])
        self.assertIn('4 decisions: 0 pods move, 4 unchanged (1 of them after a tie)\n2 decisions have no recorded nodes\n'
                      '1 decision is left out: another generation of the policy decided\n', out)
        self.assertRegex(out, r'cpu requested, mean +25.00% +25.00%')
        self.assertRegex(out, r'pods in zone z +4 +4')
        self.assertEqual(self.err, '')

    def test_a_running_scheduler_with_the_same_policy(self):
        address = self.serve(config(args=strategy(PACKING)), (200, json.dumps(self.ANSWER)))
        same = self.dir / 'same.yaml'  # with all defaults, as /configz has them
        same.write_bytes(subprocess.run([BERTHCTL, 'config', 'print', '--config', self.write('new.json', config(args=strategy(PACKING)))],
                                        capture_output=True, check=True).stdout)
        self.diff('--config', str(same), '--running', address)
        self.assertEqual(Scheduler.asked[0][1], {'profile': 'default-scheduler', 'weights': {}, 'disabled': {'score': [], 'filter': []}, 'limit': 100})
        self.assertEqual(self.err, '')

    def test_a_running_scheduler_with_the_same_policy_of_an_old_version(self):
        running = config(args=strategy(PACKING), filters=['NodeDeclaredFeatures'])  # which v1beta3 does not have by default
        address = self.serve(running, (200, json.dumps(self.ANSWER)))
        new = self.write('new.json', config(args=strategy(PACKING)) | {'apiVersion': 'kubescheduler.config.k8s.io/v1beta3'})
        self.diff('--config', new, '--running', address)
        self.assertEqual(Scheduler.asked[0][1], {'profile': 'default-scheduler', 'weights': {}, 'disabled': {'score': [], 'filter': []}, 'limit': 100})

    def test_the_running_scheduler_has_the_configuration_of_the_repository(self):
        file = pathlib.Path(__file__).parents[4] / 'config/my-scheduler.yaml'
        running = config([('MyScorePlugin', 1)], filters=['NodeDeclaredFeatures'], profile='my-scheduler')
        running['profiles'][0]['plugins']['score']['disabled'] = [{'name': '*'}]
        address = self.serve(running, (200, json.dumps(self.ANSWER)))
        self.diff('--config', str(file), '--running', address)
        self.assertEqual(Scheduler.asked[0][1], {'profile': 'my-scheduler', 'weights': {}, 'disabled': {'score': [], 'filter': []}, 'limit': 100})

    def test_another_answer_is_refused(self):
        new = self.write('new.json', config())
        for answer in ({}, [], 1, {'kind': 'PolicyDiffs', 'decisions': {'lookedAt': 1}}):
            address = self.serve(config(), (200, json.dumps(answer)))
            self.assertIn('/admin/v1/policy/diff answered no PolicyDiff', self.diff('--config', new, '--running', address, code=2))
        for answer in ({'kind': 'PolicyDiff'}, {'kind': 'PolicyDiff', 'decisions': 1, 'moves': 1, 'plugins': 'x', 'after': []}):
            address = self.serve(config(), (200, json.dumps(answer)))
            self.assertIn('no decision has its nodes recorded', self.diff('--config', new, '--running', address, code=2))
        for configuration in ([], 'x'):
            address = self.serve(configuration, (200, '{}'))
            self.assertIn('/configz answered no configuration', self.diff('--config', new, '--running', address, code=2))

    def test_what_records_cannot_show_is_an_error(self):
        address = self.serve(config(disabled=['ImageLocality'], filters=['NodePorts']), (200, json.dumps(self.ANSWER)))
        for new, text in ((config(filters=['NodePorts']), 'ImageLocality is new at score'),
                          (config(disabled=['ImageLocality']), 'NodePorts is new at preFilter; NodePorts is new at filter'),
                          (config(disabled=['ImageLocality'], filters=['NodePorts'], args=strategy(PACKING)), 'the args of NodeResourcesFit differ'),
                          (config(disabled=['ImageLocality'], filters=['NodePorts'], percentageOfNodesToScore=50), 'percentageOfNodesToScore differs')):
            error = self.diff('--config', self.write('new.json', new), '--running', address, code=2)
            self.assertIn(f'recorded decisions cannot show what this does: {text}', error)
            self.assertIn('--old OLD --config NEW -f MANIFESTS', error)
        self.assertEqual(Scheduler.asked, [])

    def test_what_a_scheduler_refuses_is_shown(self):
        address = self.serve(config(), (429, 'one request at a time\n'))
        error = self.diff('--config', self.write('new.json', config()), '--running', address, code=2)
        self.assertIn('/admin/v1/policy/diff answered 429: one request at a time', error)

    # ---- simulations

    def test_two_simulations(self):
        old, new = (self.write(f'{kind}.json', config(args=strategy(kind))) for kind in (SPREADING, PACKING))
        files = self.manifests(node('a', '4'), node('b', '8'), *(pod(f'web-{i}') for i in range(4)))
        out = self.diff('--old', old, '--config', new, '-f', files, code=1)
        self.assertRegex(out, r'^4 pods: \d pods? moves?, \d unchanged\n')
        value = json.loads(self.diff('--old', old, '--config', new, '-f', files, '-o', 'json', code=1))['items'][0]
        self.assertEqual((value['before']['nodesUsed'], value['after']['nodesUsed']), (2, 1))
        # 4 of 4 CPUs on a, and none of 8 on b.
        self.assertEqual(value['after']['cpu'], {'mean': 0.5, 'deviation': 0.5})
        self.assertEqual(value['after']['zones'], [{'zone': 'zone-a', 'pods': 4}, {'zone': 'zone-b', 'pods': 0}])
        self.assertIn('0 pods move, 4 unchanged', self.diff('--old', old, '--config', old, '-f', files))

    def test_a_simulation_without_pods_is_an_error(self):
        old = self.write('old.json', config())
        self.assertIn('the manifests have no pod to schedule', self.diff('--old', old, '--config', old, '-f', self.manifests(node('a', '4')), code=2))


if __name__ == '__main__':
    unittest.main()
