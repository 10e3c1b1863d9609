"""The programs never print, log, or serve secrets of a configuration or a kubeconfig."""

import base64
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.request

BERTHCTL = os.environ['BERTHCTL']
SCHEDULER = os.environ['BERTH_SCHEDULER']
MARKER = 'hunter2+/hunter2'  # base64, too
ENCODED = base64.b64encode(MARKER.encode()).decode()
NEEDLES = ('hunter2', ENCODED)
REDACTED = '--- REDACTED ---'

CONFIG = '''\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
clientConnection: {kubeconfig: %(kubeconfig)s}
extenders:
- urlPrefix: %(url)s
  filterVerb: filter
  ignorable: true
  tlsConfig: {insecure: true, certData: "", keyData: %(key)s}
'''
KUBECONFIG = '''\
apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", insecure-skip-tls-verify: true}}]
users:
- name: u
  user: {%s}
'''
USERS = {
    'token': 'token: "%s"' % MARKER,
    'password': 'username: me, password: "%s"' % MARKER,
    'key': 'client-certificate-data: %s, client-key-data: %s' % (ENCODED, ENCODED),
    'exec': 'exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: /bin/false, '
            'args: [a], env: [{name: SECRET, value: "%s"}]}' % MARKER,
}


class Secrets(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)

    def file(self, name, text):
        path = self.dir / name
        path.write_text(text)
        return str(path)

    def config(self, url='http://127.0.0.1:1/x', key=MARKER, user='token', name='config.yaml'):
        kubeconfig = self.file('kubeconfig.yaml', KUBECONFIG % USERS[user])
        return self.file(name, CONFIG % {'url': url, 'key': key, 'kubeconfig': kubeconfig})

    def assert_quiet(self, text):
        for needle in NEEDLES:
            self.assertNotIn(needle, text)

    def ctl(self, *arguments, code=0):
        done = subprocess.run([BERTHCTL, *arguments], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_config_print_shows_them_only_when_asked(self):
        path = self.config(url='http://me:%s@x/p?token=%s' % (MARKER, MARKER))
        for how in ([], ['--expand'], ['--expand', '--output-version', 'v1beta2']):
            done = self.ctl('config', 'print', '--config', path, '-v', '10', *how)
            self.assert_quiet(done.stdout + done.stderr)
            self.assertIn('urlPrefix: http://xxxxx@x/p?xxxxx\n', done.stdout)
            self.assertIn("keyData: '%s'\n" % REDACTED, done.stdout)
            done = self.ctl('config', 'print', '--show-secrets', '--config', path, *how)
            self.assertIn('urlPrefix: http://me:%s@x/p?token=%s\n' % (MARKER, MARKER), done.stdout)
            self.assertIn('keyData: %s\n' % MARKER, done.stdout)

    def test_what_was_printed_without_them_is_refused(self):
        printed = self.ctl('config', 'print', '--config', self.config()).stdout
        again = self.file('again.yaml', printed)
        for command in ('check', 'print'):
            done = self.ctl('config', command, '--config', again, code=1)
            self.assertRegex(done.stderr, r'again\.yaml:\d+:\d+: extenders\[0\]\.tlsConfig\.keyData: .*--show-secrets')
        done = subprocess.run([SCHEDULER, '--config', again, '--admin-address=', '--secure-port=0'],
                              capture_output=True, text=True, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r'extenders\[0\]\.tlsConfig\.keyData: ')
        whole = self.ctl('config', 'print', '--show-secrets', '--config', self.config()).stdout
        self.ctl('config', 'check', '--config', self.file('whole.yaml', whole))

    def test_checks_that_refuse_do_not_quote_them(self):
        for number, change in enumerate((dict(key=MARKER + '!'), dict(key='[%s]' % MARKER), dict(key='"%s' % MARKER),
                                         dict(key='!!int ' + MARKER), dict(url='http://me:%s@x' % MARKER),
                                         dict(url='"http://x?token=%s"' % MARKER), dict(url='ftp://%s@x' % MARKER))):
            path = self.config(**change, name='config%d.yaml' % number)
            done = self.ctl('config', 'check', '--config', path, '-v', '10', code=1)
            self.assertIn('config%d.yaml:' % number, done.stderr)
            self.assert_quiet(done.stdout + done.stderr)

    def test_the_scheduler_neither_logs_nor_writes_them(self):
        for user in USERS:
            written = self.dir / 'written.yaml'
            done = subprocess.run([SCHEDULER, '--config', self.config(user=user), '-v', '10', '--admin-address=',
                                   '--secure-port=0', '--write-config-to', str(written),
                                   '--master', 'https://me:%s@127.0.0.1:1' % MARKER],
                                  capture_output=True, text=True, timeout=60)
            self.assertIn('FLAG: --master="https://xxxxx@127.0.0.1:1"', done.stderr)
            self.assert_quiet(done.stdout + done.stderr)
            done = subprocess.run([SCHEDULER, '--config', self.config(user=user), '-v', '10', '--admin-address=',
                                   '--secure-port=0', '--write-config-to', str(written)],
                                  capture_output=True, text=True, timeout=60)
            self.assert_quiet(done.stdout + done.stderr)
            if user != 'key':  # its data is not a certificate
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn('Using component config', done.stderr)
                self.assertIn(REDACTED, written.read_text())
                self.assert_quiet(written.read_text())

    def test_the_scheduler_serves_and_reloads_without_them(self):
        path = self.config(user='exec')
        log = open(self.dir / 'log', 'w+')
        self.addCleanup(log.close)
        scheduler = subprocess.Popen([SCHEDULER, '--config', path, '-v', '10', '--admin-address', '127.0.0.1:0',
                                      '--secure-port=0'], stdout=log, stderr=log)
        self.addCleanup(scheduler.wait)
        self.addCleanup(scheduler.kill)
        port = self.wait_for(log, '" port=').split()[0]
        self.wait_for(log, 'Starting Kubernetes Scheduler')
        self.assertIn(REDACTED, self.get(port, '/configz'))
        # Another key, and then an invalid one: the messages about the reload contain neither.
        self.config(user='exec', key=ENCODED)
        scheduler.send_signal(signal.SIGHUP)
        self.wait_for(log, 'extenders: changes only with a restart')
        self.config(user='exec', key=MARKER + '!')
        scheduler.send_signal(signal.SIGHUP)
        self.wait_for(log, 'illegal base64 data')
        for page in ('/configz', '/metrics', '/admin/v1/plugins', '/healthz?verbose', '/livez?verbose', '/readyz?verbose'):
            self.assert_quiet(self.get(port, page))
        scheduler.terminate()
        scheduler.wait(timeout=60)
        self.assert_quiet((self.dir / 'log').read_text())

    def wait_for(self, log, text):
        """The part of the log after the text."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            so_far = (self.dir / 'log').read_text()
            if text in so_far:
                return so_far.split(text, 1)[1]
            time.sleep(0.05)
        self.fail('the log does not say %r:\n%s' % (text, (self.dir / 'log').read_text()))

    @staticmethod
    def get(port, path):
        try:
            with urllib.request.urlopen('http://127.0.0.1:%s%s' % (port, path), timeout=60) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as refused:
            return refused.read().decode()


if __name__ == '__main__':
    unittest.main(verbosity=2)
