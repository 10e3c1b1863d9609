#include "scheduler/framework/matching_service.h"

#include "api/selectors.h"
#include "plugin/instance/instance.h"

namespace berth::framework {
namespace {

int32_t Match(const berth_selector* selector, const berth_labels* labels) {
  return api::SelectorBlockOf(selector).Matches(*labels) ? 1 : 0;
}

// The text lives as long as the block of the selector.
berth_str Error(const berth_host*, const berth_selector* selector) {
  const std::string& error = api::SelectorBlockOf(selector).error();
  return {error.data(), error.size()};
}

template <class Read>
const berth_selector* KeepRead(const berth_host* host, const berth_value* value, Read&& read) {
  static const json::Value kNull;
  plugin::HostContext& context = plugin::ContextOf(host);
  if (context.instance == nullptr) return nullptr;  // no instance could drop it while args are validated
  const auto* document = value == nullptr ? &kNull : reinterpret_cast<const json::Value*>(value);
  return context.instance->handles().label_selectors().Keep(read(context.services->intern, *document));
}

const berth_selector* Keep(const berth_host* host, const berth_value* selector) {
  return KeepRead(host, selector, api::ReadLabelSelector);
}

const berth_selector* KeepMap(const berth_host* host, const berth_value* map) {
  return KeepRead(host, map, api::ReadLabelMapSelector);
}

void Drop(const berth_host* host, const berth_selector* selector) {
  if (plugin::Instance* instance = plugin::ContextOf(host).instance)
    instance->handles().label_selectors().Drop(selector);
}

}  // namespace

const berth_matching* MatchingService() {
  static const berth_matching table{sizeof table, 0, Match, Error, Keep, KeepMap, Drop};
  return &table;
}

}  // namespace berth::framework
