package generate

import (
	"berth.dev/berth/tests/conformance/internal/extender"
)

// extend draws one to three extenders for all profiles of a configuration. This process serves them, on a port that
// does not depend on the seed.
func (g *gen) extend(config object) {
	at := extender.Here()
	managed := some(g, 0.5, "example.com/gpu", "example.com/foo")
	binds, bare := g.chance(0.4), false
	var list []object
	for range pick(g, 1, 1, 2, 3) {
		manner := g.manner()
		e := object{"urlPrefix": at + "/" + manner.Path() + pick(g, "", "/", "//"), "httpTimeout": "30s"}
		for _, verb := range some(g, 0.7, "filter", "prioritize", "preempt") {
			e[verb+"Verb"] = verb
		}
		if e["prioritizeVerb"] != nil {
			e["weight"] = pick(g, 1, 1, 2, 5, 1000)
		}
		e["nodeCacheCapable"] = g.chance(0.6)
		e["ignorable"] = g.chance(0.4)
		if len(managed) != 0 && g.chance(0.4) {
			e["managedResources"] = []object{{"name": managed[0], "ignoredByScheduler": g.chance(0.5)}}
			managed = managed[1:]
		}
		// An extender that may not be ignored and fails to bind would cause endless retries of the pod.
		if binds && (e["ignorable"].(bool) || manner.Fail == 0) {
			e["bindVerb"], binds = "bind", false
		}
		g.failing = g.failing || manner.Fail > 0 && !e["ignorable"].(bool)
		bare = bare || e["filterVerb"] != nil && !e["nodeCacheCapable"].(bool)
		list = append(list, e)
	}
	config["extenders"] = list
	if bare {
		scoreByNodesAlone(config)
	}
}

// manner draws extenders that reject often enough to matter, and rarely reject everything.
func (g *gen) manner() extender.Manner {
	return extender.Manner{
		Seed:         g.Uint64() % 1_000_000,
		Refuse:       pick(g, 0, 10, 30, 60),
		Unresolvable: pick(g, 0, 0, 10, 20),
		Drop:         pick(g, 0, 0, 0, 15),
		Twice:        pick(g, 0, 30),
		Beyond:       pick(g, 0, 0, 10),
		Fail:         pick(g, 0, 0, 5, 20),
	}
}

// scoreByNodesAlone disables plugins that score nodes by their pods or images. If an extender returns whole Nodes,
// kube-scheduler 1.36.3 scores the returned objects, which have no pods.
func scoreByNodesAlone(config object) {
	for _, profile := range config["profiles"].([]object) {
		profile["plugins"] = object{"score": object{"disabled": []object{
			{"name": "NodeResourcesFit"}, {"name": "NodeResourcesBalancedAllocation"}, {"name": "ImageLocality"}, {"name": "PodTopologySpread"},
		}}}
	}
}
