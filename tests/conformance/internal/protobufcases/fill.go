// Package protobufcases makes up objects of Kubernetes' built-in kinds, and gives each in both encodings of the API server.
package protobufcases

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Filler sets fields at random. Most numbers and texts come from small sets, so that equal ones meet.
type Filler struct {
	random *rand.Rand
}

// NewFiller gives the same objects for the same seed.
func NewFiller(seed uint64) *Filler { return &Filler{rand.New(rand.NewPCG(seed, 0))} }

var quantities = []string{"0", "1", "100m", "1500m", "0.1", "1.5", "1Gi", "0.5Gi", "1e3", "1E6", "12345678901234567890", "1n",
	"3u", "-1", "1.0000000001", "9223372036854775807", "1Ei", "0.000000001", "4k", "1e-3", "123456789.123456789"}

// Texts with a meaning for the decoders, and some that need an escape.
var texts = []string{"", "a", "b", "name", "kube-system", "Always", "RestartAllContainers", "PodScheduled", "DisruptionTarget",
	"PodResizePending", "Infeasible", "PreemptionByScheduler", "True", "False", "Unknown", "Ready", "In", "NotIn", "Exists",
	"NoSchedule", "topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone", "cpu", "memory", "example.com/gpu",
	"Succeeded", "Running", "TCP", "10.0.0.1", "é\"\\\n\u2028<&>\u0001", "kubernetes.io/hostname", "metadata.name"}

var numbers = []int64{0, 0, 1, -1, 2, 80, 1000, 1 << 31, -(1 << 31), 1<<31 - 1, 1 << 62, -(1 << 62)}

// Fill sets the value that the pointer points to. depth ends the recursion of large kinds.
func (f *Filler) Fill(object any) { f.fill(reflect.ValueOf(object).Elem(), 0) }

func (f *Filler) text() string { return texts[f.random.IntN(len(texts))] }

func (f *Filler) time() time.Time {
	if f.random.IntN(4) == 0 {
		return time.Time{}
	}
	return time.Unix(f.random.Int64N(4_000_000_000), f.random.Int64N(1_000_000_000)).UTC()
}

func (f *Filler) special(value reflect.Value) bool {
	switch at := value.Addr().Interface().(type) {
	case *resource.Quantity:
		*at = resource.MustParse(quantities[f.random.IntN(len(quantities))])
	case *metav1.Time:
		at.Time = f.time()
	case *metav1.MicroTime:
		at.Time = f.time()
	case *metav1.Duration:
		at.Duration = time.Duration(f.random.Int64N(1e15))
	case *intstr.IntOrString:
		*at = intstr.FromInt32(f.random.Int32N(100) - 50)
		if f.random.IntN(2) == 0 {
			*at = intstr.FromString(f.text())
		}
	case *runtime.RawExtension:
		if f.random.IntN(2) == 0 {
			at.Raw = []byte(fmt.Sprintf(`{"a":[%d,"b"]}`, f.random.IntN(9)))
		}
	case *metav1.FieldsV1:
		at.Raw = []byte(`{"f:spec":{}}`)
	case *metav1.TypeMeta:
	default:
		return false
	}
	return true
}

func (f *Filler) fill(value reflect.Value, depth int) {
	if f.special(value) {
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(f.text())
	case reflect.Bool:
		value.SetBool(f.random.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		value.SetInt(numbers[f.random.IntN(len(numbers))])
	case reflect.Int32:
		value.SetInt(int64(int32(numbers[f.random.IntN(len(numbers))])))
	case reflect.Uint8:
		value.SetUint(uint64(f.random.IntN(256)))
	case reflect.Pointer:
		if f.random.IntN(3+depth) < 2 {
			value.Set(reflect.New(value.Type().Elem()))
			f.fill(value.Elem(), depth+1)
		}
	case reflect.Slice:
		n := f.length(depth)
		if n == 0 {
			return
		}
		value.Set(reflect.MakeSlice(value.Type(), n, n))
		for i := range n {
			f.fill(value.Index(i), depth+1)
		}
	case reflect.Map:
		f.fillMap(value, depth)
	case reflect.Struct:
		for i := range value.NumField() {
			if f.random.IntN(10) > 0 || strings.HasSuffix(value.Type().Field(i).Name, "Meta") {
				f.fill(value.Field(i), depth+1)
			}
		}
	default:
		panic("no filling of " + value.Type().String())
	}
}

func (f *Filler) length(depth int) int { return max(0, f.random.IntN(4)-depth/5) }

func (f *Filler) fillMap(value reflect.Value, depth int) {
	n := f.length(depth)
	if n == 0 {
		return
	}
	value.Set(reflect.MakeMap(value.Type()))
	for range n {
		key, element := reflect.New(value.Type().Key()).Elem(), reflect.New(value.Type().Elem()).Elem()
		f.fill(key, depth+1)
		f.fill(element, depth+1)
		value.SetMapIndex(key, element)
	}
}
