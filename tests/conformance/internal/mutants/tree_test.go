package mutants

import (
	"math/rand/v2"
	"testing"

	"go.yaml.in/yaml/v3"
)

const small = "profiles:\n- name: a\n  args: {weights: [1, 2, 3], mode: most}\n- name: b\n  args: {weights: [4, 5, 6], mode: least}\n"

// A copy of a part shares no list with the part; otherwise removing a member from one would damage the other.
func TestEditsLeaveNoHoles(t *testing.T) {
	for seed := range uint64(2000) {
		var document yaml.Node
		if err := yaml.Unmarshal([]byte(small), &document); err != nil {
			t.Fatal(err)
		}
		edited := &tree{root: &document, random: rand.New(rand.NewPCG(seed, 1))}
		for range 3 {
			edited.copyElsewhere()
			edited.drop()
		}
		for _, n := range edited.nodes(func(*yaml.Node) bool { return true }) {
			for _, child := range n.Content {
				if child == nil {
					t.Fatalf("seed %d: a node of kind %d has no member", seed, n.Kind)
				}
			}
		}
	}
}
