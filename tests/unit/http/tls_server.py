"""A TLS server for tests: answers every request with what it knows about its client.

Usage: tls_server.py CERT KEY [--client-ca FILE] [--host HOST] [--old] [--reply TEXT]
Prints its port, then serves until its standard input closes. --old: speaks TLS 1.1 at most. --reply: what it answers
instead; bodies of requests are read then.
"""

import argparse
import socket
import ssl
import sys
import threading
import warnings

parser = argparse.ArgumentParser()
parser.add_argument('cert')
parser.add_argument('key')
parser.add_argument('--client-ca')
parser.add_argument('--host', default='127.0.0.1')
parser.add_argument('--old', action='store_true')
parser.add_argument('--reply')
args = parser.parse_args()

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(args.cert, args.key)
if args.client_ca:
    context.load_verify_locations(args.client_ca)
    context.verify_mode = ssl.CERT_REQUIRED
if args.old:
    warnings.simplefilter('ignore', DeprecationWarning)
    context.set_ciphers('ALL:@SECLEVEL=0')
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = ssl.TLSVersion.TLSv1_1


def note_sni(tls, name, _):
    tls.sni = name


context.sni_callback = note_sni


def common_name(certificate):
    return next((value for rdn in (certificate or {}).get('subject', ()) for key, value in rdn if key == 'commonName'), '')


def skip_body(tls, received):
    head, _, body = received.partition(b'\r\n\r\n')
    missing = next((int(line[15:]) for line in head.decode().split('\r\n') if line.startswith('Content-Length:')), 0)
    missing -= len(body)
    while missing > 0:
        missing -= len(tls.recv(4096)) or missing


def serve(plain):
    try:
        tls = context.wrap_socket(plain, server_side=True)
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
            host = next((line[5:].strip() for line in head.decode().split('\r\n') if line.startswith('Host:')), '')
            body = (f'sni={getattr(tls, "sni", None)} cn={common_name(tls.getpeercert())} host={host} '
                    f'version={tls.version()}').encode()
            tls.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n' % len(body) + body)
    except OSError:  # the client refused us, or we it
        plain.close()


listener = socket.create_server((args.host, 0), family=socket.AF_INET6 if ':' in args.host else socket.AF_INET)
print(listener.getsockname()[1], flush=True)


def accept():
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
sys.stdin.read()
