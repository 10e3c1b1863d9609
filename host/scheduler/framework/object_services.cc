#include "scheduler/framework/object_services.h"

#include "api/selectors.h"
#include "api/text_view.h"
#include "base/quantity.h"

namespace berth::framework {
namespace {

using api::View;
// Null while args are validated: there is no cluster then.
objects::ObjectStore* StoreOf(const berth_host* host) { return plugin::ContextOf(host).services->ports.objects; }

uint32_t Need(const berth_host* host, berth_str group, berth_str version, berth_str resource) {
  objects::ObjectStore* store = StoreOf(host);
  plugin::Instance* instance = plugin::ContextOf(host).instance;
  if (store == nullptr || instance == nullptr || !instance->activating()) return 0;
  const objects::KindId kind = store->Need(View(group), View(version), View(resource));
  if (kind != 0) instance->NeedKind(kind);
  return kind;
}

const berth_object* Get(const berth_host* host, uint32_t kind, berth_str ns, berth_str name) {
  const objects::ObjectStore* store = StoreOf(host);
  const objects::Object* found = store == nullptr ? nullptr : store->Get(kind, View(ns), View(name));
  return found == nullptr ? nullptr : &found->abi;
}

berth_list List(const berth_host* host, uint32_t kind, berth_str ns) {
  const objects::ObjectStore* store = StoreOf(host);
  return store == nullptr ? berth_list{nullptr, 0, sizeof(const berth_object*)} : store->List(kind, View(ns));
}

uint64_t Version(const berth_host* host, uint32_t kind) {
  const objects::ObjectStore* store = StoreOf(host);
  return store == nullptr ? 1 : store->Version(kind);
}

int32_t Assume(const berth_host* host, uint32_t kind, berth_str ns, berth_str name, berth_str merge_patch) {
  objects::ObjectStore* store = StoreOf(host);
  return store != nullptr && store->Assume(kind, View(ns), View(name), View(merge_patch)) ? 0 : -1;
}

void Revert(const berth_host* host, uint32_t kind, berth_str ns, berth_str name) {
  if (objects::ObjectStore* store = StoreOf(host)) store->Revert(kind, View(ns), View(name));
}

int64_t Quantity(berth_str text, uint32_t scale, int32_t* ok) {
  const auto quantity = base::Quantity::Parse(View(text));
  *ok = quantity && (scale == 0 || scale == 3) ? 1 : 0;
  if (*ok == 0) return 0;
  return scale == 0 ? quantity->Value() : quantity->MilliValue();
}

const berth_node_affinity* KeepNodeSelector(const berth_host* host, const berth_value* selector) {
  plugin::HostContext& context = plugin::ContextOf(host);
  if (selector == nullptr || context.instance == nullptr) return nullptr;
  auto block = api::ReadNodeSelector(context.services->intern, *reinterpret_cast<const json::Value*>(selector));
  return block ? context.instance->handles().node_selectors().Keep(std::move(block)) : nullptr;
}

void DropNodeSelector(const berth_host* host, const berth_node_affinity* selector) {
  if (plugin::Instance* instance = plugin::ContextOf(host).instance)
    instance->handles().node_selectors().Drop(selector);
}

}  // namespace

void AddObjectServices(plugin::Services& services) {
  static const berth_objects table{
      sizeof table, 0, Need, Get, List, Version, Assume, Revert, Quantity, KeepNodeSelector, DropNodeSelector};
  services.Add(BERTH_SERVICE_OBJECTS, &table);
}

void DeliverChange(plugin::Instance& instance, const objects::Change& change) {
  const berth_object_changes* table = instance.tables().object_changes;
  if (table == nullptr || !instance.NeedsKind(change.kind)) return;
  instance.CallVoid("ObjectChanged", [&] {
    table->changed(instance.raw(), change.kind, change.before == nullptr ? nullptr : &change.before->abi,
                   change.now == nullptr ? nullptr : &change.now->abi);
  });
}

void DeliverNew(plugin::Instance& instance, objects::KindId kind, const berth_object& object) {
  const berth_object_changes* table = instance.tables().object_changes;
  if (table == nullptr || !instance.NeedsKind(kind)) return;
  instance.CallVoid("ObjectChanged", [&] { table->changed(instance.raw(), kind, nullptr, &object); });
}

}  // namespace berth::framework
