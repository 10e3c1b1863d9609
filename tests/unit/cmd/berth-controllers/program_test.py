"""berth-controllers with an API server: it takes the Lease, writes statuses, shows health and metrics, and ends in order."""

import os
import pathlib
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from object_api import GROUP, ObjectApi

PROGRAM = os.environ['BERTH_CONTROLLERS']


def eventually(ask, patience=30):
    end = time.monotonic() + patience
    while not (found := ask()):
        if time.monotonic() > end:
            raise AssertionError('not in time')
        time.sleep(0.02)
    return found


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


def status_of(url):
    try:
        get(url)
        return 200
    except urllib.error.HTTPError as error:
        return error.code


class Running:
    def __init__(self, *arguments):
        self.log = tempfile.NamedTemporaryFile('r', suffix='.log')
        with open(self.log.name, 'w', encoding='utf-8') as out:
            self.process = subprocess.Popen([PROGRAM, '--secure-port=0', '-v=4', *arguments], stderr=out)

    def __enter__(self):
        return self

    def text(self):
        self.log.seek(0)
        return self.log.read()

    def port(self, what):
        """The port of plain HTTP that the log names."""
        found = eventually(lambda: re.search(f'Serving {what} over plain HTTP" .*port=(\\d+)', self.text()))
        return f'http://127.0.0.1:{found[1]}'

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()


class Program(unittest.TestCase):
    def test_writes_statuses_as_the_leader_and_releases_the_lease(self):
        with ObjectApi() as api, Running('--master', api.url, '--metricsAddr=127.0.0.1:0', '--probeAddr=127.0.0.1:0') as program:
            eventually(lambda: len(api.patches) >= 2)
            patches = {path: (kind, patch) for path, kind, patch in api.patches}
            merge = 'application/merge-patch+json'
            self.assertEqual(patches[f'/apis/{GROUP}/namespaces/ns/podgroups/pg/status'], (merge, {'status': {'phase': 'Pending'}}))
            self.assertEqual(patches[f'/apis/{GROUP}/namespaces/ns/elasticquotas/eq/status'],
                             (merge, {'status': {'used': {'cpu': '250m'}}}))
            holder = api.holders[0]
            self.assertRegex(holder, '^.+_[0-9a-f-]{36}$')
            health, metrics = program.port('health'), program.port('metrics')
            eventually(lambda: status_of(health + '/readyz') == 200)
            self.assertEqual([status_of(health + path) for path in ('/healthz', '/livez', '/metrics', '/configz')], [200, 200, 404, 404])
            self.assertEqual(status_of(metrics + '/readyz'), 404)
            text = get(metrics + '/metrics')
            self.assertIn('leader_election_master_status{name="sched-plugins-controllers"} 1\n', text)
            self.assertIn('controller_runtime_reconcile_total{controller="elasticquota",result="success"}', text)
            self.assertIn('berth_controllers_objects{resource="podgroups"} 1\n', text)
            program.process.send_signal(signal.SIGTERM)
            self.assertEqual(program.process.wait(timeout=30), 0, program.text())
            self.assertEqual(api.holders[-1], '')

    def test_writes_without_leader_election(self):
        with ObjectApi() as api, Running('--master', api.url, '--enableLeaderElection=false'):
            eventually(lambda: len(api.patches) >= 2)
            self.assertEqual(api.holders, [])

    def test_a_follower_is_ready_and_writes_nothing(self):
        with ObjectApi() as api:
            now = time.strftime('%Y-%m-%dT%H:%M:%S.000000Z', time.gmtime())
            api.lease = {'metadata': {'name': 'sched-plugins-controllers', 'uid': 'l', 'resourceVersion': '1'},
                         'spec': {'holderIdentity': 'other', 'leaseDurationSeconds': 3600, 'acquireTime': now, 'renewTime': now}}
            with Running('--master', api.url, '--probeAddr=127.0.0.1:0') as program:
                health = program.port('health')
                eventually(lambda: status_of(health + '/readyz') == 200)
                eventually(lambda: 'New leader' in program.text())
                program.process.send_signal(signal.SIGTERM)
                self.assertEqual(program.process.wait(timeout=30), 0, program.text())
            self.assertEqual((api.patches, api.holders), ([], []))

    def test_says_why_it_is_not_ready(self):
        with Running('--master=http://127.0.0.1:1', '--leader-elect=false', '--probeAddr=127.0.0.1:0') as program:
            health = program.port('health')

            def why():
                try:
                    get(health + '/readyz?verbose')
                except urllib.error.HTTPError as error:
                    return re.search('lists failed: .*pods are not listed yet: .*connection refused', error.read().decode())
                return None
            eventually(why)
            self.assertEqual(status_of(health + '/livez'), 200)

    def test_stores_its_certificate_under_its_own_name(self):
        with socket.socket() as probe:
            probe.bind(('127.0.0.1', 0))
            port = probe.getsockname()[1]
        with tempfile.TemporaryDirectory() as directory, ObjectApi() as api:
            flags = (f'--secure-port={port}', '--bind-address=127.0.0.1', f'--cert-dir={directory}', '--authentication-skip-lookup')
            with Running('--master', api.url, '--leader-elect=false', *flags):
                certificate = f'{directory}/berth-controllers.crt'

                def shown():
                    try:
                        return ssl.get_server_certificate(('127.0.0.1', port))
                    except OSError:
                        return None
                self.assertIn(eventually(shown).strip(), pathlib.Path(certificate).read_text(encoding='ascii'))
            self.assertEqual(sorted(os.listdir(directory)), ['berth-controllers.crt', 'berth-controllers.key'])

    def test_refuses_flags_that_cannot_work(self):
        for flag, message in {'--workers=0': '--workers 0 must be at least 1', '--burst=0': '--burst 0 must be at least 1',
                              '--leader-elect-resource-lock=endpoints': '--leader-elect-resource-lock endpoints must be leases',
                              '--leader-elect-retry-period=9s': 'renewDeadline must be greater than retryPeriod',
                              '--unknown': 'unknown flag: --unknown'}.items():
            with self.subTest(flag=flag):
                ended = subprocess.run([PROGRAM, '--master=http://127.0.0.1:1', '--secure-port=0', flag], capture_output=True,
                                       text=True, timeout=60, check=False)
                self.assertEqual(ended.returncode, 1, ended.stderr)
                self.assertIn(message, ended.stderr)


unittest.main()
