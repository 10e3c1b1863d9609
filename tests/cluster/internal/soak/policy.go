package soak

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// policy is the part of the policy that the soak varies. The node of a pod shows which policy scheduled it: nodes with
// the version of the scoring library, or nodes with a shape, depending on the larger weight. The weights differ.
type policy struct {
	version                    int // of PrefersVersion, 1 to versions
	versionWeight, shapeWeight int
	guest                      bool // there is a second profile
}

const versions = 8

func guestOf(scheduler string) string { return scheduler + "-guest" }

func (p policy) config(scheduler string) string {
	text := fmt.Sprintf(`apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {qps: 5000, burst: 5000}
profiles:
- schedulerName: %s
  plugins:
    score: {disabled: [{name: '*'}], enabled: [{name: PrefersVersion, weight: %d}, {name: NodeAffinity, weight: %d}]}
  pluginConfig:
  - name: NodeAffinity
    args:
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: NodeAffinityArgs
      addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: shape, operator: Exists}]}}]}
`, scheduler, p.versionWeight, p.shapeWeight)
	if p.guest {
		text += "- schedulerName: " + guestOf(scheduler) + "\n"
	}
	return text
}

// wants is the class of nodes (makeNodes) that the policy chooses for pods that fit on all nodes.
func (p policy) wants() string {
	if p.versionWeight > p.shapeWeight {
		return classOf(p.version)
	}
	return "shape"
}

func classOf(version int) string { return fmt.Sprintf("version-%d", version) }

func (p policy) String() string {
	guest := ""
	if p.guest {
		guest = ", guest"
	}
	return fmt.Sprintf("version %d, weights %d:%d%s", p.version, p.versionWeight, p.shapeWeight, guest)
}

var (
	libraryChange = regexp.MustCompile(`plugin PrefersVersion: library [^ ]+ version (\d+)\.0\.0 sha256 `)
	weightChange  = regexp.MustCompile(`plugin (PrefersVersion|NodeAffinity): weight (\d+), was \d+$`)
)

// after is p with the changes that the scheduler reports for a new generation.
func (p policy) after(changes []string, scheduler string) (policy, error) {
	for _, change := range changes {
		var err error
		what, ours := strings.CutPrefix(change, "profile "+scheduler+": ")
		library, weight := libraryChange.FindStringSubmatch(what), weightChange.FindStringSubmatch(what)
		switch {
		case change == "profile "+guestOf(scheduler)+": added":
			p.guest = true
		case change == "profile "+guestOf(scheduler)+": removed":
			p.guest = false
		case ours && library != nil:
			p.version, err = strconv.Atoi(library[1])
		case ours && weight != nil && weight[1] == "PrefersVersion":
			p.versionWeight, err = strconv.Atoi(weight[2])
		case ours && weight != nil:
			p.shapeWeight, err = strconv.Atoi(weight[2])
		default:
			err = fmt.Errorf("nobody asked for %q", change)
		}
		if err != nil {
			return p, err
		}
	}
	return p, nil
}
