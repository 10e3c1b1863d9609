package mutants

import "go.yaml.in/yaml/v3"

// The values that edits insert into configurations.

var fields = []string{
	"name", "weight", "enabled", "disabled", "plugins", "pluginConfig", "args", "schedulerName", "profiles", "score",
	"filter", "preFilter", "multiPoint", "queueSort", "bind", "percentageOfNodesToScore", "parallelism", "extenders",
	"urlPrefix", "filterVerb", "bindVerb", "prioritizeVerb", "httpTimeout", "tlsConfig", "managedResources",
	"leaderElection", "leaderElect", "leaseDuration", "resourceLock", "clientConnection", "qps", "burst", "kind",
	"apiVersion", "podInitialBackoffSeconds", "podMaxBackoffSeconds", "enableProfiling", "scoringStrategy", "resources",
	"healthzBindAddress", "delayCacheUntilActive", "placementGenerate", "preEnqueue", "unknown", "metadata", "", "~", "1",
}

var names = []string{
	"NodeResourcesFit", "NodeAffinity", "PodTopologySpread", "InterPodAffinity", "VolumeBinding", "DefaultPreemption",
	"NodeResourcesBalancedAllocation", "DynamicResources", "TaintToleration", "ImageLocality", "PrioritySort",
	"DefaultBinder", "NodePorts", "NodeName", "SchedulingGates", "GangScheduling", "defalut", "MyScorePlugin", "randScore",
	"filteringNode", "filteringPod", "Priority", "NoSuchPlugin", "*", "nodeName", "cpu", "memory", "example.com/gpu",
	"LeastAllocated", "MostAllocated", "RequestedToCapacityRatio", "default-scheduler", "leases", "In", "Exists",
	"kubescheduler.config.k8s.io/v1", "kubescheduler.config.k8s.io/v1beta3", "kubescheduler.config.k8s.io/v2",
	"KubeSchedulerConfiguration", "NodeResourcesFitArgs", "List", "System", "ScheduleAnyway", "Honor",
}

var numbers = []string{
	"0", "1", "-1", "10", "100", "101", "2147483647", "2147483648", "-2147483649", "9223372036854775807",
	"9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775809", "+9223372036854775808",
	"0xffffffffffffffff", "9.21e18", "1234567890123456789.0", "1e19", "1e20", "1e2", "1.5", "1.0", "0x10", "0o17", "017",
	"1_000", ".5", "+1", "1e400", ".nan", "-.inf",
}

var scalars = append([]string{
	"null", "~", "true", "false", "yes", "No", "on", "\"\"", "'1'", "word", "\"two words\"", "5s", "-5s", "1h2m", "1d",
	"10", "2026-01-02", "http://127.0.0.1:8888/x", "0.0.0.0:0", "aGVsbG8=", "a/b/c", "\"\\u0000\"", "ä", "[]", "{}",
	"[null]", "[[]]", "{a: 1}", "[{name: cpu, weight: 1}]", "[{name: NodePorts}, {name: NodePorts}]", "[{}]",
	"{enabled: [{name: \"*\"}]}", "{disabled: [{name: \"*\"}]}", "[{name: randScore, weight: -3}]", "1 # note", "!!str 5",
}, numbers...)

// made returns a value that does not depend on its place.
func (t *tree) made() *yaml.Node {
	var document yaml.Node
	text := scalars[t.random.IntN(len(scalars))]
	if err := yaml.Unmarshal([]byte(text), &document); err != nil || len(document.Content) == 0 {
		return null()
	}
	return document.Content[0]
}

func null() *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"} }
