"""An API server with one PodGroup, one running pod of it, one ElasticQuota, and Leases. Watches send what exists and stay open."""

import http.server
import json
import threading

GROUP = 'scheduling.x-k8s.io/v1alpha1'
OBJECTS = {
    '/api/v1/pods': {'metadata': {'name': 'p', 'namespace': 'ns', 'resourceVersion': '5',
                                  'labels': {'scheduling.x-k8s.io/pod-group': 'pg'}},
                     'spec': {'containers': [{'resources': {'requests': {'cpu': '250m'}}}]}, 'status': {'phase': 'Running'}},
    f'/apis/{GROUP}/podgroups': {'metadata': {'name': 'pg', 'namespace': 'ns', 'uid': 'u1', 'resourceVersion': '6'},
                                 'spec': {'minMember': 1}},
    f'/apis/{GROUP}/elasticquotas': {'metadata': {'name': 'eq', 'namespace': 'ns', 'uid': 'u2', 'resourceVersion': '7'},
                                     'spec': {'max': {'cpu': '4'}}},
}
END = {'type': 'BOOKMARK', 'object': {'metadata': {'resourceVersion': '9', 'annotations': {'k8s.io/initial-events-end': 'true'}}}}


class ObjectApi:
    def __enter__(self):
        self.patches, self.holders, self.lease = [], [], None
        self.ended = threading.Event()
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def answer(self, status, body):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def body(self):
                return json.loads(self.rfile.read(int(self.headers['Content-Length'])))

            def do_GET(self):
                path = self.path.partition('?')[0]
                if 'watch=' in self.path and path in OBJECTS:
                    return self.watch(OBJECTS[path])
                if '/leases/' in path and api.lease:
                    return self.answer(200, api.lease)
                return self.answer(404, {'kind': 'Status', 'code': 404, 'reason': 'NotFound', 'status': 'Failure'})

            def watch(self, thing):
                self.send_response(200)
                self.send_header('Transfer-Encoding', 'chunked')
                self.end_headers()
                for event in ({'type': 'ADDED', 'object': thing}, END):
                    line = json.dumps(event).encode() + b'\n'
                    self.wfile.write(b'%x\r\n%s\r\n' % (len(line), line))
                self.wfile.flush()
                api.ended.wait()
                self.close_connection = True

            def take_lease(self):
                api.lease = self.body()
                api.lease['metadata'] |= {'uid': 'l', 'resourceVersion': str(len(api.holders) + 1)}
                api.holders.append(api.lease['spec'].get('holderIdentity', ''))
                self.answer(200, api.lease)

            def do_POST(self):
                if self.path.endswith('/leases'):
                    return self.take_lease()
                return self.answer(201, self.body())

            def do_PUT(self):
                self.take_lease()

            def do_PATCH(self):
                patch = self.body()
                api.patches.append((self.path, self.headers['Content-Type'], patch))
                found = next((o for p, o in OBJECTS.items() if p.endswith(self.path.split('/')[-3])), {})
                self.answer(200, found | patch)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        self.url = f'http://127.0.0.1:{self.server.server_port}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()
