#include "cmd/berthctl/validate/companions.h"

#include <cstring>
#include <stdexcept>
#include <string_view>

#include "berth/binding.h"
#include "berth/queue_sort.h"

namespace berth::validate {
namespace {

constexpr const char* kNote = R"({"abi":[1,2],"sdk":"c/1.2","version":"1.0.0","plugins":[
    {"name":"ValidatorSort","points":["queueSort"]},{"name":"ValidatorBinder","points":["bind"]}]})";

const berth_host* HostOf(berth_plugin* plugin) { return static_cast<const berth_host*>(plugin->impl); }

int32_t SortLess(berth_plugin*, const berth_queued* a, const berth_queued* b) {
  const int32_t pa = a->pod->priority, pb = b->pod->priority;
  return (pa != pb ? pa > pb : a->queued_unix_ns < b->queued_unix_ns) ? 1 : 0;
}
berth_status BindInHost(berth_plugin* plugin, berth_cycle*, const berth_pod* pod, berth_id node, berth_op* op) {
  const berth_host* host = HostOf(plugin);
  const auto* binder = static_cast<const berth_binder*>(host->service(host, BERTH_SERVICE_BINDER));
  return binder == nullptr ? BERTH_ERROR : binder->bind(host, pod, node, op);
}

const void* OfferSort(berth_plugin*, const char* id) {
  static const berth_queue_sort table{sizeof table, 0, &SortLess};
  return std::string_view(id) == BERTH_POINT_QUEUE_SORT ? &table : nullptr;
}
const void* OfferBind(berth_plugin*, const char* id) {
  static const berth_bind table{sizeof table, 0, &BindInHost};
  return std::string_view(id) == BERTH_POINT_BIND ? &table : nullptr;
}

berth_status InitCompanion(berth_plugin*) { return BERTH_SUCCESS; }
void DestroyCompanion(berth_plugin* plugin) { delete plugin; }

uint32_t CountCompanions() { return 2; }
const berth_descriptor* DescribeCompanion(uint32_t i) {
  static const berth_descriptor all[] = {{sizeof(berth_descriptor), 0, kSorter, "1.0.0", "berth", nullptr},
                                         {sizeof(berth_descriptor), 0, kBinder, "1.0.0", "berth", nullptr}};
  return i < CountCompanions() ? &all[i] : nullptr;
}
berth_plugin* CreateCompanion(const char* name, const berth_host* host) {
  auto* plugin = new berth_plugin{};
  plugin->size = sizeof *plugin;
  plugin->impl = const_cast<berth_host*>(host);
  plugin->init = &InitCompanion;
  plugin->destroy = &DestroyCompanion;
  plugin->extension = std::strcmp(name, kSorter) == 0 ? &OfferSort : &OfferBind;
  return plugin;
}
const void* NoTable(const char*, const char*) { return nullptr; }
const berth_entry* CompanionEntry(uint32_t) {
  static const berth_entry entry{sizeof entry,       BERTH_ABI_MINOR,  &CountCompanions,
                                 &DescribeCompanion, &CreateCompanion, &NoTable};
  return &entry;
}

}  // namespace

std::shared_ptr<const loader::Library> Companions() {
  auto library = loader::LinkedLibrary("validator", kNote, &CompanionEntry);
  if (!library) throw std::runtime_error(library.error().message);
  return std::move(*library);
}

}  // namespace berth::validate
