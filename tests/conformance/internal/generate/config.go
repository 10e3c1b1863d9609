package generate

import (
	"fmt"
	"slices"

	"sigs.k8s.io/yaml"
)

type object = map[string]any

// plugins are the plugins compared, in the order and with the weights of the default profile.
var plugins = []object{
	{"name": "SchedulingGates"}, {"name": "PrioritySort"}, {"name": "NodeUnschedulable"}, {"name": "NodeName"},
	{"name": "TaintToleration", "weight": 3}, {"name": "NodeAffinity", "weight": 2}, {"name": "NodePorts"},
	{"name": "NodeResourcesFit", "weight": 1}, {"name": "PodTopologySpread", "weight": 2}, {"name": "InterPodAffinity", "weight": 2},
	{"name": "NodeResourcesBalancedAllocation", "weight": 1},
	{"name": "ImageLocality", "weight": 1}, {"name": "DefaultBinder"},
}

// PlainConfig is the default profile with only the compared plugins, and with all nodes scored.
func PlainConfig() map[string]any {
	return object{
		"apiVersion":               "kubescheduler.config.k8s.io/v1",
		"kind":                     "KubeSchedulerConfiguration",
		"percentageOfNodesToScore": 100,
		"profiles":                 []object{plainProfile("default-scheduler")},
	}
}

func plainProfile(name string) object {
	return object{"schedulerName": name, "plugins": object{"multiPoint": object{
		"disabled": []object{{"name": "*"}},
		"enabled":  slices.Clone(plugins),
	}}}
}

// YAML renders a configuration for --config.
func YAML(config map[string]any) ([]byte, error) { return yaml.Marshal(config) }

// config draws one to three profiles with their weights, arguments and disabled plugins.
func (g *gen) config() map[string]any {
	config := PlainConfig()
	profiles := []object{g.profile("default-scheduler")}
	if g.shows(queue) && g.chance(0.6) {
		for i := range g.between(1, 2) {
			profiles = append(profiles, g.profile(fmt.Sprintf("profile-%d", i)))
		}
	}
	if g.chance(0.2) {
		delete(config, "percentageOfNodesToScore")
		for _, p := range profiles {
			p["percentageOfNodesToScore"] = 100
		}
	}
	for _, p := range profiles {
		g.profiles = append(g.profiles, p["schedulerName"].(string))
	}
	config["profiles"] = profiles
	if g.doses[extenders] > 0 {
		g.extend(config)
	}
	return config
}

func (g *gen) profile(name string) object {
	if g.doses[preemption] > 0 {
		return g.wholeProfile(name)
	}
	if g.doses[volumes] > 0 {
		// Claims do not change, because the work of a binder and a provisioner is no scheduling decision.
		none := object{"disabled": []object{{"name": "VolumeBinding"}}}
		return object{"schedulerName": name, "plugins": object{"reserve": none, "preBind": none, "postFilter": object{"disabled": []object{{"name": "DefaultPreemption"}}}}}
	}
	profile := plainProfile(name)
	sets := profile["plugins"].(object)
	multi := sets["multiPoint"].(object)
	enabled := multi["enabled"].([]object)
	if g.chance(0.5) {
		for i, p := range enabled {
			if _, scores := p["weight"]; scores {
				enabled[i] = object{"name": p["name"], "weight": pick(g, 0, 1, 1, 2, 3, 7, 100, 1000)}
			}
		}
	}
	if g.chance(0.15) {
		at := g.between(2, len(enabled)-2)
		multi["enabled"] = slices.Delete(enabled, at, at+1)
		g.sure = false
	}
	// Without any Filter and any Score plugin, kube-scheduler 1.36.3 divides by zero if PreFilter leaves no node, so one
	// of them stays.
	if g.chance(0.2) {
		sets["score"] = g.scoreSet(multi["enabled"].([]object))
	}
	if g.chance(0.06) {
		g.sure = false
		all := "*"
		if sets["score"] != nil {
			all = "NodePorts"
		}
		name := pick(g, "NodePorts", "NodeResourcesFit", "TaintToleration", "NodeAffinity", "NodeUnschedulable", all)
		sets["filter"] = object{"disabled": []object{{"name": name}}}
	}
	if args := g.pluginConfig(); len(args) != 0 {
		profile["pluginConfig"] = args
	}
	return profile
}

