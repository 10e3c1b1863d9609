// The attributes of a NodeResourceTopology, or of one of its zones. Thread: any.
#pragma once

#include <berth/objects.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace plugins::node_topology {

// Of attributes with one name, the first counts.
inline std::optional<std::string_view> Attribute(const berth::sdk::Value& attributes, std::string_view name) {
  for (uint32_t i = 0; i < attributes.size(); ++i) {
    if (attributes[i].Get("name").AsString() == name) return attributes[i].Get("value").AsString();
  }
  return std::nullopt;
}

}  // namespace plugins::node_topology
