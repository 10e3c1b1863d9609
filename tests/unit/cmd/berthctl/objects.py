"""The program under test, and the objects that the tests put into manifests."""

import os

BERTHCTL = os.environ['BERTHCTL']


def node(name, cpu, **spec):
    return {'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': name}, 'spec': spec,
            'status': {'allocatable': {'cpu': cpu, 'memory': '8Gi', 'pods': '10'}}}


def pod(name, cpu):
    container = {'name': 'c', 'image': 'i', 'resources': {'requests': {'cpu': cpu}}}
    return {'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': name}, 'spec': {'containers': [container]}}
