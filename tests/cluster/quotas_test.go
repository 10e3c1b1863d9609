package cluster

import (
	"fmt"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"berth.dev/berth/tests/cluster/internal/fakelet"
)

const elasticQuotas = "elasticquotas.scheduling.x-k8s.io"

// A namespace borrows quota that another one does not use, and loses it when the owner needs it.
func TestQuotaIsBorrowedAndReclaimedByPreemption(t *testing.T) {
	onlyBerth(t, "CapacityScheduling")
	w := newWorld(t, 2*time.Minute)
	w.installs("elasticquota.yaml", elasticQuotas)
	lender := w.beside("lender")
	w.node("node", func(n *fakelet.NodeSpec) { n.CPU = "4" })
	w.start(w.profile(fast) + `  plugins:
    multiPoint: {enabled: [{name: CapacityScheduling}]}
    postFilter: {enabled: [{name: CapacityScheduling}], disabled: [{name: '*'}]}
`)
	w.apply("borrower", quotaOfTwo)
	w.applyIn(lender, "lender", quotaOfTwo)
	w.pods("borrower", 4, cpu("1"))
	w.whole("borrower", 4, 20*time.Second)
	w.pod("fifth", cpu("1")) // more than max
	w.unschedulable("fifth", 10*time.Second)
	for i := range 2 {
		w.podIn(lender, fmt.Sprintf("owner-%d", i), cpu("1"))
	}
	w.eventually(40*time.Second, func() error {
		pods, err := w.client.CoreV1().Pods(lender).List(w.ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=node"})
		if err == nil && len(pods.Items) != 2 {
			err = fmt.Errorf("%d of 2 pods of the lender have a node", len(pods.Items))
		}
		return err
	})
	bound, _, err := w.countOf("borrower-")
	w.must(err)
	if bound != 2 {
		t.Errorf("%d pods of the borrower are left, not the 2 of its minimum", bound)
	}
	w.prove()
}

// quotaOfTwo is for a namespace that has 2 CPUs and may use 4.
const quotaOfTwo = `{apiVersion: scheduling.x-k8s.io/v1alpha1, kind: ElasticQuota, metadata: {name: quota}, spec: {min: {cpu: 2}, max: {cpu: 4}}}`
