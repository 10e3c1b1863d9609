#!/usr/bin/env python3
"""Renders manifests/chart with Helm for every file of values/, checks the objects, and lets berthctl and berth-scheduler of a
build read the configurations and flags. Needs no cluster.

Usage: HELM=helm BUILD=build/dev tests/chart/chart_test.py [unittest's arguments]
"""
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import yaml

HERE = pathlib.Path(__file__).resolve().parent
CHART = HERE.parents[1] / "manifests" / "chart"
HELM = os.environ.get("HELM", "helm")
BUILD = pathlib.Path(os.environ.get("BUILD", HERE.parents[1] / "build" / "dev")).resolve()
PLUGINS = BUILD / "lib" / "berth" / "plugins"
NAMESPACE = "scheduling"
CASES = sorted(path.stem for path in (HERE / "values").glob("*.yaml"))

KUBECONFIG = """{apiVersion: v1, kind: Config, current-context: a, users: [{name: a, user: {token: t}}],
clusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}], contexts: [{name: a, context: {cluster: a, user: a}}]}"""


def run(*arguments):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


class Rendered:
    """The objects of one release."""

    def __init__(self, *arguments):
        self.code, self.text = run(HELM, "template", "release", CHART, "--namespace", NAMESPACE, *arguments)
        self.objects = [] if self.code else [o for o in yaml.safe_load_all(self.text) if o]

    def one(self, kind, suffix="", component="scheduler"):
        found = [o for o in self.objects if o["kind"] == kind and o["metadata"]["name"].endswith(suffix)
                 and o["metadata"]["labels"]["app.kubernetes.io/component"] == component]
        assert len(found) == 1, f"{len(found)} objects of kind {kind}"
        return found[0]

    def kinds(self):
        return {o["kind"] for o in self.objects}

    @property
    def deployment(self):
        return self.one("Deployment")["spec"]

    @property
    def pod(self):
        return self.deployment["template"]["spec"]

    @property
    def container(self):
        return next(c for c in self.pod["containers"] if c["name"] == "scheduler")

    def configuration(self, key):
        return yaml.safe_load(self.one("ConfigMap")["data"][key])


def every_case(test):
    """A test that runs for each file of values/."""
    @functools.wraps(test)
    def run_all(self):
        for case in CASES:
            with self.subTest(values=case):
                test(self, case, render(case))
    return run_all


def values_of(case):
    return ("--values", HERE / "values" / f"{case}.yaml")


@functools.lru_cache
def render(case, *more):
    rendered = Rendered(*values_of(case), *more)
    assert rendered.code == 0, f"helm template refuses values/{case}.yaml: {rendered.text}"
    return rendered


@functools.lru_cache
def shipped_plugins():
    code, text = run(BUILD / "bin" / "berthctl", "plugin", "list", "--plugin-dir", PLUGINS)
    assert code == 0, text
    return set(re.findall(r"^  (\w+): ", text, re.MULTILINE))


def enabled_plugins(configuration):
    return {plugin["name"] for profile in configuration["profiles"] for points in (profile.get("plugins") or {}).values()
            for plugin in points.get("enabled") or []}


class Files:
    """The files of a pod on this machine: the ConfigMap, a kubeconfig, and signed copies of the plugins."""

    def __init__(self, rendered, directory, keyed):
        self.directory = directory
        self.plugins = directory / "plugins"
        shutil.copytree(PLUGINS, self.plugins)
        if keyed:
            for library in self.plugins.glob("*.so"):
                code, text = run("openssl", "pkeyutl", "-sign", "-rawin", "-inkey", keyed, "-in", library,
                                 "-out", f"{library}.sig")
                assert code == 0, text
        self.etc = directory / "etc"
        self.etc.mkdir()
        (directory / "kubeconfig").write_text(KUBECONFIG)
        for key, text in rendered.one("ConfigMap")["data"].items():
            configuration = yaml.safe_load(text)
            if key == "scheduler-config.yaml":  # a pod has its ServiceAccount, this machine does not
                configuration.setdefault("clientConnection", {})["kubeconfig"] = str(directory / "kubeconfig")
            (self.etc / key).write_text(yaml.safe_dump(configuration))

    def argument(self, argument):
        flag, _, value = argument.partition("=")
        if flag == "--plugin-dir":
            # Each directory of the pod is a separate one here; two of them must not contain the same name.
            first = value in ("/opt/berth/lib/berth/plugins", "/plugin-volumes/all/plugins")
            value = self.plugins if first else self.directory / value.strip("/").replace("/", "-")
            pathlib.Path(value).mkdir(exist_ok=True)
            return f"{flag}={value}"
        value = value.replace("/etc/kubernetes", str(self.etc)).replace("/state", str(self.directory / "state"))
        return f"{flag}={value}" if value else argument


