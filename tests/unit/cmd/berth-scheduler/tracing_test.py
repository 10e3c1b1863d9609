"""berth-scheduler sends the spans of its requests to the collector that `tracing` names, and traceparent to the API server."""

import os
import subprocess
import tempfile
import unittest

from recording_server import RecordingServer

SCHEDULER = os.environ['BERTH_SCHEDULER']
CONFIG = '''apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
leaderElection: {leaderElect: false}
---
apiVersion: berth.dev/v1alpha1
kind: BerthConfiguration
'''


def command(config, api='http://127.0.0.1:1'):
    return [SCHEDULER, '--config', config.name, '--master', api, '--secure-port', '0', '--admin-address', '']


def configuration(tracing):
    config = tempfile.NamedTemporaryFile('w', suffix='.yaml')
    config.write(CONFIG + tracing)
    config.flush()
    return config


class Tracing(unittest.TestCase):
    def test_requests_have_spans_and_the_end_exports_them(self):
        with RecordingServer() as api, RecordingServer() as collector, configuration(
                f'tracing: {{endpoint: "{collector.url}", samplingRatePerMillion: 1000000}}\n') as config:
            scheduler = subprocess.Popen(command(config, api.url), stderr=subprocess.DEVNULL)
            try:
                path, headers, _ = api.asked.get(timeout=30)
                resource = path.partition('?')[0]
                for _ in range(1000):
                    if api.asked.get(timeout=30)[0].startswith(resource):  # the first request has its reply by then
                        break
            finally:
                scheduler.terminate()
                scheduler.wait(timeout=30)
            spans = {}
            while not collector.asked.empty():
                where, how, body = collector.asked.get()
                self.assertEqual((where, how['Content-Type']), ('/v1/traces', 'application/json'))
                exported = body['resourceSpans'][0]
                self.assertIn({'key': 'service.name', 'value': {'stringValue': 'berth-scheduler'}},
                              exported['resource']['attributes'])
                spans.update({span['spanId']: span for span in exported['scopeSpans'][0]['spans']})
        version, trace, parent, flags = headers['traceparent'].split('-')
        self.assertEqual((version, flags), ('00', '01'))
        self.assertIn(parent, spans)
        self.assertEqual(spans[parent]['traceId'], trace)
        self.assertEqual(spans[parent]['name'], 'GET ' + resource)
        self.assertIn({'key': 'http.response.status_code', 'value': {'intValue': '404'}}, spans[parent]['attributes'])

    def test_without_a_rate_nothing_is_sampled(self):
        with RecordingServer() as api, RecordingServer() as collector, configuration(
                f'tracing: {{endpoint: "{collector.url}"}}\n') as config:
            scheduler = subprocess.Popen(command(config, api.url), stderr=subprocess.DEVNULL)
            try:
                _, headers, _ = api.asked.get(timeout=30)
            finally:
                scheduler.terminate()
                scheduler.wait(timeout=30)
            self.assertNotIn('traceparent', headers)
            self.assertTrue(collector.asked.empty())

    def test_a_mistake_names_file_line_and_field(self):
        with configuration('tracing: {samplingRatePerMillion: 1000001}\n') as config:
            ended = subprocess.run(command(config), capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(ended.returncode, 1)
            self.assertIn(config.name + ':7', ended.stderr)
            self.assertIn('tracing.samplingRatePerMillion', ended.stderr)
            self.assertIn('sampling rate per million must be less than or equal to one million', ended.stderr)


unittest.main()
