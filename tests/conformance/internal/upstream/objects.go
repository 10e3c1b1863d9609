package upstream

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

// ReadManifest reads the objects of a manifest, JSON or YAML, single objects or Lists, in their order.
func ReadManifest(path string) ([]runtime.Object, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	objs, err := DecodeManifest(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return objs, nil
}

// DecodeManifest is ReadManifest for bytes already read.
func DecodeManifest(data []byte) ([]runtime.Object, error) {
	var objs []runtime.Object
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			if errors.Is(err, io.EOF) {
				return objs, nil
			}
			return nil, err
		}
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		more, err := decodeDocument(raw)
		if err != nil {
			return nil, err
		}
		objs = append(objs, more...)
	}
}

func decodeDocument(raw json.RawMessage) ([]runtime.Object, error) {
	var head struct {
		metav1.TypeMeta
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(raw, &head); err != nil {
		return nil, err
	}
	if head.Kind == "List" {
		var objs []runtime.Object
		for _, item := range head.Items {
			more, err := decodeDocument(item)
			if err != nil {
				return nil, err
			}
			objs = append(objs, more...)
		}
		return objs, nil
	}
	obj, err := scheme.Scheme.New(schema.FromAPIVersionAndKind(head.APIVersion, head.Kind))
	if err != nil {
		return nil, fmt.Errorf("kind %q of %q is none the judge knows: %w", head.Kind, head.APIVersion, err)
	}
	if obj, err = asStored(raw, obj); err != nil {
		return nil, err
	}
	if obj.(metav1.Object).GetUID() == "" {
		return nil, fmt.Errorf("%s %s has no uid; the judge compares complete objects only", head.Kind, obj.(metav1.Object).GetName())
	}
	return []runtime.Object{obj}, nil
}

// asStored converts an object to the form that an API server stores, with quantities in canonical notation. This
// matters because PodRequests of kube-scheduler 1.36.3 adds a pod's overhead to the pod's own spec.resources if the
// request is stored in arbitrary precision. "1.5Gi" and "2000000000000000000n" are, and "1536Mi" and "2e9" are not (see
// Spoilt).
func asStored(raw []byte, empty runtime.Object) (runtime.Object, error) {
	first := empty.DeepCopyObject()
	if err := json.Unmarshal(raw, first); err != nil {
		return nil, err
	}
	canonical, err := json.Marshal(first)
	if err != nil {
		return nil, err
	}
	return empty, json.Unmarshal(canonical, empty)
}
