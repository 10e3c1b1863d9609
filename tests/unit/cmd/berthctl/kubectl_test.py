"""Runs berthctl as a plugin of kubectl: with a kubectl that the test writes, and an HTTPS server that stands in for the scheduler."""

import base64
import http.server
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

BERTHCTL = pathlib.Path(os.environ['BERTHCTL']).resolve()

# Writes down its arguments, and answers with the files NAME.out, NAME.err, and NAME.code of its folder. A port-forward that
# has not failed runs until it is killed.
KUBECTL = r'''#!/bin/sh
cd "${0%/*}"
printf '%s\n' "$*" >>calls
case "$1" in
  config) name=config ;;
  get) name=${2%%/*} ;;
  *) name=$1 ;;
esac
[ ! -e "$name.err" ] || cat "$name.err" >&2
[ ! -e "$name.out" ] || cat "$name.out"
[ ! -e "$name.code" ] || exit "$(cat "$name.code")"
[ "$name" = port-forward ] || exit 0
echo $$ >pid
sleep 600
'''

EXPLANATION = {'pod': 'team/web', 'state': 'Pending', 'summary': '0 of 2 nodes fit.', 'groups': [], 'suggestions': []}


def openssl(*arguments):
    subprocess.run(['openssl', *arguments], check=True, capture_output=True)


def certificate(folder, name, subject, *more):
    """A self-signed certificate and its key, as files."""
    crt, key = folder / f'{name}.crt', folder / f'{name}.key'
    openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', subject,
            '-keyout', key, '-out', crt, *more)
    return crt, key


class Scheduler(http.server.BaseHTTPRequestHandler):
    """Answers with what the test has put into `answers`, and remembers who asked for what."""
    answers, asked = {}, []

    def do_GET(self):
        user = self.headers.get('Authorization') or dict(item[0] for item in self.connection.getpeercert()['subject'])
        self.asked.append((self.path, user))
        answer = self.answers.get(urllib.parse.urlsplit(self.path).path, (404, 'not here\n'))
        if isinstance(answer, threading.Event):
            answer.wait(60)  # the test ends the client meanwhile
            return
        status, body = answer
        self.send_response(status)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        pass  # a client that does not trust the server ends the handshake


