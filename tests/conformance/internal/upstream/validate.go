package upstream

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	core "k8s.io/kubernetes/pkg/apis/core"
	_ "k8s.io/kubernetes/pkg/apis/core/install" // for legacyscheme
	"k8s.io/kubernetes/pkg/apis/core/validation"
)

// Created returns the pod as the API server completes it when it is created, and the server's objections. The pod is
// read as in a request: without status, and without a node.
func Created(pod *v1.Pod) (*v1.Pod, sets.Set[string], error) {
	created := pod.DeepCopy()
	created.Status = v1.PodStatus{}
	created.Spec.NodeName = ""
	legacyscheme.Scheme.Default(created)
	internal := &core.Pod{}
	if err := legacyscheme.Scheme.Convert(created, internal, nil); err != nil {
		return nil, nil, err
	}
	options := podutil.GetValidationOptionsFromPodSpecAndMeta(&internal.Spec, nil, &internal.ObjectMeta, nil)
	objections := sets.New[string]()
	for _, err := range validation.ValidatePodCreate(internal, options) {
		objections.Insert(err.Error())
	}
	created.Status = pod.Status
	return created, objections, nil
}
