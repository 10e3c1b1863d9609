// The strictest form of the fake host of the SDK's tests: its berth_host and each of its tables end at the end of a
// read-only page. As a later host, its tables have more functions at the end, which are unknown to the plugin. It also
// checks that create() does not call the host. Thread: as the fake host. Ownership: refers to the fake host and the
// library.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/thread_annotations.h"
#include "berth/entry.h"
#include "cmd/berthctl/validate/guarded.h"

namespace berth::validate {

struct HostShape {
  uint32_t later_members = 0;  // functions after the last known one; a call of one ends the process
  uint32_t minor = BERTH_ABI_MINOR;
};

class StrictHost {
 public:
  StrictHost(const berth_entry* library, const HostShape& shape) : library_(library), shape_(shape) {}
  StrictHost(const StrictHost&) = delete;
  ~StrictHost();

  // For PluginUnderTest: an entry of the library whose create() passes this host instead of the fake host. Valid for
  // the next plugin that is created.
  using Entry = const berth_entry* (*)(uint32_t);
  Entry AsEntry();
  // Until the next AsEntry, create() calls prepare, and creates the plugin itself if prepare returns NULL.
  using Prepare = std::function<berth_plugin*(const berth_host*)>;
  void PreparedBy(Prepare prepare) { prepare_ = std::move(prepare); }
  berth_plugin* plugin() const { return plugin_; }  // null before it is created

 private:
  static const berth_entry* EntryOfNext(uint32_t minor);
  static berth_plugin* Create(const char* name, const berth_host* host);
  static const void* Service(const berth_host* face, const char* id);
  static StrictHost*& Next();
  void Show(const berth_host* host);
  const void* Find(const char* id);
  Guarded Shaped(const void* table) const;  // a copy of a table, whose first field is its size

  const berth_entry* library_;
  HostShape shape_;
  berth_entry entry_{};
  Prepare prepare_;
  const berth_host* real_ = nullptr;
  berth_plugin* plugin_ = nullptr;
  std::unique_ptr<Guarded> shown_;
  base::Mutex mutex_;
  std::map<std::string, Guarded> tables_ GUARDED_BY(mutex_);
};

}  // namespace berth::validate