class KubectlBerth(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keys = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.keys)
        cls.server_files = certificate(cls.keys, 'server', '/CN=berth', '-addext', 'subjectAltName=DNS:berth.test,IP:127.0.0.1')
        cls.client_files = certificate(cls.keys, 'client', '/CN=jane', '-addext', 'extendedKeyUsage=clientAuth')
        cls.other_ca = certificate(cls.keys, 'other', '/CN=other')[0]

    def setUp(self):
        self.bin = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.bin)
        self.plugin = self.bin / 'kubectl-berth'
        self.plugin.symlink_to(BERTHCTL)
        (self.bin / 'kubectl').write_text(KUBECTL)
        (self.bin / 'kubectl').chmod(0o755)
        self.kubeconfig({'token': 'secret'})
        self.answers('lease', json.dumps({'spec': {'holderIdentity': 'berth-7d-x_0001'}}))
        self.answers('pod', 'pod/berth-7d-x\n')
        self.serve(**{'pods/team/web': (200, json.dumps(EXPLANATION))})

    def answers(self, name, out='', err='', code=0):
        for suffix, text in {'out': out, 'err': err, 'code': str(code) if code else ''}.items():
            file = self.bin / f'{name}.{suffix}'
            file.unlink(missing_ok=True)
            if text:
                file.write_text(text)

    def kubeconfig(self, user, server='https://api.test:6443', **context):
        self.answers('config', json.dumps({
            'kind': 'Config', 'apiVersion': 'v1', 'current-context': 'test',
            'clusters': [{'name': 'c', 'cluster': {'server': server, 'tls-server-name': 'api.test', 'proxy-url': 'http://127.0.0.1:1'}}],
            'users': [{'name': 'u', 'user': user}],
            'contexts': [{'name': 'test', 'context': {'cluster': 'c', 'user': 'u', 'namespace': 'team', **context}}]}))

    def serve(self, **answers):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.server_files)
        context.load_verify_locations(self.client_files[0])
        context.verify_mode = ssl.CERT_OPTIONAL
        server = Server(('127.0.0.1', 0), Scheduler)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.daemon_threads = True
        Scheduler.answers, Scheduler.asked = {'/admin/v1/' + path: answer for path, answer in answers.items()}, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.answers('port-forward', f'Forwarding from 127.0.0.1:{server.server_port} -> 10259\n')

    def start(self, program, *arguments, **environment):
        environment = {'PATH': f'{self.bin}:/usr/bin:/bin', **environment}
        return subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)

    def run_plugin(self, *arguments, code=0, program=None, **environment):
        process = self.start(program or self.plugin, *arguments, **environment)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, out + err)
        self.forwarding_ends()
        return out if code == 0 else err

    def forwarding_ends(self):
        """No port-forward survives the program."""
        file = self.bin / 'pid'
        if not file.exists():
            return
        deadline = time.monotonic() + 30
        while (words := self.words_of(file.read_text().strip())) and str(self.bin) in words:
            self.assertLess(time.monotonic(), deadline, f'{words} still runs')
            time.sleep(0.01)
        file.unlink()

    @staticmethod
    def words_of(pid):
        """The command line of a process; "" if it has ended."""
        try:
            return pathlib.Path(f'/proc/{pid}/cmdline').read_text()
        except (FileNotFoundError, ProcessLookupError):
            return ''

    def calls(self):
        return (self.bin / 'calls').read_text().splitlines()

    def test_the_leader_is_asked_with_the_users_token(self):
        self.assertIn('POD team/web: Pending\n    0 of 2 nodes fit.', self.run_plugin('why', 'web'))
        self.assertEqual(Scheduler.asked, [('/admin/v1/pods/team/web', 'Bearer secret')])
        view, lease, pod, forward = self.calls()
        self.assertIn('config view --raw --minify --flatten', view)
        self.assertIn('get lease kube-scheduler --namespace=kube-system', lease)
        self.assertIn('get pod/berth-7d-x pod/kube-scheduler-berth-7d-x --namespace=kube-system', pod)
        self.assertIn('port-forward pod/berth-7d-x :10259 --namespace=kube-system --address=127.0.0.1', forward)

    def test_flags_say_which_cluster_and_which_scheduler(self):
        self.answers('lease', json.dumps({'spec': {'holderIdentity': 'node-1_0001'}}))
        self.answers('pod', 'pod/i-scheduler-node-1\n')
        self.serve(**{'pods/other/web': (200, json.dumps(EXPLANATION))})
        self.run_plugin('why', 'web', '-n', 'other', '--kubeconfig', '/my config', '--context=prod', '--scheduler-namespace', 'berth',
                        '--scheduler-lease', 'i-scheduler', '--scheduler-port', '10300')
        self.assertEqual([path for path, _ in Scheduler.asked], ['/admin/v1/pods/other/web'])
        for call in self.calls():
            self.assertTrue(call.endswith(' --kubeconfig=/my config --context=prod'), call)
        self.assertIn('get lease i-scheduler --namespace=berth', self.calls()[1])
        self.assertIn('port-forward pod/i-scheduler-node-1 :10300 --namespace=berth', self.calls()[3])

    def test_a_pod_is_named_without_its_lease(self):
        self.run_plugin('why', 'team/web', '--scheduler-pod', 'berth-0')
        self.assertEqual([call.split()[0] for call in self.calls()], ['config', 'port-forward'])
        self.assertIn('pod/berth-0 ', self.calls()[1])

    def test_a_client_certificate_counts(self):
        data = [base64.b64encode(file.read_bytes()).decode() for file in self.client_files]
        self.kubeconfig({'client-certificate-data': data[0], 'client-key-data': data[1]})
        self.run_plugin('why', 'web')
        self.assertEqual(Scheduler.asked, [('/admin/v1/pods/team/web', {'commonName': 'jane'})])

    def test_a_credential_command_counts(self):
        command = self.bin / 'login'
        command.write_text('#!/bin/sh\necho \'{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",'
                           '"status":{"token":"of-the-command"}}\'\n')
        command.chmod(0o755)
        self.kubeconfig({'exec': {'apiVersion': 'client.authentication.k8s.io/v1', 'command': str(command), 'interactiveMode': 'IfAvailable'}})
        self.run_plugin('why', 'web')
        self.assertEqual(Scheduler.asked, [('/admin/v1/pods/team/web', 'Bearer of-the-command')])

    def test_a_context_without_a_namespace_means_default(self):
        self.kubeconfig({'token': 'secret'}, namespace='')
        self.serve(**{'pods/default/web': (200, json.dumps(EXPLANATION))})
        self.run_plugin('why', 'web')

    def test_the_certificate_of_the_scheduler_is_verified_on_demand(self):
        ca = str(self.server_files[0])
        self.run_plugin('why', 'web', '--scheduler-ca', ca)
        self.run_plugin('why', 'web', '--scheduler-ca', ca, '--scheduler-server-name', 'berth.test')
        Scheduler.asked.clear()
        self.assertIn('x509: certificate is not valid for elsewhere',
                      self.run_plugin('why', 'web', '--scheduler-ca', ca, '--scheduler-server-name', 'elsewhere', code=1))
        self.assertIn('x509: certificate signed by unknown authority',
                      self.run_plugin('why', 'web', '--scheduler-ca', str(self.other_ca), code=1))
        self.assertIn('--scheduler-ca: cannot read /none', self.run_plugin('why', 'web', '--scheduler-ca', '/none', code=1))
        self.assertEqual(Scheduler.asked, [], 'the token is sent to a verified scheduler only')

    def test_a_missing_kubectl_is_named(self):
        (self.bin / 'kubectl').unlink()
        self.assertIn('no directory of PATH has kubectl', self.run_plugin('why', 'web', code=1, PATH=str(self.bin)))

    def test_an_unusable_kubeconfig_is_named(self):
        self.answers('config', err='error: current-context must exist in order to minify\n', code=1)
        self.assertIn('kubectl config view: error: current-context must exist', self.run_plugin('why', 'web', code=1))
        for user, server, error in (({}, 'https://a', 'has no credentials'), ({'token': 't'}, 'http://a', 'is not https'),
                                    ({'token': 't', 'as': 'boss'}, 'https://a', 'users[0].user.as: impersonation is not supported')):
            self.kubeconfig(user, server)
            self.assertIn(error, self.run_plugin('why', 'web', code=1))

    def test_a_missing_leader_is_named(self):
        self.answers('pod', '')
        self.assertIn('berth-7d-x_0001 holds the Lease kube-system/kube-scheduler, and there is no pod berth-7d-x or '
                      'kube-scheduler-berth-7d-x', self.run_plugin('why', 'web', code=1))
        self.answers('lease', json.dumps({'spec': {'holderIdentity': ''}}))
        self.assertIn('nobody holds the Lease kube-system/kube-scheduler', self.run_plugin('why', 'web', code=1))
        self.answers('lease', '')
        error = self.run_plugin('why', 'web', code=1)
        self.assertIn('there is no Lease kube-system/kube-scheduler: name the scheduler\'s with --scheduler-namespace', error)

    def test_a_holder_is_no_flag(self):
        for host in ('--server=https://evil', '-A', '', 'Berth', 'a/b', 'a b', 'berth-', 'a' * 254, '\x1b[2J'):
            (self.bin / 'calls').unlink(missing_ok=True)
            self.answers('lease', json.dumps({'spec': {'holderIdentity': host + '_0001'}}))
            error = self.run_plugin('why', 'web', code=1)
            self.assertIn(f'the holder of the Lease kube-system/kube-scheduler, "{host}_0001", does not begin with the name of a '
                          'host: name the scheduler\'s pod with --scheduler-pod'.replace('\x1b', '?'), error)
            self.assertEqual([call.split()[0] for call in self.calls()], ['config', 'get'])

    def test_a_missing_permission_is_named(self):
        role = 'The user needs the Role berth-explain in the namespace kube-system'
        self.answers('port-forward', err='error: error upgrading connection: pods "x" is forbidden: User "jane" cannot create\n', code=1)
        error = self.run_plugin('why', 'web', code=1)
        self.assertIn('kubectl port-forward pod/berth-7d-x :10259: error: error upgrading connection: pods "x" is forbidden', error)
        self.assertIn(role, error)
        self.answers('lease', err='Error from server (Forbidden): leases "kube-scheduler" is forbidden\n', code=1)
        error = self.run_plugin('why', 'web', code=1)
        self.assertIn('kubectl get lease kube-scheduler: Error from server (Forbidden)', error)
        self.assertIn(role, error)

    def test_what_the_scheduler_refuses_is_explained(self):
        status = {'kind': 'Status', 'message': 'forbidden: User "jane" cannot get path "/admin/v1/pods/team/web"', 'code': 403}
        self.serve(**{'pods/team/web': (403, json.dumps(status))})
        error = self.run_plugin('why', 'web', code=1)
        self.assertIn('pod kube-system/berth-7d-x: /admin/v1/pods/team/web answered 403: forbidden: User "jane" cannot get', error)
        self.assertIn('needs the ClusterRole berth-explain of docs/decisions.md, with all of its rules.\n', error)
        self.serve(**{'pods/team/web': (401, json.dumps({'kind': 'Status', 'message': 'Unauthorized', 'code': 401}))})
        self.assertIn('answered 401: Unauthorized\nThe scheduler does not know the user', self.run_plugin('why', 'web', code=1))

    def test_a_terminal_obeys_no_answer(self):
        self.serve(**{'pods/team/web': (500, json.dumps({'message': 'a\x1b[2J\x7f\u009b1mb'}))})
        self.assertIn(' answered 500: a?[2J???1mb\n', self.run_plugin('why', 'web', code=1))
        self.serve(**{'pods/team/web': (500, 'a\x1b[2J\rb\nc')})
        self.assertIn(' answered 500: a?[2J?b\n', self.run_plugin('why', 'web', code=1))
        self.answers('port-forward', 'Forwarding from 127.0.0.1:1 -> 10259\n', 'one\x1b[2J\ntwo\n')
        self.assertIn('\nkubectl port-forward: one?[2J\ntwo\n', self.run_plugin('why', 'web', code=1))
        self.answers('lease', err='no\x1b[2J\nlease\n', code=1)
        self.assertIn('kubectl get lease kube-scheduler: no?[2J\nlease\n', self.run_plugin('why', 'web', code=1))

    def test_a_port_forward_that_fails_later_is_explained(self):
        self.answers('port-forward', 'Forwarding from 127.0.0.1:1 -> 10259\n', 'error: lost connection to pod\n')
        error = self.run_plugin('why', 'web', code=1)
        self.assertIn('connection refused', error)
        self.assertIn('\nkubectl port-forward: error: lost connection to pod', error)

    def test_a_signal_ends_kubectl_as_well(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
            blocked = threading.Event()
            self.serve(**{'pods/team/web': blocked})
            process = self.start(self.plugin, 'why', 'web')
            deadline = time.monotonic() + 30
            while not Scheduler.asked:
                self.assertLess(time.monotonic(), deadline, 'the scheduler was not asked')
                time.sleep(0.01)
            process.send_signal(number)
            process.communicate(timeout=30)
            self.assertEqual(process.returncode, -number)
            self.assertTrue((self.bin / 'pid').exists())
            self.forwarding_ends()
            blocked.set()

    def test_plugins_of_the_leader_are_listed(self):
        plugin = {'name': 'A', 'version': '1', 'digest': 'sha256:0123456789abcdef', 'generation': 1, 'state': 'active', 'library': 'a.so'}
        self.serve(plugins=(200, json.dumps({'plugins': [plugin]})))
        self.assertRegex(self.run_plugin('plugin', 'list'), r'(?m)^A +1 +sha256:0123456789ab +1 +active')
        self.assertNotIn('sha256:', self.run_plugin('plugin', 'list', '--plugin-dir', str(self.bin)))
        self.assertEqual(len(Scheduler.asked), 1)

    def test_berthctl_asks_the_cluster_with_a_flag(self):
        self.run_plugin('why', 'web', '--kubectl', program=BERTHCTL)
        self.assertEqual(len(Scheduler.asked), 1)
        for arguments, error in ((['--context', 'x'], '--context needs --kubectl'),
                                 (['--kubectl', '--running', 'x'], '--kubectl and --running exclude each other'),
                                 (['--kubectl', '--scheduler-server-name', 'x'], '--scheduler-server-name needs --scheduler-ca')):
            self.assertIn(error, self.run_plugin('why', 'web', *arguments, program=BERTHCTL, code=1))
        self.assertIn('connection refused', self.run_plugin('why', 'web', program=BERTHCTL, code=1))  # 127.0.0.1:10261

    def test_another_source_takes_precedence_in_the_plugin(self):
        self.assertIn('cannot read /none', self.run_plugin('why', 'web', '--decision-log', '/none', code=1))
        self.assertIn('connection refused', self.run_plugin('why', 'web', '--running', '127.0.0.1:1', code=1))
        self.assertIn('--context and --running exclude each other',
                      self.run_plugin('why', 'web', '--running', '127.0.0.1:1', '--context', 'x', code=1))
        self.assertIn('--namespace and team/web both name a namespace', self.run_plugin('why', 'team/web', '-n', 'team', code=1))
        self.assertFalse((self.bin / 'calls').exists())

    def test_the_help_names_the_plugin(self):
        self.assertIn('Usage: kubectl berth why', self.run_plugin('why', '--help'))


if __name__ == '__main__':
    unittest.main()
