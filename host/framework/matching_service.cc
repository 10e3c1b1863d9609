#include "framework/matching_service.h"

#include "api/selectors.h"
#include "plugin/instance.h"

namespace berth::framework {
namespace {

plugin::HostContext& ContextOf(const berth_host* host) { return *static_cast<plugin::HostContext*>(host->impl); }

int32_t Match(const berth_selector* selector, const berth_labels* labels) {
  return api::SelectorBlockOf(selector).Matches(*labels) ? 1 : 0;
}

// The text lives in the selector's block, which the caller has reason to keep for longer than the ABI promises.
berth_str Error(const berth_host*, const berth_selector* selector) {
  const std::string& error = api::SelectorBlockOf(selector).error();
  return {error.data(), error.size()};
}

template <class Read>
const berth_selector* KeepRead(const berth_host* host, const berth_value* value, Read&& read) {
  static const json::Value kNull;
  plugin::HostContext& context = ContextOf(host);
  if (context.instance == nullptr) return nullptr;  // while args are judged nobody could drop it
  const auto* document = value == nullptr ? &kNull : reinterpret_cast<const json::Value*>(value);
  return context.instance->kept_label_selectors().Keep(read(context.services->words, *document));
}

const berth_selector* Keep(const berth_host* host, const berth_value* selector) {
  return KeepRead(host, selector, api::ReadLabelSelector);
}

const berth_selector* KeepMap(const berth_host* host, const berth_value* map) {
  return KeepRead(host, map, api::ReadLabelMapSelector);
}

void Drop(const berth_host* host, const berth_selector* selector) {
  if (plugin::Instance* instance = ContextOf(host).instance) instance->kept_label_selectors().Drop(selector);
}

}  // namespace

const berth_matching* MatchingService() {
  static const berth_matching table{sizeof table, 0, Match, Error, Keep, KeepMap, Drop};
  return &table;
}

}  // namespace berth::framework
