#include "cluster/serve/plugin_list.h"

#include "codec/json/value.h"

namespace berth::serve {

std::string PluginListJson(const std::vector<PluginEntry>& plugins) {
  json::Array items;
  for (const PluginEntry& plugin : plugins) {
    items.push_back(json::Value::MakeObject({{"name", plugin.name},
                                             {"library", plugin.library},
                                             {"version", plugin.version},
                                             {"digest", plugin.digest},
                                             {"generation", static_cast<int64_t>(plugin.generation)},
                                             {"state", plugin.state}}));
  }
  return json::Dump(json::Value::MakeObject({{"apiVersion", "berth.dev/v1alpha1"},
                                             {"kind", "PluginList"},
                                             {"plugins", json::Value(std::move(items))}})) +
         "\n";
}

}  // namespace berth::serve
