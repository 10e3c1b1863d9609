package protobufcases

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// Kinds has an empty object of each kind that Berth reads or writes as protobuf.
var Kinds = []runtime.Object{
	&corev1.Pod{}, &corev1.Node{}, &corev1.Namespace{}, &corev1.Service{}, &corev1.ReplicationController{},
	&corev1.PersistentVolume{}, &corev1.PersistentVolumeClaim{}, &corev1.ConfigMap{}, &corev1.LimitRange{},
	&corev1.ResourceQuota{}, &appsv1.Deployment{}, &appsv1.DaemonSet{}, &appsv1.ReplicaSet{}, &appsv1.StatefulSet{},
	&batchv1.Job{}, &policyv1.PodDisruptionBudget{}, &storagev1.StorageClass{}, &storagev1.CSINode{}, &storagev1.CSIDriver{},
	&storagev1.CSIStorageCapacity{}, &storagev1.VolumeAttachment{}, &storagev1.VolumeAttributesClass{},
	&resourcev1.ResourceClaim{}, &resourcev1.ResourceClaimTemplate{}, &resourcev1.ResourceSlice{}, &resourcev1.DeviceClass{},
	&schedulingv1.PriorityClass{}, &nodev1.RuntimeClass{}, &corev1.Event{}, &corev1.Binding{}, &eventsv1.Event{}, &coordinationv1.Lease{},
}

// Encode gives an object in both encodings, with its kind. As in an API server, the JSON is of what etcd's protobuf holds.
func Encode(object runtime.Object) (envelope, text []byte, err error) {
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if err != nil {
		return nil, nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(kinds[0])
	var written bytes.Buffer
	if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(object, &written); err != nil {
		return nil, nil, err
	}
	stored, _, err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Decode(written.Bytes(), nil, nil)
	if err != nil {
		return nil, nil, err
	}
	stored.GetObjectKind().SetGroupVersionKind(kinds[0])
	text, err = json.Marshal(stored)
	return written.Bytes(), text, err
}

// Write appends a case: each encoding behind its length, four bytes in big-endian order.
func Write(to io.Writer, envelope, text []byte) error {
	for _, part := range [][]byte{envelope, text} {
		if err := binary.Write(to, binary.BigEndian, uint32(len(part))); err != nil {
			return err
		}
		if _, err := to.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// WriteRandom writes n made-up objects of each of the kinds.
func WriteRandom(to io.Writer, kinds []runtime.Object, n int, seed uint64) error {
	filler := NewFiller(seed)
	for range n {
		for _, kind := range kinds {
			object := kind.DeepCopyObject()
			filler.Fill(object)
			envelope, text, err := Encode(object)
			if err != nil {
				return fmt.Errorf("%T: %w", object, err)
			}
			if err := Write(to, envelope, text); err != nil {
				return err
			}
		}
	}
	return nil
}
