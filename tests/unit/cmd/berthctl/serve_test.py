"""berthctl simulate --serve and berthctl why --serve: the page and the API over a simulation, and over a decision log."""

import contextlib
import http.client
import json
import signal
import socket
import subprocess
import unittest
import urllib.error
import urllib.request

from objects import BERTHCTL, node, pod
from serving import CLUSTER, Serving


class Serve(Serving):
    def refused(self, path, **request):
        with self.assertRaises(urllib.error.HTTPError) as failed:
            urllib.request.urlopen(urllib.request.Request(self.base + path, **request), timeout=30)
        with failed.exception as error:
            return error.code, error.read().decode()

    def ids(self, query=''):
        return [one['id'] for one in self.get('/admin/v1/decisions' + query)['decisions']]

    def check_that_other_sites_are_refused(self):
        port = self.base.rsplit(':', 1)[1]
        for host in ('attacker.example', f'attacker.example:{port}', f'127.0.0.1.attacker.example:{port}', '[::1].attacker.example', ''):
            for path in ('/admin/v1/decisions', '/explain', '/configz'):
                code, text = self.refused(path, headers={'Host': host})
                self.assertEqual((code, text), (403, 'the Host header must be localhost or an IP address\n'), host)
        for host in ('localhost', f'LOCALHOST:{port}', '127.0.0.1', f'[::1]:{port}', '[::1]'):
            request = urllib.request.Request(self.base + '/admin/v1/decisions', headers={'Host': host, 'Sec-Fetch-Site': 'same-origin'})
            with urllib.request.urlopen(request, timeout=30) as answer:
                self.assertEqual(answer.status, 200, host)
        for path in ('/admin/v1/decisions', '/admin/v1/decisions/2', '/admin/v1/pods/default/huge', '/admin/v1/queue', '/admin/v1/nodes'):
            self.assertEqual(self.refused(path, headers={'Sec-Fetch-Site': 'cross-site'}), (403, 'another site must not ask\n'), path)

    def check_what_both_know(self):
        listed = self.get('/admin/v1/decisions')
        self.assertEqual((listed['kind'], listed['newest'], len(listed['instance'])), ('DecisionList', 3, 16))
        self.assertEqual([(one['pod'], one['result']) for one in listed['decisions']],
                         [('default/db', 'Scheduled'), ('default/huge', 'Unschedulable'), ('default/web', 'Scheduled')])
        self.assertFalse({'nodes', 'summary', 'groups', 'kind'} & set(listed['decisions'][0]))
        self.assertEqual(self.ids('?limit=1'), [3])
        self.assertEqual(self.ids('?before=3'), [2, 1])
        self.assertEqual(self.ids('?after=1'), [3, 2])
        self.assertEqual(self.ids('?pod=default/web'), [1])
        self.assertEqual(self.ids('?result=Unschedulable&withNodes=1'), [2])
        self.assertEqual(self.ids('?profile=none'), [])
        self.assertEqual(self.refused('/admin/v1/decisions?limit=0')[0], 400)
        self.assertEqual(self.refused('/admin/v1/decisions/9')[0], 404)
        self.assertEqual(self.refused('/admin/v1/decisions', method='POST')[0], 405)
        one = self.get('/admin/v1/decisions/2')
        self.assertEqual(sorted(one['nodes']['names']), ['a', 'b', 'c'])
        explained = self.get('/admin/v1/pods/default/huge')
        self.assertEqual((explained['kind'], explained['state'], explained['decision']['id']), ('PodExplanation', 'Pending', 2))
        self.assertIn('0 of 3 nodes fit', explained['summary'])
        self.assertEqual(self.refused('/admin/v1/pods/default/none')[0], 404)
        queue = self.get('/admin/v1/queue')
        self.assertEqual((queue['unschedulable'], queue['total'], [one['pod'] for one in queue['pods']]), (1, 1, ['default/huge']))
        self.assertIn('NodeResourcesFit', queue['pods'][0]['rejectedBy'])
        nodes = self.get('/admin/v1/nodes?label=zone')
        by_name = dict(zip(nodes['names'], zip(nodes['pods'], nodes['unschedulable'])))
        self.assertEqual(sum(pods for pods, _ in by_name.values()), 2)
        self.assertEqual({name: cordoned for name, (_, cordoned) in by_name.items()}, {'a': False, 'b': False, 'c': True})
        self.assertIn('<title>', self.get('/explain'))
        self.assertEqual(self.get('/admin/v1/plugins')['kind'], 'PluginList')
        self.check_that_other_sites_are_refused()
        return nodes

    def test_a_simulation(self):
        self.serve('simulate', '-f', self.manifests)
        nodes = self.check_what_both_know()
        self.assertEqual(sorted(nodes['allocatable']['cpu']), [2000, 8000, 8000])
        self.assertIn('NodeResourcesFit', [one['name'] for one in self.get('/admin/v1/plugins')['plugins']])
        self.assertEqual(self.get('/configz')['componentconfig']['kind'], 'KubeSchedulerConfiguration')
        suggested = self.get('/admin/v1/pods/default/huge?suggest=1&node=b')
        self.assertIn('lower its request for cpu', suggested['suggestions'][0]['change'])
        self.assertEqual(suggested['onNode']['plugin'], 'NodeResourcesFit')
        request = urllib.request.Request(self.base + '/admin/v1/decisions?watch', headers={'Last-Event-ID': '2'})
        with urllib.request.urlopen(request, timeout=30) as stream:
            lines = [stream.readline().decode().strip() for _ in range(7)]
            self.assertEqual([line for line in lines if line.startswith(('id: ', 'event: '))], ['event: instance', 'id: 3', 'event: decision'])
            self.interrupt()  # while a stream is open
            with contextlib.suppress(http.client.IncompleteRead):
                stream.read()  # to the end of the connection
        self.out.seek(0)
        self.assertIn('default/huge', self.out.read())

    def test_the_result_of_a_simulation_is_complete_before_it_is_served(self):
        self.serve('simulate', '-f', self.manifests, '-o', 'json')
        self.out.seek(0)
        self.assertEqual(len(json.load(self.out)['pods']), 3)
        self.interrupt(signal.SIGTERM)

    def test_a_decision_log(self):
        self.write_log()
        self.serve('why', '--decision-log', self.log)
        self.log.rename(self.dir / 'renamed')  # as a scheduler does when the file is full
        nodes = self.check_what_both_know()
        self.assertEqual((nodes['allocatable'], nodes['labelKeys']), ({}, []))
        logged = (self.dir / 'renamed').read_text(encoding='utf-8').splitlines()
        self.assertEqual(self.get('/admin/v1/decisions/2'), json.loads(logged[1]))
        self.assertFalse(self.get('/admin/v1/pods/default/huge?suggest=1')['searched'])
        self.assertIn('only a running scheduler', self.refused('/admin/v1/pods/default/huge?node=a')[1])
        with urllib.request.urlopen(self.base + '/admin/v1/decisions?watch', timeout=30) as stream:
            self.assertEqual(stream.readline() + stream.readline(), b'retry: 2000\nevent: instance\n')
            self.interrupt()

    def test_a_decision_log_with_suggestions(self):
        self.run_ctl('simulate', '-f', self.manifests, '--decision-log', self.log, '--suggest')
        self.serve('why', '--decision-log', self.log)
        self.check_what_both_know()
        self.assertIn('lower its request for cpu', self.get('/admin/v1/pods/default/huge?suggest=1')['suggestions'][0]['change'])

    def test_a_log_of_several_starts_shows_the_last_one(self):
        self.write_log()
        text = self.log.read_text(encoding='utf-8')
        start, missed = '{"kind":"DecisionLogStart"}\n', '{"kind":"DecisionsMissed","decisions":7}\n'
        self.log.write_text(start + text.replace('default/', 'old/') + start + missed + text, encoding='utf-8')
        self.serve('why', '--decision-log', self.log)
        self.check_what_both_know()
        self.assertEqual(self.get('/admin/v1/pods/old/web')['state'], 'Scheduled')

    def test_a_log_that_another_program_wrote_again(self):
        self.write_log()
        lines = self.log.read_text(encoding='utf-8').splitlines()
        self.log.write_text(''.join(json.dumps(json.loads(line), sort_keys=True) + '\n' for line in lines), encoding='utf-8')
        self.serve('why', '--decision-log', self.log)
        self.check_what_both_know()

    def test_only_loopback_addresses_count_as_such(self):
        self.write_log()
        for address, warned in (('127.example.invalid:0', None), ('localhost:0', False), ('127.0.0.2:0', False), ('0.0.0.0:0', True)):
            with subprocess.Popen([BERTHCTL, 'why', '--decision-log', self.log, f'--serve={address}'], stderr=subprocess.PIPE, text=True) as process:
                self.addCleanup(process.kill)
                first = process.stderr.readline()
                process.send_signal(signal.SIGINT)
                process.stderr.read()
            if warned is None:
                self.assertIn('failed to create listener', first)
            else:
                self.assertEqual('warning: whoever can reach' in first, warned, address)

    def test_mistakes_are_named(self):
        self.write_log()
        with socket.create_server(('127.0.0.1', 0)) as taken:
            address = f'127.0.0.1:{taken.getsockname()[1]}'
            for arguments in (('simulate', '-f', self.manifests), ('why', '--decision-log', self.log)):
                done = self.run_ctl(*arguments, f'--serve={address}')
                self.assertEqual(done.returncode, 1)
                self.assertIn(f'--serve: failed to create listener: failed to listen on {address}: bind: address already in use', done.stderr)
        for arguments, said in ((('why', '--serve'), '--serve needs --decision-log'),
                                (('why', '--serve', '--decision-log', self.log, 'web'), '--serve shows all pods'),
                                (('why', '--serve', '--decision-log', '/none'), 'cannot read /none'),
                                (('why', '--serve=nowhere', '--decision-log', self.log), 'missing port in address')):
            done = self.run_ctl(*arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(said, done.stderr)
        with self.log.open('a', encoding='utf-8') as file:
            file.write('{"kind":"Decision","id":4,"result":"Scheduled","nodes":{"names":["a"\n')
        self.assertIn('log.jsonl:4: no decision', self.run_ctl('why', '--serve', '--decision-log', self.log).stderr)


if __name__ == '__main__':
    unittest.main()
