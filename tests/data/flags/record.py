"""Runs a kube-scheduler with command lines that end at once and writes what it said to cases.txt. See README.md."""

import json
import pathlib
import re
import subprocess
import sys

# Each ends in an error; those that would not end by themselves have this one, which is found last.
END = '--secure-port=-1'
MISTAKES = [
    ['x', 'y'], ['x', '--nope'], ['--nope'], ['--nope=3'], ['-x'], ['--config'], ['--secure-port'], ['--secure-port=abc'],
    ['--secure-port=70000'], ['--secure-port=-1'], ['--leader-elect=maybe'], ['--leader-elect', 'maybe'], ['--leader-elect='],
    ['--leader_elect=maybe'], ['--kube-api-qps=x'], ['--kube-api-qps=1e99'], ['--kube-api-burst=99999999999'],
    ['--leader-elect-lease-duration=15'], ['--log-flush-frequency=x'], ['--v=x'], ['--v='], ['-v=x'], ['-vx'], ['-v==1'],
    ['--v=-1'], ['--v=3000000000'], ['-v', '+1'], ['--version=x'], ['--bind-address=x'], ['--bind-address=999.1.1.1'],
    ['--tls-sni-cert-key=x'], ['--tls-sni-cert-key=a,b,c'], ['--tls-sni-cert-key=a:x,y'], ['--tls-sni-cert-key=a,b:'],
    ['--tls-curve-preferences=x'], ['--tls-curve-preferences='], ['--allow-metric-labels=x'], ['--allow-metric-labels='],
    ['--log-text-info-buffer-size=x'], ['--', 'x'], ['--', '--config'], ['-'], ['a"b', ''], ['---x'], ['--=x'], ['--a_b_c=d_e'],
    ['--feature-gates=Foo'], ['--feature-gates=Foo=true'], ['--feature-gates=Foo=x'], ['--feature-gates=a:b=true'],
    ['--feature-gates=SchedulerQueueingHints=false'], ['--feature-gates=SchedulerAsyncPreemption=true,kube:PodsAPI=true'],
    ['--logging-format=yaml'], ['--logging-format=json', '--vmodule=a=1'], ['--log-flush-frequency=-1s'],
    ['--log-text-split-stream'], ['--log-text-info-buffer-size=5'], ['--log-json-info-buffer-size=1Ki'],
    ['--requestheader-extra-headers-prefix= ,a'], ['--requestheader-uid-headers=x'], ['--requestheader-allowed-names= ,a', END],
    ['--requestheader-uid-headers=X-Remote-Uid', '--feature-gates=RemoteRequestHeaderUID=false'],
]
VALUES = [
    ['--config=/a', '--config', '/b', '--leader_elect=0', '--leader-elect=T'],
    ['--kubeconfig', '--master=x'], ['--kubeconfig=a"b', '--master='],
    ['--kube-api-qps=1e3', '--kube-api-burst=0x10'], ['--kube-api-qps=-1.5'], ['--kube-api-qps=123456789'], ['--kube-api-qps=1e-7'],
    ['--kube-api-qps=500000'], ['--kube-api-qps=5000000'], ['--kube-api-burst=010'],
    ['--leader-elect-lease-duration=90s', '--pod-max-in-unschedulable-pods-duration=1h'],
    ['--disabled-metrics=a,b', '--disabled-metrics=c'], ['--authorization-always-allow-paths="a,b",c'],
    ['--authorization-always-allow-paths='], ['--requestheader-group-headers=a', '--requestheader-username-headers='],
    ['--allow-metric-labels=m,l=a b', '--allow-metric-labels=z=q'], ['--allow-metric-labels="a,b=x,y",c=d'],
    ['--tls-sni-cert-key=a,b:x', '--tls-sni-cert-key= c , d'], ['--tls-curve-preferences=1,2', '--tls-curve-preferences=3'],
    ['--bind-address=::1', '--bind-address='], ['--bind-address', ' 127.0.0.1'], ['--bind-address=0:0::0'],
    ['--vmodule=a=1,b=2', '--vmodule=c=3'], ['--version=0'], ['--version=F', '--profiling'],
    ['--feature-gates=SchedulerAsyncAPICalls=true', '--feature-gates=SchedulerPopFromBackoffQ=false,SchedulerAsyncPreemption=false'],
    ['--feature-gates=kube:SchedulerAsyncAPICalls=true'],
    ['--feature-gates=LoggingAlphaOptions=true', '--log-json-info-buffer-size=0', '--log-text-info-buffer-size=10240'],
    ['-v4', '-v', '2', '-v=1', '--profiling=false'],
]


def run(program, arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
    return done.stderr.splitlines()


def error(lines):
    for line in reversed(lines):
        if line.startswith('Error: '):
            return line[len('Error: '):]
        if (found := re.search(r'"command failed" err=(".*")$', line)):
            return json.loads(found[1])
        if not re.match(r'[IWE]\d{4} ', line):
            return line
    raise SystemExit(f'no error in {lines}')


def flags(lines):
    return [found[1] for line in lines if (found := re.search(r'FLAG: (--.*)$', line))]


def main(program):
    bare = set(flags(run(program, [END, '-v1'])))
    out = []
    for arguments in MISTAKES:
        out += ['', *(f'arg: {a}'.rstrip() for a in arguments), 'error: ' + error(run(program, arguments))]
    for arguments in VALUES:
        out += ['', *(f'arg: {a}'.rstrip() for a in arguments)]
        out += ['flag: ' + f for f in flags(run(program, ['-v1', *arguments, END])) if f not in bare]
    pathlib.Path(__file__).with_name('cases.txt').write_text('\n'.join(out[1:]) + '\n')


main(sys.argv[1])
