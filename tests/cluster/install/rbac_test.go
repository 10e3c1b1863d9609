package install

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/component-helpers/auth/rbac/validation"
	"k8s.io/kubernetes/plugin/pkg/auth/authorizer/rbac/bootstrappolicy"
	"sigs.k8s.io/yaml"
)

// upstreamsRules are those of kube-scheduler's ClusterRoles (bootstrappolicy, ClusterRoles).
func upstreamsRules() []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for _, role := range bootstrappolicy.ClusterRoles() {
		if role.Name == "system:kube-scheduler" || role.Name == "system:volume-scheduler" {
			rules = append(rules, role.Rules...)
		}
	}
	return rules
}

// elsewhere are the rules of upstream that are bound by other roles: the Role for the Lease, and system:auth-delegator. Berth has
// no LeaseCandidates, because the feature gate CoordinatedLeaderElection is off.
func elsewhere(rule rbacv1.PolicyRule) bool {
	switch rule.APIGroups[0] {
	case "coordination.k8s.io", "authentication.k8s.io", "authorization.k8s.io":
		return true
	}
	return false
}

func readRules(t *testing.T, file string) []rbacv1.PolicyRule {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rules []rbacv1.PolicyRule
	if err := yaml.UnmarshalStrict(text, &rules); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return rules
}

func TestTheChartsBaseRulesAreKubeSchedulers(t *testing.T) {
	var upstream []rbacv1.PolicyRule
	for _, rule := range upstreamsRules() {
		if !elsewhere(rule) {
			upstream = append(upstream, rule)
		}
	}
	if len(upstream) < 10 {
		t.Fatalf("kube-scheduler has %d rules; where are the others?", len(upstream))
	}
	ours := readRules(t, "../../../manifests/chart/files/base-rules.yaml")
	if ok, missing := validation.Covers(ours, upstream); !ok {
		t.Errorf("the chart lacks rules of kube-scheduler: %v", missing)
	}
	if ok, more := validation.Covers(upstream, ours); !ok {
		t.Errorf("the chart has rules that kube-scheduler lacks: %v", more)
	}
}

// clusterRoles are the rules of every ClusterRole of a file of manifests.
func clusterRoles(t *testing.T, file string) []rbacv1.PolicyRule {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rules []rbacv1.PolicyRule
	documents := utilyaml.NewYAMLToJSONDecoder(bytes.NewReader(text))
	for {
		var role rbacv1.ClusterRole
		if err := documents.Decode(&role); errors.Is(err, io.EOF) {
			return rules
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if role.Kind == "ClusterRole" {
			rules = append(rules, role.Rules...)
		}
	}
}

func TestTheManifestsGrantNoMoreThanKubeSchedulerHas(t *testing.T) {
	ours := clusterRoles(t, "../../../manifests/rbac.yaml")
	if len(ours) == 0 {
		t.Fatal("manifests/rbac.yaml has no ClusterRole")
	}
	if ok, more := validation.Covers(upstreamsRules(), ours); !ok {
		t.Errorf("manifests/rbac.yaml grants more than kube-scheduler has: %v", more)
	}
}
