package controlplane

import (
	"crypto/rand"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Identity is a user of the API server, by its name in RBAC.
type Identity string

const (
	// Admin may do everything.
	Admin Identity = "admin"
	// BerthScheduler is the service account with the permissions in manifests/rbac.yaml, and no others.
	BerthScheduler Identity = "system:serviceaccount:kube-system:berth-scheduler"
	// BerthControllers is the service account with the permissions in manifests/controllers.yaml, which a test applies.
	BerthControllers Identity = "system:serviceaccount:kube-system:berth-controllers"
	// KubeScheduler has the API server's default permissions for kube-scheduler.
	KubeScheduler Identity = "system:kube-scheduler"
	// Nobody has no permissions until a test grants some.
	Nobody Identity = "nobody"
)

var groups = map[Identity]string{
	Admin:            "system:masters",
	BerthScheduler:   "system:serviceaccounts,system:serviceaccounts:kube-system",
	BerthControllers: "system:serviceaccounts,system:serviceaccounts:kube-system",
	KubeScheduler:    "",
	Nobody:           "",
}

// NodeIdentity is the kubelet of a node.
func NodeIdentity(node string) Identity { return Identity("system:node:" + node) }

// writeTokens makes a token for each identity, and for the kubelets of these nodes, and writes the API server's token file.
func writeTokens(file string, nodes []string) (map[Identity]string, error) {
	all := maps.Clone(groups)
	for _, node := range nodes {
		all[NodeIdentity(node)] = "system:nodes"
	}
	tokens := map[Identity]string{}
	var lines strings.Builder
	for who, groups := range all {
		tokens[who] = rand.Text()
		fmt.Fprintf(&lines, "%s,%s,%s,%q\n", tokens[who], who, who, groups)
	}
	return tokens, os.WriteFile(file, []byte(lines.String()), 0o600)
}

// Token is the bearer token that `who` sends to the API server.
func (c *ControlPlane) Token(who Identity) string { return c.tokens[who] }

// Kubeconfig writes a kubeconfig for `who` and the API server at url ("": the control plane's own) to a file in the
// control plane's directory, and returns its path.
func (c *ControlPlane) Kubeconfig(name string, who Identity, url string) (string, error) {
	if url == "" {
		url = c.URL
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["test"] = &clientcmdapi.Cluster{Server: url, CertificateAuthorityData: c.pki.ca}
	config.AuthInfos["me"] = &clientcmdapi.AuthInfo{Token: c.tokens[who]}
	config.Contexts["test"] = &clientcmdapi.Context{Cluster: "test", AuthInfo: "me"}
	config.CurrentContext = "test"
	file := filepath.Join(c.Dir, name+".kubeconfig")
	return file, clientcmd.WriteToFile(*config, file)
}
