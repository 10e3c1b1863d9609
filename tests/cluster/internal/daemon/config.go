package daemon

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// withKubeconfig sets clientConnection.kubeconfig in the KubeSchedulerConfiguration of a text that may contain other
// documents. It is necessary because kube-scheduler ignores --kubeconfig if there is --config.
func withKubeconfig(text, kubeconfig string) ([]byte, error) {
	var out []string
	for document := range strings.SplitSeq("\n"+text, "\n---\n") {
		var config map[string]any
		if err := yaml.Unmarshal([]byte(document), &config); err != nil {
			return nil, fmt.Errorf("the configuration is no YAML: %w", err)
		}
		if config["kind"] != "KubeSchedulerConfiguration" {
			out = append(out, strings.TrimPrefix(document, "\n"))
			continue
		}
		connection, _ := config["clientConnection"].(map[string]any)
		if connection == nil {
			connection = map[string]any{}
		}
		connection["kubeconfig"] = kubeconfig
		config["clientConnection"] = connection
		whole, err := yaml.Marshal(config)
		if err != nil {
			return nil, err
		}
		out = append(out, string(whole))
	}
	return []byte(strings.Join(out, "---\n")), nil
}
