"""A TLS server for tests: answers every request with what it knows about its client.

Usage: tls_server.py CERT KEY [--client-ca FILE] [--host HOST] [--old] [--reply TEXT] [--refused FILE] [--go FILE] [--count]
Prints its port, then serves until its standard input closes. --old: speaks TLS 1.1 at most. --reply: what it answers
instead; bodies of requests are read then. --refused: names of clients, one a line, that get 401; read for each request.
--count: says who asks, over which connection, which is the oldest one that is open and the last that was made, how many
requests are held and how many were POSTs. A line on standard input closes all connections. CERT and
KEY are read for each connection. The body of /watch begins and does not end; that of /held waits
for the file --go.
"""

import argparse
import os
import socket
import ssl
import sys
import threading
import time
import warnings

parser = argparse.ArgumentParser()
parser.add_argument('cert')
parser.add_argument('key')
parser.add_argument('--client-ca')
parser.add_argument('--host', default='127.0.0.1')
parser.add_argument('--old', action='store_true')
parser.add_argument('--reply')
parser.add_argument('--refused')
parser.add_argument('--go')
parser.add_argument('--count', action='store_true')
args = parser.parse_args()
if args.old:
    warnings.simplefilter('ignore', DeprecationWarning)


def note_sni(tls, name, _):
    tls.sni = name


# A context for each connection: OpenSSL does not lock one that loads a certificate while another connection begins with it.
def new_context():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(args.cert, args.key)
    if args.client_ca:
        context.load_verify_locations(args.client_ca)
        context.verify_mode = ssl.CERT_REQUIRED
    if args.old:
        context.set_ciphers('ALL:@SECLEVEL=0')
        context.minimum_version = ssl.TLSVersion.TLSv1
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    context.sni_callback = note_sni
    return context


def common_name(certificate):
    return next((value for rdn in (certificate or {}).get('subject', ()) for key, value in rdn if key == 'commonName'), '')


def skip_body(tls, received):
    head, _, body = received.partition(b'\r\n\r\n')
    missing = next((int(line[15:]) for line in head.decode().split('\r\n') if line.startswith('Content-Length:')), 0)
    missing -= len(body)
    while missing > 0:
        missing -= len(tls.recv(4096)) or missing


lock = threading.Lock()
connections = {}  # number -> socket
last_connection = 0
held = 0
posts = 0


def header(lines, name):
    return next((line[len(name) + 1:].strip() for line in lines if line.startswith(name + ':')), '')


def is_refused(name):
    if not args.refused:
        return False
    with open(args.refused) as file:
        return name in file.read().split()


def count_text(number, authorization):
    if not args.count:
        return ''
    with lock:
        return f' authorization={authorization} connection={number} oldest={min(connections)} last={last_connection} held={held} posts={posts} '


def hold():
    global held
    with lock:
        held += 1
    while not os.path.exists(args.go):
        time.sleep(0.02)


def note_post():
    global posts
    with lock:
        posts += 1


def serve(plain):
    global last_connection
    with lock:
        last_connection += 1
        number = last_connection
        connections[number] = plain
    try:
        serve_connection(plain, number)
    except OSError:  # the client refused the server, or the server the client
        pass
    finally:
        with lock:
            del connections[number]
        plain.close()


def serve_connection(plain, number):
    with new_context().wrap_socket(plain, server_side=True) as tls:
        with lock:
            connections[number] = tls
        name = common_name(tls.getpeercert())
        while True:
            head = b''
            while b'\r\n\r\n' not in head:
                data = tls.recv(4096)
                if not data:
                    return
                head += data
            if args.reply is not None:
                skip_body(tls, head)
                tls.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n' % len(args.reply) + args.reply.encode())
                continue
            if head.startswith(b'POST'):
                note_post()
                skip_body(tls, head)
            lines = head.decode().split('\r\n')
            host = header(lines, 'Host')
            body = (f'sni={getattr(tls, "sni", None)} cn={name} host={host} version={tls.version()}'
                    f'{count_text(number, header(lines, "Authorization"))}').encode()
            if ' /watch ' in lines[0] and not is_refused(name):
                tls.sendall(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n' % (len(body), body))
                continue
            if ' /held ' in lines[0]:
                hold()
            status = b'401 Unauthorized' if is_refused(name) else b'200 OK'
            tls.sendall(b'HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n' % (status, len(body)) + body)


def close_connections():
    with lock:
        for connection in connections.values():
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass


listener = socket.create_server((args.host, 0), family=socket.AF_INET6 if ':' in args.host else socket.AF_INET)
print(listener.getsockname()[1], flush=True)


def accept():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
for _ in sys.stdin:
    close_connections()
