"""Runs berthctl why as a user does: on the decision log of a simulation, and on the answers of a scheduler."""

import http.server
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest
import urllib.parse

from objects import BERTHCTL, node, pod


class Scheduler(http.server.BaseHTTPRequestHandler):
    """Answers with what the test has put into `answers`, and remembers the paths."""
    answers, asked = {}, []

    def do_GET(self):
        self.asked.append(self.path)
        status, body = self.answers.get(urllib.parse.urlsplit(self.path).path, (404, 'not here\n'))
        self.send_response(status)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


class Why(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)

    def why(self, *arguments, code=0):
        done = subprocess.run([BERTHCTL, 'why', *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def log_of(self, *objects, more=()):
        manifests, log = self.dir / 'cluster.json', self.dir / 'log.jsonl'
        manifests.write_text(json.dumps({'apiVersion': 'v1', 'kind': 'List', 'items': objects}))
        subprocess.run([BERTHCTL, 'simulate', '-f', manifests, '--decision-log', log, *more], check=True, capture_output=True)
        return str(log)

    def serve(self, **answers):
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Scheduler)
        Scheduler.answers, Scheduler.asked = {'/admin/v1/' + path: answer for path, answer in answers.items()}, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f'127.0.0.1:{server.server_port}'

    def test_a_log_explains_a_pending_pod(self):
        taint = {'key': 'dedicated', 'value': 'gpu', 'effect': 'NoSchedule'}
        log = self.log_of(node('a', '2'), node('b', '3'), node('c', '8', taints=[taint]), pod('web', '4'))
        out = self.why('--decision-log', log, 'web')
        self.assertIn('POD default/web: Pending\n    0 of 3 nodes fit: 2 lack cpu (the closest, b, lacks 1); 1 has a taint',
                      out)
        self.assertIn('(dedicated=gpu:NoSchedule)', ' '.join(out.split()))
        self.assertIn('0/3 nodes are available', out)

    def test_a_log_has_the_suggestions_of_a_simulation(self):
        log = self.log_of(node('a', '2'), pod('web', '4'), pod('fits', '1'), more=['--suggest'])
        self.assertIn('- lower its request for cpu from 4 to 1 (1 node, a)', self.why('--decision-log', log, 'web', '--suggest'))
        self.assertNotIn('lower its request', self.why('--decision-log', log, 'web'))
        patch = json.loads(self.why('--decision-log', log, 'web', '--suggest', '-o', 'json'))['suggestions'][0]['patch']
        self.assertEqual(patch, [{'op': 'replace', 'path': '/spec/containers/0/resources/requests/cpu', 'value': '1'}])
        self.assertIn('no suggestions for pod "default/fits"', self.why('--decision-log', log, 'fits', '--suggest', code=1))
        without = self.log_of(node('a', '2'), pod('web', '4'))
        self.assertIn('only berthctl simulate --suggest writes them', self.why('--decision-log', without, 'web', '--suggest', code=1))
        self.assertIn('--node asks a running scheduler', self.why('--decision-log', log, 'web', '--node', 'a', code=1))

    def test_a_log_explains_a_placement_and_its_nodes(self):
        log = self.log_of(node('a', '2'), node('b', '8'), pod('web', '1'))
        out = self.why('--decision-log', log, 'default/web', '--nodes')
        self.assertIn('It is on b. The pod fits on 2 nodes of 2. Its total of ', out)
        rows = [line.split() for line in out[out.index('\nNODE '):].strip().splitlines()]
        self.assertEqual([row[0] for row in rows], ['NODE', 'b', 'a'], 'the highest total comes first')
        self.assertEqual([row[-1] for row in rows[1:]], ['fits', 'fits'])
        self.assertEqual(int(rows[1][1]), sum(int(score) for score in rows[1][2:-1]))

    def test_two_decisions_are_compared(self):
        log = self.log_of(node('a', '2'), node('b', '8'), pod('one', '1'), pod('two', '4'))
        out = self.why('--decision-log', log, '--diff', '1', '2')
        self.assertIn('decision 1: default/one, Scheduled on b, 2 of 2 nodes fit', out)
        self.assertIn('decision 2: default/two, Scheduled on b, 1 of 2 nodes fit', out)
        self.assertRegex(out, r'a +\d+ +- +fits +NodeResourcesFit: Insufficient cpu')

    def test_a_log_of_several_starts(self):
        log = pathlib.Path(self.log_of(node('a', '2'), pod('one', '1'), pod('two', '1')))
        start = '{"kind":"DecisionLogStart"}\n'
        first, second = log.read_text().splitlines(keepends=True)
        log.write_text(start + first + '{"kind":"DecisionsMissed","decisions":7}\n' + second + start + second.replace('"id":2', '"id":1'))
        self.assertIn('POD default/one: Scheduled', self.why('--decision-log', str(log), 'one'))
        self.assertIn('has no decision 2', self.why('--decision-log', str(log), '--diff', '1', '2', code=1))

    def test_a_line_that_is_being_written_is_ignored(self):
        log = pathlib.Path(self.log_of(node('a', '2'), pod('one', '1'), pod('two', '1')))
        text = log.read_text()
        log.write_text(text[:-1])  # all but the end of the line
        self.assertIn('POD default/one: Scheduled', self.why('--decision-log', str(log), 'one'))
        self.assertIn('has no attempt of pod "default/two"', self.why('--decision-log', str(log), 'two', code=1))
        log.write_text(text + '{"kind":"Decis')
        self.assertIn('POD default/two: Scheduled', self.why('--decision-log', str(log), 'two'))

    def test_json_and_yaml(self):
        log = self.log_of(node('a', '2'), pod('web', '4'))
        value = json.loads(self.why('--decision-log', log, 'web', '-o', 'json'))
        self.assertEqual((value['kind'], value['state'], value['groups'][0]['nodes']), ('PodExplanation', 'Pending', 1))
        self.assertIn('kind: PodExplanation\n', self.why('--decision-log', log, 'web', '-o', 'yaml'))

    def test_mistakes_are_named(self):
        log = self.log_of(node('a', '2'), pod('web', '4'))
        broken = self.dir / 'broken.jsonl'
        broken.write_text(pathlib.Path(log).read_text() + '{"kind":\n')
        self.assertIn('has no attempt of pod "default/other"', self.why('--decision-log', log, 'other', code=1))
        self.assertIn('broken.jsonl:2: no decision', self.why('--decision-log', str(broken), 'web', code=1))
        self.assertIn('cannot read /none', self.why('--decision-log', '/none', 'web', code=1))
        self.assertIn('has no decision 9', self.why('--decision-log', log, '--diff', '1', '9', code=1))
        self.assertIn('"x" is not the number', self.why('--decision-log', log, '--diff', 'x', '1', code=1))
        self.assertIn('name one pod', self.why('--decision-log', log, 'a', 'b', code=1))

    def test_a_running_scheduler_is_asked(self):
        answer = {'pod': 'team/web', 'state': 'Pending', 'summary': '0 of 2 nodes fit.', 'groups': [],
                  'suggestions': [{'change': 'tolerate the taint a:NoSchedule', 'node': 'n1', 'nodes': 2}],
                  'onNode': {'node': 'n/1', 'examined': True, 'fits': False, 'plugin': 'A', 'reasons': ['no room']},
                  'decision': {'id': 7}}
        address = self.serve(**{'pods/team/web': (200, json.dumps(answer)), 'decisions/7': (200, '{"id":7}')})
        out = self.why('team/web', '--running', address, '--suggest', '--node', 'n/1')
        self.assertEqual(Scheduler.asked, ['/admin/v1/pods/team/web?suggest=1&node=n%2F1'])
        self.assertIn('tolerate the taint a:NoSchedule (2 nodes, for example n1)', out)
        self.assertIn('A rejects n/1: no room.', out)
        self.assertIn('the nodes of decision 7 are not recorded',
                      self.why('team/web', '--running', address, '--nodes', code=1))

    def test_a_name_is_one_segment_of_the_path(self):
        address = self.serve()
        for pod, path in (('team/web?node=a', 'team/web%3Fnode%3Da'), ('a/../b#c', 'a/..%2Fb%23c'), ('a b', 'default/a%20b')):
            self.assertIn('answered 404', self.why(pod, '--running', address, code=1))
            self.assertEqual(Scheduler.asked[-1], '/admin/v1/pods/' + path)

    def test_what_a_scheduler_refuses_is_shown(self):
        address = self.serve(**{'pods/default/web': (503, 'the scheduling thread did not answer in time\n')})
        error = self.why('web', '--running', address, code=1)
        self.assertIn('answered 503: the scheduling thread did not answer in time', error)
        self.assertIn('connection refused', self.why('web', '--running', '127.0.0.1:1', code=1))


if __name__ == '__main__':
    unittest.main()
