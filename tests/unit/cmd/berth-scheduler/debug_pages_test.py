"""The debugging pages of berth-scheduler, read with go tool pprof and as text."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

SCHEDULER = os.environ['BERTH_SCHEDULER']
LEFT_OUT = os.environ.get('BERTH_LEFT_OUT', '').split(':')
TIMEOUT = 60  # seconds, for a busy machine
CONFIG = '''\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
enableProfiling: %s
'''


class DebugPages(unittest.TestCase):
    def start(self, profiling='true', *flags):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        self.folder = folder
        config = folder / 'config.yaml'
        config.write_text(CONFIG % profiling)
        self.log = open(folder / 'log', 'w+b')
        self.addCleanup(self.log.close)
        self.scheduler = subprocess.Popen([SCHEDULER, '--config', str(config), '--master', 'http://127.0.0.1:1',
                                           '--secure-port', '0', '--admin-address', '127.0.0.1:0',
                                           *flags], stderr=self.log)
        self.addCleanup(self.scheduler.wait)
        self.addCleanup(self.scheduler.kill)
        started = ''
        while 'Starting Kubernetes Scheduler' not in started:
            self.assertIsNone(self.scheduler.poll(), started)
            started = (folder / 'log').read_text()
        self.url = 'http://127.0.0.1:' + re.search(r'"?port"?[=:](\d+)', started).group(1)
        return started

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=TIMEOUT) as answer:
            return answer.read()

    def status(self, path):
        try:
            self.get(path)
            return 200
        except urllib.error.HTTPError as error:
            return error.code

    def keep_busy(self):
        over = threading.Event()

        def work():
            while not over.is_set():
                self.get('/debug/pprof/goroutine')  # reads the symbol table of the program
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        self.addCleanup(lambda: [thread.join() for thread in threads])
        self.addCleanup(over.set)

    def pprof(self, *arguments):
        environment = dict(os.environ, PPROF_TMPDIR=str(self.folder))
        done = subprocess.run(['go', 'tool', 'pprof', *arguments], capture_output=True, text=True, env=environment,
                              timeout=2 * TIMEOUT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @unittest.skipUnless(shutil.which('go'), 'needs go tool pprof')
    def test_go_tool_pprof_reads_profiles(self):
        self.start()
        self.keep_busy()
        profile = self.folder / 'profile'

        def misses():
            profile.write_bytes(self.get('/debug/pprof/profile?seconds=2'))
            top = self.pprof('-symbolize=local', '-top', str(profile))
            self.assertRegex(top, r'Type: cpu')
            share = re.search(r'([\d.]+)%  (?:.*::)?CountedText', top)
            return top if share is None or float(share.group(1)) <= 50 else ''  # the rest depends on the machine
        self.eventually(misses)  # at first, a slow machine still hashes the libraries
        focused = self.pprof('-symbolize=local', '-focus=CountedText', '-relative_percentages', '-top', str(profile))
        self.assertRegex(focused, r'100%  (.*::)?CountedText')
        raw = self.pprof('-symbolize=none', '-raw', self.url + '/debug/pprof/profile?seconds=1')
        self.assertRegex(raw, r'PeriodType: cpu nanoseconds\nPeriod: 10000000\n')
        self.assertIn('berth-scheduler', raw)
        stacks = self.pprof('-symbolize=local', '-raw', self.url + '/debug/pprof/goroutine')
        self.assertRegex(stacks, r'\bTakeThreadStacks\b')

    @unittest.skipUnless(shutil.which('go'), 'needs go tool pprof')
    def test_go_tool_pprof_asks_for_names(self):
        self.start()
        try:
            urllib.request.urlopen(self.url + '/debug/pprof/symbol', data=b'0x1', timeout=TIMEOUT).close()
        except urllib.error.HTTPError as error:
            self.assertEqual(error.code, 405)
            self.skipTest('the listener does not accept POST')
        self.keep_busy()
        top = self.pprof('-symbolize=remote', '-top', self.url + '/debug/pprof/profile?seconds=2')
        self.assertIn('berth::profile::CountedText', top)

    def stacks(self):
        return self.get('/debug/pprof/goroutine?debug=2').decode()

    def eventually(self, look):
        """Repeats until look, which returns what is missing, returns a false value."""
        deadline = time.monotonic() + TIMEOUT
        while missing := look():
            self.assertLess(time.monotonic(), deadline, missing)

    def test_threads_have_names(self):
        self.start()
        # Those that exist at rest, too. The API server has no TLS, so that there is no HTTP/2.
        wanted = {'main', 'watchdog', 'housekeeper', 'http-server', 'http-client', 'api-io', 'berth-log'}
        self.eventually(lambda: wanted - set(re.findall(r'^thread \d+ \[(.*)\]:$', self.stacks(), re.M)))

    @unittest.skipIf('DebugPages.test_no_thread_lacks_a_name' in LEFT_OUT, 'see tests/arm64.left_out')
    def test_no_thread_lacks_a_name(self):
        self.start()
        self.eventually(lambda: '[berth-scheduler]' in self.stacks() and 'a thread has no name')

    def test_a_profile_ends_with_the_process(self):
        self.start()
        asking = threading.Thread(target=self.status_or_end, args=('/debug/pprof/profile?seconds=300',))
        asking.start()
        self.eventually(lambda: 'TakeCpuProfile' not in self.stacks() and 'the profile')
        self.scheduler.terminate()
        self.scheduler.wait(timeout=TIMEOUT)
        asking.join()

    def status_or_end(self, path):
        try:
            self.get(path)
        except OSError:
            pass

    def test_pages_obey_the_configuration_and_the_gates(self):
        self.start('false', '--feature-gates=ComponentFlagz=false')
        for path, want in {'/debug/pprof/': 404, '/debug/flags/v': 404, '/flagz': 404, '/statusz': 200}.items():
            self.assertEqual(self.status(path), want, path)

    def test_pages_show_flags_and_status(self):
        self.start('true', '--v=2')
        self.assertRegex(self.get('/flagz').decode(), r'\nkube-scheduler flagz\n[^\n]*\n(.*\n)*v(:|: |=| )2\n')
        self.assertRegex(self.get('/statusz').decode(),
                         r'Binary version(:|: |=| ) 1\.36\n(.*\n)*Paths\S? +.*/admin /configz /explain /flagz /healthz /livez')
        self.assertEqual(self.status('/debug/flags/v'), 406)

    def test_the_log_is_json(self):
        started = self.start('true', '--logging-format=json', '--v=1')
        whole = started[:started.rindex('\n')].splitlines()  # the program may be writing the last line
        self.assertGreater(len(whole), 1)
        for line in whole:
            self.assertRegex(line, r'^\{"ts":[0-9.]+,"caller":"[^"]+","msg":".*\}$')


if __name__ == '__main__':
    unittest.main()
