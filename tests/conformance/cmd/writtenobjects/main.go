// writtenobjects reads what tests/written_objects has written from standard input, decodes both encodings of each object
// with the types of k8s.io/api, and prints the objects that differ. Exit status 1: there are some, or no object came.
package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/util/diff"
	"k8s.io/client-go/kubernetes/scheme"
)

var (
	ofProtobuf = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	ofJSON     = jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
		jsonserializer.SerializerOptions{Strict: true})
)

func main() {
	kinds, different, err := compareAll(bufio.NewReader(os.Stdin))
	if err != nil {
		fmt.Fprintln(os.Stderr, "writtenobjects:", err)
		os.Exit(2)
	}
	total := 0
	for _, n := range kinds {
		total += n
	}
	fmt.Printf("%d written objects of %d kinds compared, %d differ\n", total, len(kinds), different)
	if total == 0 || different > 0 {
		os.Exit(1)
	}
}

// compareAll also counts the objects of each kind.
func compareAll(from io.Reader) (kinds map[schema.GroupVersionKind]int, different int, err error) {
	kinds = map[schema.GroupVersionKind]int{}
	for {
		envelope, err := part(from)
		if errors.Is(err, io.EOF) {
			return kinds, different, nil
		}
		if err != nil {
			return nil, 0, err
		}
		text, err := part(from)
		if err != nil {
			return nil, 0, err
		}
		kind, problem := compare(envelope, text)
		kinds[kind]++
		if problem != nil {
			different++
			fmt.Printf("%.300s\n  %v\n", text, problem)
		}
	}
}

func part(from io.Reader) ([]byte, error) {
	var size uint32
	if err := binary.Read(from, binary.BigEndian, &size); err != nil {
		return nil, err
	}
	bytes := make([]byte, size)
	_, err := io.ReadFull(from, bytes)
	return bytes, err
}

func compare(envelope, text []byte) (schema.GroupVersionKind, error) {
	want, kind, err := ofJSON.Decode(text, nil, nil)
	if err != nil {
		return schema.GroupVersionKind{}, fmt.Errorf("the JSON: %w", err)
	}
	have, haveKind, err := ofProtobuf.Decode(envelope, nil, nil)
	if err != nil {
		return *kind, fmt.Errorf("the protobuf: %w", err)
	}
	if *kind != *haveKind {
		return *kind, fmt.Errorf("the envelope says %v", haveKind)
	}
	for _, object := range []runtime.Object{want, have} {
		object.GetObjectKind().SetGroupVersionKind(*kind)
	}
	if !equality.Semantic.DeepEqual(want, have) {
		return *kind, errors.New(diff.Diff(want, have))
	}
	return *kind, nil
}
