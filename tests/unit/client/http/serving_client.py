"""An HTTPS client for tests, which prints what it sees of the server.

Usage: serving_client.py PORT [--host HOST] [--name SNI] [--get PATH]... [--put PATH BODY] [--cert CERT KEY] [--max VERSION]
       [--alpn NAME]... [--wait] [--idle N] [--half N]
Prints one line with: version, cipher, alpn, the common name of the server's certificate, status and body of each request,
all over one connection; or the error. --wait: sends nothing after the handshake, and prints "ended" when the server
has closed. --idle N: makes N connections with a complete handshake and no request, and --half N
makes N connections with the first bytes of a handshake only; both keep them open, print "ready", and wait for the end of
standard input.
"""

import argparse
import http.client
import socket
import ssl
import sys
import warnings

parser = argparse.ArgumentParser()
parser.add_argument('port', type=int)
parser.add_argument('--host', default='127.0.0.1')
parser.add_argument('--name')
parser.add_argument('--get', action='append', default=[])
parser.add_argument('--put', nargs=2)
parser.add_argument('--cert', nargs=2)
parser.add_argument('--max')
parser.add_argument('--alpn', action='append')
parser.add_argument('--wait', action='store_true')
parser.add_argument('--idle', type=int, default=0)
parser.add_argument('--half', type=int, default=0)
args = parser.parse_args()

context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
context.check_hostname = False
context.verify_mode = ssl.CERT_NONE
if args.cert:
    context.load_cert_chain(*args.cert)
if args.max:
    warnings.simplefilter('ignore', DeprecationWarning)
    context.set_ciphers('ALL:@SECLEVEL=0')
    context.minimum_version = ssl.TLSVersion.TLSv1
    context.maximum_version = getattr(ssl.TLSVersion, args.max)
if args.alpn:
    context.set_alpn_protocols(args.alpn)


def connect():
    plain = socket.create_connection((args.host, args.port), timeout=30)
    return context.wrap_socket(plain, server_hostname=args.name, suppress_ragged_eofs=False)


def common_name(der):
    """The last common name of the subject, which has only one in these tests: CN is 2.5.4.3."""
    at = der.rindex(b'\x06\x03\x55\x04\x03') + 5
    return der[at + 2:at + 2 + der[at + 1]].decode()


def wait():
    tls = connect()
    try:
        return 'ended' if tls.recv(1) == b'' else 'more'
    except (ssl.SSLEOFError, ConnectionResetError):
        return 'ended'


def talk():
    tls = connect()
    seen = [tls.version(), tls.cipher()[0], str(tls.selected_alpn_protocol()), common_name(tls.getpeercert(True))]
    connection = http.client.HTTPConnection(args.host, args.port)
    connection.sock = tls
    requests = [('GET', path, None) for path in args.get] + ([('PUT', *args.put)] if args.put else [])
    for method, path, body in requests:
        connection.request(method, path, body=body)
        reply = connection.getresponse()
        seen.append(f'{reply.status} {reply.read().decode()}')
        if connection.sock is not tls:
            seen.append('closed')
            break
    return ' | '.join(seen)


if args.idle or args.half:
    kept = [connect() for _ in range(args.idle)]
    for _ in range(args.half):
        kept.append(socket.create_connection((args.host, args.port), timeout=30))
        kept[-1].sendall(b'\x16\x03\x01')
    print('ready', flush=True)
    sys.stdin.read()
else:
    try:
        print(wait() if args.wait else talk())
    except (OSError, http.client.HTTPException) as error:
        print(f'error: {type(error).__name__}: {error}')
