// For PluginUnderTest: the entry of a library whose create() passes a StrictHost instead of the fake host. Thread:
// main. Ownership: refers to the library; owns the StrictHost. The fake host outlives it.
#pragma once

#include <functional>
#include <optional>

#include "berth/entry.h"
#include "cmd/berthctl/validate/strict_host.h"

namespace berth::validate {

class StrictEntry {
 public:
  StrictEntry(const berth_entry* library, HostShape shape) : library_(library), shape_(std::move(shape)) {}
  StrictEntry(const StrictEntry&) = delete;

  // Valid for the next plugin that is created.
  using Entry = const berth_entry* (*)(uint32_t);
  Entry AsEntry();
  // Until the next AsEntry, create() calls prepare, and creates the plugin itself if prepare returns NULL.
  using Prepare = std::function<berth_plugin*(const berth_host*)>;
  void PreparedBy(Prepare prepare) { prepare_ = std::move(prepare); }
  berth_plugin* plugin() const { return plugin_; }  // null before it is created

 private:
  static const berth_entry* EntryOfNext(uint32_t minor);
  static berth_plugin* Create(const char* name, const berth_host* host);
  static StrictEntry*& Next();

  const berth_entry* library_;
  const HostShape shape_;
  berth_entry entry_{};
  Prepare prepare_;
  berth_plugin* plugin_ = nullptr;
  std::optional<StrictHost> host_;
};

}  // namespace berth::validate
