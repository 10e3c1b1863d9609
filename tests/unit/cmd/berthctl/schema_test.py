"""The answers below /admin/v1, and the lines of a decision log, are as docs/decisions.schema.json says."""

import json
import os
import pathlib
import unittest
import urllib.request

import jsonschema

from serving import Serving

SCHEMA = json.loads((pathlib.Path(os.environ['BERTH_TOP']) / 'docs' / 'decisions.schema.json').read_text(encoding='utf-8'))


class Schema(Serving):
    def valid(self, answer, kind):
        """Each kind has its own definition, so that a mistake names its field."""
        self.assertEqual(answer['kind'], kind)
        one = {'$schema': SCHEMA['$schema'], '$ref': f'#/$defs/{kind}', '$defs': SCHEMA['$defs']}
        jsonschema.Draft202012Validator(one, format_checker=jsonschema.FormatChecker()).validate(answer)
        self.assertIn({'$ref': f'#/$defs/{kind}'}, SCHEMA['oneOf'])

    def test_the_schema_is_valid(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_the_answers_of_a_scheduler(self):
        self.serve('simulate', '-f', self.manifests)
        listed = self.get('/admin/v1/decisions')
        self.valid(listed, 'DecisionList')
        self.assertGreaterEqual(len(listed['decisions']), 3)
        for one in listed['decisions']:
            self.valid(self.get(f"/admin/v1/decisions/{one['id']}"), 'Decision')
        self.valid(self.get('/admin/v1/pods/default/web?node=b'), 'PodExplanation')
        waiting = self.get('/admin/v1/pods/default/huge?node=a&suggest=1')
        self.valid(waiting, 'PodExplanation')
        self.assertTrue(waiting['suggestions'] and waiting['groups'])
        self.valid(self.get('/admin/v1/queue'), 'QueueState')
        self.valid(self.get('/admin/v1/nodes?label=kubernetes.io/hostname'), 'NodeTable')
        request = urllib.request.Request(self.base + '/admin/v1/policy/diff', json.dumps({'weights': {'TaintToleration': 50}}).encode(),
                                         {'Content-Type': 'application/json'})
        with urllib.request.urlopen(request, timeout=30) as answer:
            self.valid(json.load(answer), 'PolicyDiff')

    def test_the_lines_of_a_log(self):
        self.write_log()
        lines = [json.loads(line) for line in self.log.read_text(encoding='utf-8').splitlines()]
        decisions = [line for line in lines if line['kind'] == 'Decision']
        self.assertGreaterEqual(len(decisions), 3)
        for line in decisions:
            self.valid(line, 'Decision')
            self.assertTrue(line['summary'])

    def test_what_a_log_serves(self):
        self.write_log()
        self.serve('why', '--decision-log', self.log)
        self.valid(self.get('/admin/v1/decisions'), 'DecisionList')
        self.valid(self.get('/admin/v1/decisions/1'), 'Decision')
        self.valid(self.get('/admin/v1/pods/default/huge'), 'PodExplanation')
        self.valid(self.get('/admin/v1/queue'), 'QueueState')
        self.valid(self.get('/admin/v1/nodes'), 'NodeTable')


if __name__ == '__main__':
    unittest.main()
