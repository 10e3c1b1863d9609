package bench

import (
	"bytes"
	"encoding/json"
	"testing"
)

// The first file of a policy with gangs has a whole gang, and the cluster has the objects that the policy's plugin reads.
func TestSuitePolicies(t *testing.T) {
	kinds := map[string]int{"gangs": 2, "allocatable": 0, "quotas": quotaCount, "numa": 60, "packing": 60, "variation": 60, "over-commitment": 60}
	kindOf := map[string]string{"gangs": "PodGroup", "quotas": "ElasticQuota", "numa": "NodeResourceTopology",
		"packing": "NodeMetrics", "variation": "NodeMetrics", "over-commitment": "NodeMetrics"}
	for _, p := range SuitePolicies() {
		t.Run(p.Name, func(t *testing.T) {
			files, err := p.Write(t.TempDir(), Size{Nodes: 60, Bound: 60, Pending: gangSize + 5, Few: 10}, 1)
			if err != nil {
				t.Fatal(err)
			}
			if first := items(t, files.First); len(first) != p.firstPods() {
				t.Errorf("the shorter run has %d pods, not %d", len(first), p.firstPods())
			}
			found := 0
			for _, item := range items(t, files.Standing) {
				if item["kind"] == kindOf[p.Name] {
					found++
				}
			}
			if found != kinds[p.Name] {
				t.Errorf("%d objects of kind %s, not %d", found, kindOf[p.Name], kinds[p.Name])
			}
			if !bytes.Contains(read(t, files.Config), []byte("multiPoint")) {
				t.Errorf("the configuration names no plugin:\n%s", read(t, files.Config))
			}
		})
	}
}

func items(t *testing.T, path string) []map[string]any {
	t.Helper()
	var list struct{ Items []map[string]any }
	if err := json.Unmarshal(read(t, path), &list); err != nil {
		t.Fatal(err)
	}
	return list.Items
}
