// Objects of the cluster other than pods and nodes, kept by the host. A plugin names the kinds that it needs
// in Activate and reads them in its calls. The host reports every change to a member ObjectChanged.
//
//   explicit MyPlugin(Host& host) : objects_(host) {}
//   void Activate() { classes_ = objects_.Need("storage.k8s.io", "v1", "storageclasses"); }
//   ...  Object object = objects_.Get(classes_, "", "fast");
//        object.value().Get("provisioner").AsString();
//   void ObjectChanged(ObjectKind kind, Object before, Object now);  // [serial]; before or now may be empty
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "berth/host.hpp"
#include "berth/list.hpp"
#include "berth/objects.h"
#include "berth/value.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

// A kind's number in this process; 0: this host does not know it.
using ObjectKind = uint32_t;

// One object; a default-constructed one is empty and stands for an absent object. Borrowed until the call returns.
class Object {
 public:
  Object() = default;
  Object(const berth_values* values, const berth_object* raw) : values_(values), raw_(raw) {}
  explicit operator bool() const { return raw_ != nullptr; }
  const berth_object* raw() const { return raw_; }

  std::string_view ns() const { return View(raw_->ns); }  // "": cluster-scoped
  std::string_view name() const { return View(raw_->name); }
  std::string_view uid() const { return View(raw_->uid); }
  std::string_view resource_version() const { return View(raw_->resource_version); }
  Labels labels() const { return Labels(raw_->labels); }
  // The document; absent of an empty object.
  Value value() const { return raw_ == nullptr ? Value() : Value(values_, raw_->value); }
  // A member of a member: At("spec", "storageClassName").
  template <class... Keys>
  Value At(Keys... keys) const {
    Value at = value();
    ((at = at.Get(keys)), ...);
    return at;
  }

 private:
  const berth_values* values_ = nullptr;
  const berth_object* raw_ = nullptr;
};

// A list of objects.
class ObjectList {
 public:
  ObjectList(const berth_values* values, berth_list raw) : values_(values), raws_(raw) {}
  uint32_t size() const { return raws_.size(); }
  bool empty() const { return raws_.empty(); }
  Object operator[](uint32_t i) const { return {values_, raws_[i]}; }

  class Iterator {
   public:
    Iterator(const ObjectList& list, uint32_t i) : list_(&list), i_(i) {}
    Object operator*() const { return (*list_)[i_]; }
    Iterator& operator++() { return ++i_, *this; }
    bool operator==(const Iterator& other) const { return i_ == other.i_; }

   private:
    const ObjectList* list_;
    uint32_t i_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  const berth_values* values_;
  sdk::List<const berth_object*> raws_;
};

// The service. Make it in the plugin's constructor; it refers to the host.
class Objects {
 public:
  explicit Objects(const Host& host)
      : host_(&host),
        table_(detail::CopyTable<berth_objects>(BERTH_HAS(host.raw(), berth_host, service)
                                                    ? host.raw()->service(host.raw(), BERTH_SERVICE_OBJECTS)
                                                    : nullptr)) {
    Patch();
  }

  // [background] in Activate only. Throws when the host does not know the kind.
  ObjectKind Need(std::string_view group, std::string_view version, std::string_view resource) const {
    const ObjectKind kind = table_.need(host_->raw(), Borrow(group), Borrow(version), Borrow(resource));
    if (kind == 0) throw MissingService("objects of the kind " + std::string(resource) + "." + std::string(group));
    return kind;
  }
  // [parallel] Empty: there is none.
  Object Get(ObjectKind kind, std::string_view ns, std::string_view name) const {
    return {Values(), table_.get(host_->raw(), kind, Borrow(ns), Borrow(name))};
  }
  // [parallel] Of one namespace or, with "", of all; sorted by namespace and name.
  ObjectList All(ObjectKind kind, std::string_view ns = "") const {
    return {Values(), table_.list(host_->raw(), kind, Borrow(ns))};
  }
  // [parallel] Never 0; it differs after every change.
  uint64_t Version(ObjectKind kind) const { return table_.version(host_->raw(), kind); }

  // [serial] Changes the object for all plugins by a JSON merge patch until Revert, or until the server sends a newer
  // version. False: there is no such object, or the text is no patch of it.
  bool Assume(ObjectKind kind, std::string_view ns, std::string_view name, std::string_view merge_patch) const {
    return table_.assume(host_->raw(), kind, Borrow(ns), Borrow(name), Borrow(merge_patch)) == 0;
  }
  // [any] Takes effect before the next cycle begins.
  void Revert(ObjectKind kind, std::string_view ns, std::string_view name) const {
    table_.revert(host_->raw(), kind, Borrow(ns), Borrow(name));
  }

  // [parallel] A quantity's text as a count of units or thousandths, rounded up; nullopt: it is none.
  std::optional<int64_t> Units(std::string_view quantity) const { return Scaled(quantity, 0); }
  std::optional<int64_t> Milli(std::string_view quantity) const { return Scaled(quantity, 3); }

  // [serial] [background] A v1.NodeSelector of a document, for Selectors::MatchRequired and MatchNode; null: it is not
  // one. Until DropNodeSelector or the instance's end.
  const berth_node_affinity* KeepNodeSelector(const Value& selector) const {
    return table_.keep_node_selector(host_->raw(), selector.raw());
  }
  void DropNodeSelector(const berth_node_affinity* selector) const {
    table_.drop_node_selector(host_->raw(), selector);
  }

 private:
  const berth_values* Values() const { return &host_->services().value; }
  std::optional<int64_t> Scaled(std::string_view quantity, uint32_t scale) const {
    int32_t ok = 0;
    const int64_t count = table_.quantity(Borrow(quantity), scale, &ok);
    return ok != 0 ? std::optional(count) : std::nullopt;
  }
  void Patch() {
    detail::Patch<"berth.host.objects/1: need">(table_, &berth_objects::need);
    detail::Patch<"berth.host.objects/1: get">(table_, &berth_objects::get);
    detail::Patch<"berth.host.objects/1: list">(table_, &berth_objects::list);
    detail::Patch<"berth.host.objects/1: version">(table_, &berth_objects::version);
    detail::Patch<"berth.host.objects/1: assume">(table_, &berth_objects::assume);
    detail::Patch<"berth.host.objects/1: revert">(table_, &berth_objects::revert);
    detail::Patch<"berth.host.objects/1: quantity">(table_, &berth_objects::quantity);
    detail::Patch<"berth.host.objects/1: keep_node_selector">(table_, &berth_objects::keep_node_selector);
    detail::Patch<"berth.host.objects/1: drop_node_selector">(table_, &berth_objects::drop_node_selector);
  }

  const Host* host_;
  berth_objects table_;
};

}  // namespace berth::sdk
