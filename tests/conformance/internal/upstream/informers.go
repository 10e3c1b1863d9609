package upstream

import (
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/internalinterfaces"
	"k8s.io/client-go/tools/cache"
)

// handDriven is an informer that is never started: its store is written and its handlers are called by the judge, on
// the judge's goroutine. Upstream's own event handlers thereby run synchronously and in an order that repeats.
type handDriven struct {
	cache.SharedIndexInformer
	handlers []cache.ResourceEventHandler
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
	for _, handler := range h.handlers {
		handler.OnAdd(obj, false)
	}
	return nil
}

func (h *handDriven) update(old, obj runtime.Object) error {
	if err := h.GetIndexer().Update(obj); err != nil {
		return err
	}
	for _, handler := range h.handlers {
		handler.OnUpdate(old, obj)
	}
	return nil
}

func (h *handDriven) remove(obj runtime.Object) error {
	if err := h.GetIndexer().Delete(obj); err != nil {
		return err
	}
	for _, handler := range h.handlers {
		handler.OnDelete(obj)
	}
	return nil
}

// informerFactory hands out hand-driven informers for pods and nodes and idle real ones for everything else.
type informerFactory struct {
	informers.SharedInformerFactory
	pods  *handDriven
	nodes *handDriven
}

func (f *informerFactory) Core() core.Interface {
	return core.New(f, metav1.NamespaceAll, nil)
}

func (f *informerFactory) InformerFor(obj runtime.Object, build internalinterfaces.NewInformerFunc) cache.SharedIndexInformer {
	inner := f.SharedInformerFactory.InformerFor(obj, build)
	switch obj.(type) {
	case *v1.Pod:
		return once(&f.pods, inner)
	case *v1.Node:
		return once(&f.nodes, inner)
	}
	return inner
}

func once(slot **handDriven, inner cache.SharedIndexInformer) *handDriven {
	if *slot == nil {
		*slot = &handDriven{SharedIndexInformer: inner}
	}
	return *slot
}
