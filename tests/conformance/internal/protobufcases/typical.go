package protobufcases

import (
	"io"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// PlaceForNumber is in the name of the typical pod; a benchmark replaces it with another number.
const PlaceForNumber = "00000"

// TypicalPod is a running pod of a Deployment as an API server holds it, with the fields that its admission, the
// kubelet, and server-side apply set.
func TypicalPod() *corev1.Pod {
	created := metav1.Time{Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	name := "web-5d4f8c7b9-" + PlaceForNumber
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, GenerateName: "web-5d4f8c7b9-", Namespace: "shop", UID: "6f1d2c3b-0000-4000-8000-0000000" + PlaceForNumber,
			ResourceVersion: "123456789", CreationTimestamp: created, Generation: 1,
			Labels: map[string]string{"app": "web", "pod-template-hash": "5d4f8c7b9", "app.kubernetes.io/part-of": "shop"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web-5d4f8c7b9",
				UID: "0a1b2c3d-1111-4222-8333-444455556666", Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true)}},
			ManagedFields: managedFields(created),
		},
		Spec:   typicalSpec(),
		Status: typicalStatus(created),
	}
}

func managedFields(at metav1.Time) []metav1.ManagedFieldsEntry {
	const spec = `{"f:metadata":{"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:pod-template-hash":{}},"f:ownerReferences":{".":{},` +
		`"k:{\"uid\":\"0a1b2c3d-1111-4222-8333-444455556666\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"web\"}":{".":{},"f:image":{},` +
		`"f:imagePullPolicy":{},"f:name":{},"f:ports":{},"f:resources":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{}}}`
	const status = `{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{".":{},"f:lastTransitionTime":{},"f:status":{}}},` +
		`"f:containerStatuses":{},"f:hostIP":{},"f:phase":{},"f:podIP":{},"f:startTime":{}}}`
	entry := func(manager, subresource, fields string) metav1.ManagedFieldsEntry {
		return metav1.ManagedFieldsEntry{Manager: manager, Operation: "Update", APIVersion: "v1", Time: &at, FieldsType: "FieldsV1",
			FieldsV1: &metav1.FieldsV1{Raw: []byte(fields)}, Subresource: subresource}
	}
	return []metav1.ManagedFieldsEntry{entry("kube-controller-manager", "", spec), entry("kubelet", "status", status)}
}

func typicalSpec() corev1.PodSpec {
	return corev1.PodSpec{
		Volumes: []corev1.Volume{{Name: "kube-api-access-x7k2p", VolumeSource: corev1.VolumeSource{
			Projected: &corev1.ProjectedVolumeSource{DefaultMode: ptr.To[int32](420), Sources: []corev1.VolumeProjection{
				{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: ptr.To[int64](3607), Path: "token"}}}}}}},
		Containers: []corev1.Container{{
			Name: "web", Image: "registry.example.com/shop/web:1.2.3", ImagePullPolicy: "IfNotPresent",
			Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: "TCP"}},
			Env:   []corev1.EnvVar{{Name: "LOG_LEVEL", Value: "info"}, {Name: "DATABASE", Value: "db.shop.svc"}},
			Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")},
				Limits:   corev1.ResourceList{"memory": resource.MustParse("256Mi")}},
			VolumeMounts: []corev1.VolumeMount{{Name: "kube-api-access-x7k2p", ReadOnly: true,
				MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"}},
			TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: "File",
		}},
		RestartPolicy: "Always", TerminationGracePeriodSeconds: ptr.To[int64](30), DNSPolicy: "ClusterFirst",
		ServiceAccountName: "default", DeprecatedServiceAccount: "default", NodeName: "node-0042", SchedulerName: "default-scheduler",
		SecurityContext: &corev1.PodSecurityContext{}, EnableServiceLinks: ptr.To(true), Priority: ptr.To[int32](0),
		PreemptionPolicy: ptr.To(corev1.PreemptLowerPriority),
		Tolerations: []corev1.Toleration{
			{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: ptr.To[int64](300)},
			{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: ptr.To[int64](300)}},
	}
}

func typicalStatus(at metav1.Time) corev1.PodStatus {
	condition := func(kind corev1.PodConditionType) corev1.PodCondition {
		return corev1.PodCondition{Type: kind, Status: "True", LastTransitionTime: at}
	}
	return corev1.PodStatus{
		Phase: "Running", HostIP: "10.0.0.42", PodIP: "10.244.1.17", StartTime: &at, QOSClass: "Burstable",
		Conditions: []corev1.PodCondition{condition("Initialized"), condition("Ready"), condition("ContainersReady"), condition("PodScheduled")},
		ContainerStatuses: []corev1.ContainerStatus{{
			Name: "web", Ready: true, Started: ptr.To(true), Image: "registry.example.com/shop/web:1.2.3",
			ImageID: "registry.example.com/shop/web@sha256:0123456789abcdef", ContainerID: "containerd://0123456789abcdef",
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: at}}}},
	}
}

// WriteTypical writes the typical pod without managed fields, and with them.
func WriteTypical(to io.Writer) error {
	for _, managed := range []bool{false, true} {
		pod := TypicalPod()
		if !managed {
			pod.ManagedFields = nil
		}
		envelope, text, err := Encode(pod)
		if err != nil {
			return err
		}
		if err := Write(to, envelope, text); err != nil {
			return err
		}
	}
	return nil
}
