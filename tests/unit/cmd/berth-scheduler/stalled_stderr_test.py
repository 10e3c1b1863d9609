"""If nobody reads berth-scheduler's standard error, it still schedules, serves requests, and ends."""

import fcntl
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.request

SCHEDULER = os.environ['BERTH_SCHEDULER']
TIMEOUT = 60  # seconds, for a busy machine
CONFIG = '''\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
'''


class StalledStderr(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)
        config = self.dir / 'config.yaml'
        config.write_text(CONFIG)
        self.reader, writer = os.pipe()
        self.addCleanup(self.close)
        self.scheduler = subprocess.Popen([SCHEDULER, '--config', str(config), '--master', 'http://127.0.0.1:1',
                                           '--admin-address', '127.0.0.1:0', '--secure-port=0'], stderr=writer)
        os.close(writer)
        self.addCleanup(self.scheduler.wait)
        self.addCleanup(self.scheduler.kill)
        started = ''
        while 'Starting Kubernetes Scheduler' not in started:
            started += os.read(self.reader, 65536).decode()
        self.port = re.search(r' port=(\d+)', started).group(1)
        fcntl.fcntl(self.reader, 1031, 4096)  # F_SETPIPE_SZ: one page fills quickly

    def close(self):
        if self.reader >= 0:
            os.close(self.reader)
            self.reader = -1

    def get(self, path):
        with urllib.request.urlopen('http://127.0.0.1:%s%s' % (self.port, path), timeout=TIMEOUT) as answer:
            return answer.read().decode()

    def dropped(self):
        return int(float(re.search(r'^berth_log_lines_dropped_total (\S+)$', self.get('/metrics'), re.M).group(1)))

    def dump_state(self, seconds):
        """When a signal arrives, the scheduling thread logs a dump of some hundred bytes."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.scheduler.send_signal(signal.SIGUSR2)
            time.sleep(0.01)

    def test_it_goes_on_and_ends(self):
        self.dump_state(2)
        self.assertEqual(self.get('/healthz'), 'ok')
        self.assertEqual(self.dropped(), 0)
        self.scheduler.terminate()
        self.scheduler.wait(timeout=TIMEOUT)  # raises if the scheduling thread waits for a reader of its lines
        rest = b''
        while part := os.read(self.reader, 65536):
            rest += part
        self.assertIn(b'Dump of cached NodeInfo', rest)

    def test_lines_that_cannot_be_written_are_counted(self):
        self.assertEqual(self.dropped(), 0)
        self.close()
        deadline = time.monotonic() + TIMEOUT
        while self.dropped() == 0:
            self.assertLess(time.monotonic(), deadline)
            self.dump_state(0.1)


if __name__ == '__main__':
    unittest.main(verbosity=2)
