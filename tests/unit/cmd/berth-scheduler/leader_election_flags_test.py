"""berth-scheduler refuses invalid times of leader election, and its LeaseCandidate has kube-scheduler's versions."""

import os
import subprocess
import tempfile
import unittest

from recording_server import RecordingServer

SCHEDULER = os.environ['BERTH_SCHEDULER']


class LeaderElectionFlags(unittest.TestCase):
    def test_times_that_cannot_work_end_the_start(self):
        # Without --config, kube-scheduler checks this rule only when it makes the elector.
        ended = subprocess.run([SCHEDULER, '--master', 'http://127.0.0.1:1', '--secure-port', '0', '--admin-address', '',
                                '--leader-elect-retry-period=9s'], capture_output=True, text=True, timeout=60,
                               check=False)
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertIn("couldn't create leader elector: renewDeadline must be greater than retryPeriod*JitterFactor",
                      ended.stderr)

    def test_a_candidate_has_the_versions_of_kube_scheduler(self):
        with RecordingServer() as server, tempfile.NamedTemporaryFile('w', suffix='.yaml') as config:
            config.write('apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n'
                         'delayCacheUntilActive: true\n')
            config.flush()
            scheduler = subprocess.Popen([SCHEDULER, '--config', config.name, '--master', server.url, '--secure-port', '0',
                                          '--admin-address', '', '--feature-gates=CoordinatedLeaderElection=true'],
                                         stderr=subprocess.DEVNULL)
            try:
                path, candidate = '', None
                while candidate is None or not path.endswith('/leasecandidates'):
                    path, _, candidate = server.asked.get(timeout=30)
            finally:
                scheduler.terminate()
                scheduler.wait(timeout=30)
        self.assertEqual(candidate['spec']['binaryVersion'], '1.36.3')
        self.assertEqual(candidate['spec']['emulationVersion'], '1.36.0')


unittest.main()
