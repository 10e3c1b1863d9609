package upstream

import (
	"maps"
	"reflect"
	"slices"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/apps"
	"k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/informers/policy"
	"k8s.io/client-go/informers/resource"
	"k8s.io/client-go/informers/storage"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
)

// handDriven is an informer that is never started: the judge writes its store and calls its handlers on the judge's
// goroutine. Upstream's own event handlers therefore run synchronously and in a reproducible order.
type handDriven struct {
	cache.SharedIndexInformer
	handlers []cache.ResourceEventHandler
	given    map[string]runtime.Object // by key, the objects' state when they were delivered; nil: not watched
	written  map[string]bool           // keys of objects that were written to since then
}

// AddEventHandler keeps the handler; the registration returned belongs to an informer that never runs.
func (h *handDriven) AddEventHandler(handler cache.ResourceEventHandler) (cache.ResourceEventHandlerRegistration, error) {
	h.handlers = append(h.handlers, handler)
	return h.SharedIndexInformer.AddEventHandler(cache.ResourceEventHandlerFuncs{})
}

func (h *handDriven) add(obj runtime.Object) error {
	if err := h.GetIndexer().Add(obj); err != nil {
		return err
	}
	h.keep(obj)
	for _, handler := range h.handlers {
		handler.OnAdd(obj, false)
	}
	return nil
}

func (h *handDriven) update(old, obj runtime.Object) error {
	h.look(old)
	if err := h.GetIndexer().Update(obj); err != nil {
		return err
	}
	h.keep(obj)
	for _, handler := range h.handlers {
		handler.OnUpdate(old, obj)
	}
	return nil
}

func (h *handDriven) remove(obj runtime.Object) error {
	h.look(obj)
	if err := h.GetIndexer().Delete(obj); err != nil {
		return err
	}
	for _, handler := range h.handlers {
		handler.OnDelete(obj)
	}
	return nil
}

// watch records the state of delivered objects, to detect handlers that write to them.
func (h *handDriven) watch() {
	h.given, h.written = map[string]runtime.Object{}, map[string]bool{}
}

func (h *handDriven) keep(obj runtime.Object) {
	if key, err := cache.MetaNamespaceKeyFunc(obj); err == nil && h.given != nil {
		h.given[key] = obj.DeepCopyObject()
	}
}

// look checks whether an object that is removed or requested is still in the delivered state.
func (h *handDriven) look(obj any) {
	key, err := cache.MetaNamespaceKeyFunc(obj)
	if err == nil && h.given != nil && !equality.Semantic.DeepEqual(obj, h.given[key]) {
		h.written[key] = true
	}
}

// spoilt lists the objects that a handler wrote to, by key. All handlers share them, so no handler may write to them.
func (h *handDriven) spoilt() []string {
	for _, obj := range h.GetIndexer().List() {
		h.look(obj)
	}
	return slices.Sorted(maps.Keys(h.written))
}

// informerFactory creates a hand-driven informer for every requested kind.
type informerFactory struct {
	informers.SharedInformerFactory
	pods  *handDriven
	nodes *handDriven
	kinds map[reflect.Type]*handDriven
}

func newInformerFactory(client kubernetes.Interface) *informerFactory {
	f := &informerFactory{SharedInformerFactory: informers.NewSharedInformerFactory(client, 0), kinds: map[reflect.Type]*handDriven{}}
	// The two that every cycle needs exist from the start.
	f.Core().V1().Pods().Informer()
	f.Core().V1().Nodes().Informer()
	f.pods, f.nodes = f.of(&v1.Pod{}), f.of(&v1.Node{})
	return f
}

// The groups create informers through the factory that created them; these use this factory.

func (f *informerFactory) Core() core.Interface { return core.New(f, metav1.NamespaceAll, nil) }
func (f *informerFactory) Apps() apps.Interface { return apps.New(f, metav1.NamespaceAll, nil) }
func (f *informerFactory) Storage() storage.Interface {
	return storage.New(f, metav1.NamespaceAll, nil)
}
func (f *informerFactory) Policy() policy.Interface { return policy.New(f, metav1.NamespaceAll, nil) }
func (f *informerFactory) Resource() resource.Interface {
	return resource.New(f, metav1.NamespaceAll, nil)
}

func (f *informerFactory) InformerFor(obj runtime.Object, build internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	kind := reflect.TypeOf(obj)
	if f.kinds[kind] == nil {
		f.kinds[kind] = &handDriven{SharedIndexInformer: f.SharedInformerFactory.InformerFor(obj, build)}
	}
	return f.kinds[kind]
}

// of is the informer of obj's kind, nil if none was requested.
func (f *informerFactory) of(obj runtime.Object) *handDriven { return f.kinds[reflect.TypeOf(obj)] }