class ChartTest(unittest.TestCase):
    def test_lint(self):
        for case in CASES:
            with self.subTest(values=case):
                code, text = run(HELM, "lint", "--strict", CHART, *values_of(case))
                self.assertEqual(code, 0, text)

    def test_refused_values(self):
        files = sorted((HERE / "refused").glob("*.yaml"))
        self.assertGreater(len(files), 10)
        for file in files:
            with self.subTest(values=file.name):
                rendered = Rendered("--values", file)
                self.assertNotEqual(rendered.code, 0, "helm template accepts it")
                self.assertIn(file.read_text().splitlines()[0].removeprefix("# "), rendered.text)

    @every_case
    def test_objects_are_complete_and_unique(self, _, rendered):
        names = [(o["apiVersion"], o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]) for o in rendered.objects]
        self.assertEqual(len(names), len(set(names)), names)
        for o in rendered.objects:
            self.assertEqual(o["metadata"]["labels"]["app.kubernetes.io/instance"], "release")

    def test_two_releases_share_no_object(self):
        first, second = render("default"), Rendered("--set", "scheduler.name=other")
        def names(rendered):
            return {(o["kind"], o["metadata"]["name"]) for o in rendered.objects}
        self.assertEqual(names(first) & names(second), set())

    @every_case
    def test_selectors_find_the_pods(self, _, rendered):
        labels = rendered.deployment["template"]["metadata"]["labels"].items()
        selectors = [rendered.deployment["selector"]["matchLabels"], rendered.one("Service")["spec"]["selector"],
                     rendered.one("PodDisruptionBudget")["spec"]["selector"]["matchLabels"]]
        if "NetworkPolicy" in rendered.kinds():
            selectors.append(rendered.one("NetworkPolicy")["spec"]["podSelector"]["matchLabels"])
        for selector in selectors:
            self.assertLessEqual(selector.items(), labels)
        if "ServiceMonitor" in rendered.kinds():
            self.assertLessEqual(rendered.one("ServiceMonitor")["spec"]["selector"]["matchLabels"].items(),
                                 rendered.one("Service")["metadata"]["labels"].items())

    @every_case
    def test_every_mount_has_a_volume(self, _, rendered):
        volumes = [v["name"] for v in rendered.pod["volumes"]]
        self.assertEqual(len(volumes), len(set(volumes)))
        for container in rendered.pod["containers"] + rendered.pod.get("initContainers", []):
            mounts = container.get("volumeMounts", [])
            self.assertLessEqual({m["name"] for m in mounts}, set(volumes))
            self.assertEqual(len({m["mountPath"] for m in mounts}), len(mounts))
            for argument in container.get("args", []):
                path = argument.partition("=")[2]
                if path.startswith("/") and not path.startswith("/opt/berth/"):
                    self.assertTrue(any(path.startswith(m["mountPath"]) for m in mounts), argument)

    @every_case
    def test_the_pod_is_confined(self, _, rendered):
        pod = rendered.pod["securityContext"]
        self.assertTrue(pod["runAsNonRoot"])
        self.assertEqual(pod["seccompProfile"], {"type": "RuntimeDefault"})
        containers = [c for c in rendered.pod["containers"] + rendered.pod.get("initContainers", []) if c["name"] != "wait"]
        for container in containers:
            self.assertEqual(container["securityContext"], {
                "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}})

    @every_case
    def test_probes_ask_the_port_that_is_served(self, _, rendered):
        container = rendered.container
        served = [int(a.partition("=")[2]) for a in container["args"] if a.startswith("--secure-port=")]
        self.assertEqual([p["containerPort"] for p in container["ports"]], served)
        for probe, path in {"startup": "/livez", "liveness": "/livez", "readiness": "/readyz"}.items():
            self.assertEqual(container[f"{probe}Probe"]["httpGet"], {"path": path, "port": "https", "scheme": "HTTPS"})

    @every_case
    def test_berth_accepts_configuration_and_flags(self, case, rendered):
        offered = shipped_plugins()
        self.assertIn("NodeResourcesFit", offered)
        with tempfile.TemporaryDirectory() as directory:
            self.check_with_berth(case, rendered, pathlib.Path(directory), offered)

    def check_with_berth(self, case, rendered, directory, offered):
        key = None
        if case == "only-volume":
            rendered, key = self.with_key(case, directory)
        files = Files(rendered, directory, key)
        missing = enabled_plugins(rendered.configuration("scheduler-config.yaml")) - offered
        code, text = run(BUILD / "bin" / "berthctl", "config", "check", "--config", files.etc / "scheduler-config.yaml",
                         "--berth-config", files.etc / "berth-config.yaml", "--plugin-dir", files.plugins)
        if missing:  # for example of scheduler-plugins: the only error may be that no library offers them
            self.assertNotEqual(code, 0)
            for line in filter(None, text.splitlines()):
                self.assertTrue(any(f'"{name}"' in line for name in missing), line)
            return
        self.assertEqual(code, 0, text)
        arguments = [files.argument(a) for a in rendered.container["args"]]
        arguments = [a for a in arguments if not a.startswith("--admin-address")]
        code, text = run(BUILD / "bin" / "berth-scheduler", *arguments, "--admin-address=", f"--write-config-to={directory}/written")
        self.assertEqual(code, 0, f"{arguments}: {text}")

    def with_key(self, case, directory):
        key = directory / "key.pem"
        self.assertEqual(run("openssl", "genpkey", "-algorithm", "ed25519", "-out", key)[0], 0)
        public = subprocess.run(["openssl", "pkey", "-in", key, "-pubout"], capture_output=True, text=True, check=True).stdout
        values = directory / "key.yaml"
        values.write_text(yaml.safe_dump({"signatureKeys": [public]}))
        rendered = render(case, "--values", values)
        self.assertEqual(rendered.configuration("berth-config.yaml")["security"],
                         {"signatureKeys": [public], "requireDigest": False, "checkOwner": True})
        return rendered, key

    def test_defaults(self):
        rendered = render("default")
        self.assertEqual(rendered.deployment["replicas"], 2)
        self.assertEqual(rendered.one("PodDisruptionBudget")["spec"]["maxUnavailable"], 1)
        self.assertEqual(rendered.configuration("scheduler-config.yaml"), {
            "apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration",
            "leaderElection": {"leaderElect": True, "resourceName": "berth", "resourceNamespace": NAMESPACE},
            "profiles": [{"schedulerName": "berth"}]})
        self.assertEqual(rendered.kinds(), {
            "ServiceAccount", "ConfigMap", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding", "Service", "Deployment",
            "PodDisruptionBudget"})

    def test_names_of_plugins_stay_as_they_are(self):
        profile = render("one-replica").configuration("scheduler-config.yaml")["profiles"][0]
        self.assertEqual(profile["plugins"]["multiPoint"], {
            "enabled": [{"name": "MyScorePlugin"}, {"name": "randScore"}, {"name": "filteringNode"}],
            "disabled": [{"name": "ImageLocality"}]})
        self.assertEqual(profile["pluginConfig"][0]["name"], "NodeResourcesFit")

    def test_values_of_scheduler_plugins(self):
        rendered = render("one-replica")
        self.assertEqual(rendered.deployment["replicas"], 1)
        self.assertEqual(rendered.deployment["strategy"], {"type": "Recreate"})
        self.assertEqual(rendered.container["command"], ["/bin/kube-scheduler"])
        self.assertEqual(rendered.container["image"], "registry.example.org/team/berth:0.1.0")
        self.assertEqual(rendered.pod["nodeSelector"], {"node-role.kubernetes.io/control-plane": ""})
        self.assertNotIn("priorityClassName", rendered.pod)
        self.assertNotIn("topologySpreadConstraints", rendered.pod)
        self.assertEqual(len(rendered.pod["tolerations"]), 1)
        # Without leader election the scheduler has no Lease, and needs no permission for one.
        roles = {o["metadata"]["labels"]["app.kubernetes.io/component"] for o in rendered.objects if o["kind"] == "Role"}
        self.assertEqual(roles, {"controllers"})

    def test_profiles_and_settings(self):
        configuration = render("profiles").configuration("scheduler-config.yaml")
        self.assertEqual([p["schedulerName"] for p in configuration["profiles"]], ["wyq", "i-scheduler", "spread"])
        self.assertEqual(configuration["profiles"][0]["plugins"]["multiPoint"]["enabled"], [{"name": "randScore", "weight": 300}])
        self.assertIs(configuration["enableProfiling"], False)
        self.assertEqual(configuration["clientConnection"], {"qps": 1000000, "burst": 2000000})
        self.assertEqual(configuration["leaderElection"],
                         {"leaderElect": True, "resourceName": "policies", "resourceNamespace": "kube-system"})

    def test_profiles_of_the_configuration_replace_the_others(self):
        profiles = [{"schedulerName": "only", "plugins": {"score": {"enabled": [{"name": "SySched"}]}}}]
        rendered = render("profiles", "--set-json", "schedulerConfiguration.profiles=" + json.dumps(profiles), "--set", "controller=null")
        self.assertEqual(rendered.configuration("scheduler-config.yaml")["profiles"], profiles)
        self.assertIn("seccompprofiles", str(rendered.one("ClusterRole")["rules"]))

    def test_a_profile_has_one_plugin_that_sorts_the_queue(self):
        cases = {'{Coscheduling}': ["PrioritySort"], '{QOSSort,MyScorePlugin}': ["PrioritySort"], '{MyScorePlugin}': None}
        for enabled, expected in cases.items():
            with self.subTest(enabled=enabled):
                self.assertEqual(self.disabled("--set", f"plugins.enabled={enabled}"), expected)
        for disabled in ("*", "PrioritySort"):
            with self.subTest(disabled=disabled):
                self.assertEqual(self.disabled("--set", "plugins.enabled={Coscheduling}", "--set", f"plugins.disabled={{{disabled}}}"),
                                 [disabled])

    def disabled(self, *arguments):
        rendered = Rendered(*arguments)
        self.assertEqual(rendered.code, 0, rendered.text)
        plugins = rendered.configuration("scheduler-config.yaml")["profiles"][0]["plugins"]["multiPoint"].get("disabled")
        return plugins and [p["name"] for p in plugins]

    def test_the_lease_is_allowed_by_name(self):
        for case, name, namespace in ("default", "berth", NAMESPACE), ("profiles", "policies", "kube-system"):
            role = render(case).one("Role", ":leader-election")
            self.assertEqual(role["metadata"]["namespace"], namespace)
            for rule in role["rules"]:
                self.assertEqual(rule.get("resourceNames"), None if rule["verbs"] == ["create"] else [name])

    def rules(self, *arguments):
        return [(r["apiGroups"][0], r["resources"][0]) for r in Rendered(*arguments).one("ClusterRole")["rules"]]

    def test_rules_follow_the_plugins(self):
        base = self.rules(*values_of("default"))
        self.assertEqual(sorted(set(self.rules(*values_of("rules"))) - set(base)), [
            ("example.org", "quotas"), ("example.org", "scores"), ("scheduling.x-k8s.io", "podgroups"),
            ("topology.node.k8s.io", "noderesourcetopologies")])
        self.assertEqual(sorted(set(self.rules(*values_of("seed-i-scheduler"))) - set(base)), [
            ("scheduling.x-k8s.io", "elasticquotas"), ("scheduling.x-k8s.io", "podgroups"),
            ("topology.node.k8s.io", "noderesourcetopologies")])

    def test_plugin_volumes(self):
        rendered = render("plugin-volumes")
        volumes = {v["name"]: v for v in rendered.pod["volumes"]}
        self.assertIn("@sha256:", volumes["plugins-my-score"]["image"]["reference"])
        self.assertEqual(volumes["plugins-team"]["persistentVolumeClaim"], {"claimName": "berth-plugins", "readOnly": True})
        self.assertEqual(volumes["plugins-copied"]["emptyDir"], {})
        self.assertEqual([a.partition("=")[2] for a in rendered.container["args"] if a.startswith("--plugin-dir=")], [
            "/opt/berth/lib/berth/plugins", "/plugin-volumes/my-score/libraries", "/plugin-volumes/team/plugins",
            "/plugin-volumes/copied/plugins"])
        self.assertEqual([c["name"] for c in rendered.pod["initContainers"]], ["plugins-copied"])
        self.assertEqual(rendered.pod["initContainers"][0]["imagePullPolicy"], "Always")

    def test_the_init_container_copies_libraries_and_signatures(self):
        container = render("only-volume").pod["initContainers"][0]
        with tempfile.TemporaryDirectory() as directory:
            source, target = pathlib.Path(directory, "from"), pathlib.Path(directory, "to", "plugins")
            source.mkdir()
            target.parent.mkdir()
            for name in "a.so", "a.so.sig", "b.so", "README":
                (source / name).write_text(name)
            self.assertEqual({e["name"]: e["value"] for e in container["env"]}, {"FROM": "/plugins", "TO": "/plugin-volumes/all/plugins"})
            subprocess.run(container["command"], check=True, env=os.environ | {"FROM": str(source), "TO": str(target)})
            self.assertEqual(sorted(p.name for p in target.iterdir()), ["a.so", "a.so.sig", "b.so"])
            self.assertEqual((target / "b.so").read_text(), "b.so")

    def test_only_fields_that_need_a_restart_replace_pods(self):
        def digest(*sets):
            rendered = Rendered(*values_of("profiles"), *(a for s in sets for a in ("--set", s)))
            return rendered.deployment["template"]["metadata"]["annotations"]["berth.dev/restart"]
        self.assertEqual(digest(), digest("plugins.enabled[0].weight=5", "schedulerConfiguration.parallelism=4"))
        self.assertEqual(digest(), digest("berthConfiguration.verbosity=9"))
        for change in ("schedulerConfiguration.clientConnection.qps=7", "berthConfiguration.seed=8",
                       "schedulerConfiguration.leaderElection.resourceName=x"):
            self.assertNotEqual(digest(), digest(change), change)

    def test_what_surrounds_the_pod(self):
        rendered = render("host-network")
        self.assertEqual(rendered.pod["dnsPolicy"], "ClusterFirstWithHostNet")
        self.assertTrue(rendered.pod["hostNetwork"])
        self.assertEqual(rendered.pod["serviceAccountName"], "existing")
        self.assertEqual(rendered.one("PodDisruptionBudget")["spec"]["minAvailable"], 2)
        self.assertNotIn("maxUnavailable", rendered.one("PodDisruptionBudget")["spec"])
        self.assertFalse(rendered.kinds() & {"ServiceAccount", "ClusterRole", "RoleBinding", "ServiceMonitor"})
        labels = rendered.deployment["template"]["metadata"]["labels"]
        self.assertEqual((labels["team"], labels["cost-center"]), ("platform", "42"))
        self.assertIn("--vmodule=queue=5", rendered.container["args"])
        policy = rendered.one("NetworkPolicy")["spec"]
        self.assertEqual(policy["policyTypes"], ["Ingress", "Egress"])
        self.assertEqual(policy["ingress"], [{"ports": [{"protocol": "TCP", "port": 10459}]}])

    def test_notes(self):
        chart = pathlib.Path(tempfile.mkdtemp()) / "berth"
        self.addCleanup(shutil.rmtree, chart.parent)
        shutil.copytree(CHART, chart)
        # As the notes of a release, Helm 3 shows them only if it reaches a cluster.
        text = (chart / "templates" / "NOTES.txt").read_text()
        (chart / "templates" / "shown.yaml").write_text(
            f'{{{{ define "notes" }}}}{text}{{{{ end }}}}\n{{{{ dict "notes" (include "notes" .) | toYaml }}}}\n')

        def notes(case, *more):
            code, shown = run(HELM, "template", "release", chart, "--namespace", NAMESPACE, "--show-only", "templates/shown.yaml",
                              *values_of(case), *more)
            self.assertEqual(code, 0, shown)
            return yaml.safe_load(shown)["notes"]
        self.assertIn("get lease berth", notes("default"))
        self.assertNotIn("NOTE:", notes("default"))
        self.assertIn("berth-controllers writes the status of PodGroups", notes("one-replica"))
        self.assertIn("Berth serves default-scheduler", notes("host-network"))
        self.assertIn("spec.schedulerName: i-scheduler", notes("seed-i-scheduler"))

    def test_controllers(self):
        for none in (render("default"), render("seed-i-scheduler"), Rendered("--set", "controller=null")):
            self.assertEqual({o["metadata"]["labels"]["app.kubernetes.io/component"] for o in none.objects}, {"scheduler"})
        rendered = render("one-replica")
        deployment = rendered.one("Deployment", component="controllers")
        self.assertEqual(deployment["metadata"]["name"], "berth-controllers")
        spec, labels = deployment["spec"], deployment["spec"]["template"]["metadata"]["labels"].items()
        self.assertEqual(spec["replicas"], 1)
        self.assertLessEqual(spec["selector"]["matchLabels"].items(), labels)
        self.assertFalse(rendered.deployment["selector"]["matchLabels"].items() <= labels, "the scheduler's Service finds them")
        pod = spec["template"]["spec"]
        container = pod["containers"][0]
        self.assertEqual(container["image"], "registry.example.org/team/berth:0.1.0")
        self.assertTrue(pod["securityContext"]["runAsNonRoot"])
        self.assertTrue(container["securityContext"]["readOnlyRootFilesystem"])
        account = rendered.one("ServiceAccount", component="controllers")["metadata"]["name"]
        self.assertEqual(pod["serviceAccountName"], account)
        subjects = [o["subjects"] for o in rendered.objects if o["metadata"]["name"].startswith(f"berth:{NAMESPACE}:{account}")
                    and "subjects" in o]
        self.assertEqual(subjects, [[{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}]] * 4)
        self.assertEqual(self.cluster_role_of("controllers.yaml"), rendered.one("ClusterRole", component="controllers")["rules"])
        _, known = run(BUILD / "bin" / "berth-controllers", "--help")
        for argument in container["args"]:
            self.assertIn(argument.partition("=")[0], known)
        self.assertNotIn("--leader-elect-resource-name", " ".join(container["args"]))  # it has the default name
        lease = re.search(r'name of the Lease \(default "(.+?)"\)', known)[1]
        role = rendered.one("Role", component="controllers")
        self.assertEqual((role["metadata"]["namespace"], role["rules"][1]["resourceNames"]), ("kube-system", [lease]))

    @staticmethod
    def cluster_role_of(manifest):
        objects = yaml.safe_load_all((CHART.parent / manifest).read_text())
        return next(o for o in objects if o["kind"] == "ClusterRole")["rules"]

    def test_an_old_cluster_is_refused(self):
        self.assertNotEqual(Rendered("--kube-version", "1.28.0").code, 0)
        self.assertEqual(Rendered("--kube-version", "1.29.0").code, 0)


if __name__ == "__main__":
    unittest.main()