// scoreSet disables scoring for some or, rarely, all plugins, or changes one's weight and position. It enables
// TaintToleration only together with its PreScore, because upstream's Score fails without it and Berth's does not.
func (g *gen) scoreSet(multi []object) object {
	scorers := []string{"NodeAffinity", "NodeResourcesFit", "NodeResourcesBalancedAllocation", "ImageLocality"}
	if slices.ContainsFunc(multi, func(p object) bool { return p["name"] == "TaintToleration" }) {
		scorers = append(scorers, "TaintToleration")
	}
	if g.chance(0.1) {
		return object{"disabled": []object{{"name": "*"}}}
	}
	set := object{}
	var disabled []object
	for _, name := range some(g, 0.3, scorers...) {
		disabled = append(disabled, object{"name": name})
	}
	if len(disabled) != 0 {
		set["disabled"] = disabled
	}
	if g.chance(0.4) {
		set["enabled"] = []object{{"name": pick(g, scorers...), "weight": pick(g, 1, 4, 10)}}
	}
	return set
}

func (g *gen) pluginConfig() []object {
	var list []object
	if g.doses[resources] > 0 && g.chance(0.6) {
		list = append(list, object{"name": "NodeResourcesFit", "args": g.fitArgs()})
	}
	if g.doses[resources] > 0 && g.chance(0.3) {
		list = append(list, object{"name": "NodeResourcesBalancedAllocation", "args": object{"resources": g.balanced()}})
	}
	if g.doses[affinity] > 0 && g.chance(0.2) {
		list = append(list, object{"name": "NodeAffinity", "args": object{"addedAffinity": g.addedAffinity()}})
	}
	if g.doses[spread]+g.doses[owners] > 0 && g.chance(0.4) {
		list = append(list, object{"name": "PodTopologySpread", "args": g.spreadArgs()})
	}
	if g.doses[podAffinity] > 0 && g.chance(0.5) {
		list = append(list, object{"name": "InterPodAffinity", "args": g.podAffinityArgs()})
	}
	return list
}

var scoredResources = []string{"cpu", "memory", "ephemeral-storage", "example.com/gpu", "hugepages-2Mi", "weird", "kubernetes.io/thing"}

func (g *gen) fitArgs() object {
	args := object{}
	if g.chance(0.25) {
		args["ignoredResources"] = some(g, 0.5, "example.com/gpu", "example.com/foo", "hugepages-2Mi", "kubernetes.io/thing")
	}
	if g.chance(0.2) {
		g.sure = false
		args["ignoredResourceGroups"] = some(g, 0.6, "example.com", "kubernetes.io", "other.org")
	}
	if g.chance(0.85) {
		args["scoringStrategy"] = g.strategy()
	}
	return args
}

func (g *gen) strategy() object {
	s := object{"type": pick(g, "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio")}
	if g.chance(0.8) {
		var list []object
		for _, name := range some(g, 0.4, scoredResources...) {
			list = append(list, object{"name": name, "weight": pick(g, 0, 1, 1, 2, 3, 100)})
		}
		if len(list) != 0 {
			s["resources"] = list
		}
	}
	if s["type"] == "RequestedToCapacityRatio" {
		s["requestedToCapacityRatio"] = object{"shape": g.shape()}
	}
	return s
}

// shape draws points of rising utilization: falling, rising and bent lines, a single point, and ends inside 0 and 100.
func (g *gen) shape() []object {
	var points []object
	at := pick(g, 0, 0, 0, 10, 33)
	for range pick(g, 1, 2, 2, 3, 4) {
		points = append(points, object{"utilization": at, "score": g.between(0, 10)})
		at += g.between(1, 50)
		if at > 100 {
			break
		}
	}
	return points
}

func (g *gen) balanced() []object {
	var list []object
	for _, name := range some(g, 0.4, scoredResources...) {
		list = append(list, object{"name": name, "weight": 1})
	}
	if len(list) == 0 {
		list = []object{{"name": "cpu", "weight": 1}}
	}
	return list
}

func (g *gen) addedAffinity() object {
	term := func() object {
		return object{"matchExpressions": []object{
			{"key": "disk", "operator": pick(g, "In", "NotIn"), "values": []string{pick(g, diskValues...)}},
		}}
	}
	added := object{}
	if g.chance(0.4) {
		added["requiredDuringSchedulingIgnoredDuringExecution"] = object{"nodeSelectorTerms": []object{term()}}
	}
	if g.chance(0.8) {
		added["preferredDuringSchedulingIgnoredDuringExecution"] = []object{{"weight": pick(g, 1, 5, 100), "preference": term()}}
	}
	return added
}
