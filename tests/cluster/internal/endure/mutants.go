package endure

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// mutant is a configuration file with random faults.
type mutant struct {
	document string // which of the two has faults
	what     string // the faults
	text     []byte
}

// The documents that are changed at random. marker: the name of a profile that no pod has. Their faults come from tests/conformance/internal/mutants.
func goodDocuments(scheduler, kubeconfig, marker string) (kube [3]string, berth string) {
	head := "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + elected +
		"clientConnection: {qps: 5000, burst: 5000, kubeconfig: " + strconv.Quote(kubeconfig) + "}\n" +
		"podInitialBackoffSeconds: 1\npodMaxBackoffSeconds: 2\nprofiles:\n- schedulerName: " + scheduler + "\n"
	kube = [3]string{head, head + `  plugins:
    multiPoint: {enabled: [{name: PrefersVersion, weight: 3}]}
    score: {disabled: [{name: ImageLocality}], enabled: [{name: NodeResourcesBalancedAllocation, weight: 2}]}
  pluginConfig:
  - name: NodeResourcesFit
    args:
      apiVersion: kubescheduler.config.k8s.io/v1
      kind: NodeResourcesFitArgs
      scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 3}, {name: memory, weight: 1}]}
- schedulerName: ` + scheduler + `-other
  percentageOfNodesToScore: 50
`, head + `  percentageOfNodesToScore: 30
  plugins:
    score: {disabled: [{name: '*'}], enabled: [{name: NodeResourcesFit, weight: 1}, {name: PrefersVersion, weight: 5}]}
  pluginConfig:
  - name: PodTopologySpread
    args:
      defaultingType: List
      defaultConstraints: [{maxSkew: 5, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: ScheduleAnyway}]
  - name: NodeAffinity
    args: {addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: {matchExpressions: [{key: shape, operator: Exists}]}}]}}
`}
	for i := range kube {
		kube[i] += "- schedulerName: " + marker + "\n"
	}
	berth = "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\nverbosity: 2\n" +
		"plugins:\n- {name: PrefersVersion, library: PrefersVersion.so}\n" +
		"faults: {callDeadline: 1s, quarantineAfter: 100, hangAfter: 10s}\nsecurity: {checkOwner: true}\n"
	return kube, berth
}

const unmarked = "marker-0"

// whole is the file with both documents.
func whole(kube, berth []byte) []byte {
	if !bytes.HasSuffix(kube, []byte("\n")) {
		kube = append(bytes.Clone(kube), '\n')
	}
	return bytes.Join([][]byte{kube, []byte("---\n"), berth}, nil)
}

// makeMutants returns n files with faults in one of the two documents.
func makeMutants(ctx context.Context, r *run, kubeconfig string, n int, seed uint64) ([]mutant, error) {
	kube, berth := goodDocuments(r.o.Namespace, kubeconfig, unmarked)
	paths := []string{"run", "-C", filepath.Join(r.o.Root, "tests/conformance"), "./cmd/mutate", "-n", strconv.Itoa(n), "-seed", strconv.FormatUint(seed, 10)}
	for i, text := range append(kube[:], berth) {
		path := filepath.Join(r.o.Dir, fmt.Sprintf("base-%d.yaml", i))
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	out, err := exec.CommandContext(ctx, "go", paths...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("mutate: %w: %s", err, exit.Stderr)
	}
	if err != nil {
		return nil, err
	}
	var all []mutant
	lines := json.NewDecoder(bytes.NewReader(out))
	for {
		var one struct {
			Base  string
			Edits []string
			Text  []byte
		}
		if err := lines.Decode(&one); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		m := mutant{document: "KubeSchedulerConfiguration", what: strings.Join(one.Edits, ", "), text: whole(one.Text, []byte(berth))}
		if filepath.Base(one.Base) == fmt.Sprintf("base-%d.yaml", len(kube)) {
			m.document, m.text = "BerthConfiguration", whole([]byte(kube[1]), one.Text)
		}
		all = append(all, m)
	}
}
