"""An HTTP server that queues its requests: (path, headers, body). It has no objects and accepts every POST.

A body that is not JSON stays bytes.
"""

import http.server
import json
import queue
import threading


class RecordingServer:
    def __enter__(self):
        self.asked = queue.Queue()
        asked = self.asked

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status, body):
                text = json.dumps(body).encode()
                self.send_response(status)
                self.send_header('Content-Type', 'application/json')
                self.send_header('Content-Length', str(len(text)))
                self.end_headers()
                try:
                    self.wfile.write(text)
                except OSError:
                    pass  # the scheduler has ended

            def do_GET(self):
                asked.put((self.path, dict(self.headers), None))
                self.answer(404, {'kind': 'Status', 'code': 404, 'reason': 'NotFound', 'status': 'Failure'})

            def do_POST(self):
                body = self.rfile.read(int(self.headers['Content-Length']))
                is_json = self.headers['Content-Type'].startswith('application/json')
                asked.put((self.path, dict(self.headers), json.loads(body) if is_json else body))
                self.answer(200, {})

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.url = f'http://127.0.0.1:{self.server.server_port}'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
