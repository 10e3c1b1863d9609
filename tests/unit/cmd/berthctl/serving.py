"""What the tests of `berthctl --serve` share: a small cluster, and a program that serves until the test ends."""

import json
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
import urllib.request

from objects import BERTHCTL, node, pod

CLUSTER = [node('a', '2'), node('b', '8'), node('c', '8', unschedulable=True), pod('web', '1'), pod('huge', '16'), pod('db', '1')]


class Serving(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.dir)
        self.manifests, self.log = self.dir / 'cluster.json', self.dir / 'log.jsonl'
        self.manifests.write_text(json.dumps({'apiVersion': 'v1', 'kind': 'List', 'items': CLUSTER}))

    def run_ctl(self, *arguments):
        return subprocess.run([BERTHCTL, *arguments], capture_output=True, text=True, check=False, timeout=60)

    def write_log(self):
        self.assertEqual(self.run_ctl('simulate', '-f', self.manifests, '--decision-log', self.log).returncode, 0)

    def serve(self, *arguments):
        """Starts berthctl, and sets self.base to the URL before /explain when it serves."""
        self.out = open(self.dir / 'out', 'w+', encoding='utf-8')
        self.addCleanup(self.out.close)
        self.process = subprocess.Popen([BERTHCTL, *arguments, '--serve=127.0.0.1:0'], stdout=self.out, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.process.stderr.close)
        self.addCleanup(self.process.kill)
        for line in self.process.stderr:
            if found := re.fullmatch(r'Serving (http://127\.0\.0\.1:\d+)/explain until interrupted\n', line):
                self.base = found[1]
                return
        self.fail(f'it does not serve: {self.process.wait()}')

    def interrupt(self, with_signal=signal.SIGINT):
        self.process.send_signal(with_signal)
        self.assertEqual(self.process.wait(30), 0)

    def get(self, path):
        with urllib.request.urlopen(self.base + path, timeout=30) as answer:
            text = answer.read().decode()
            return json.loads(text) if answer.headers['Content-Type'] == 'application/json' else text
