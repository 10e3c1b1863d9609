// The host as a plugin sees it, at its strictest: the fake host of the SDK's tests, its berth_host and every table of
// it in pages that cannot be written to and end where the table does; or a later host, whose tables go on with
// functions that nobody knows yet. Also what a plugin may do in create(), which is: not to call the host. Thread: as
// the fake host. Ownership: refers to the fake host and the library.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "berth/entry.h"
#include "validate/guarded.h"

namespace berth::validate {

struct HostShape {
  uint32_t later_members = 0;  // functions behind the last that is known; each ends the process
  uint32_t minor = BERTH_ABI_MINOR;
};

class HostFace {
 public:
  HostFace(const berth_entry* library, const HostShape& shape) : library_(library), shape_(shape) {}
  HostFace(const HostFace&) = delete;
  ~HostFace();

  // For PluginUnderTest: an entry of the library whose create() shows this face instead of the fake host. Serves the
  // one plugin that is created next.
  using Entry = const berth_entry* (*)(uint32_t);
  Entry AsEntry();
  // create() asks this instead, until the next AsEntry, and creates where it answers NULL.
  using Prepare = std::function<berth_plugin*(const berth_host*)>;
  void PreparedBy(Prepare prepare) { prepare_ = std::move(prepare); }
  berth_plugin* plugin() const { return plugin_; }  // null before it is created

 private:
  static const berth_entry* EntryOfNext(uint32_t minor);
  static berth_plugin* Create(const char* name, const berth_host* host);
  static const void* Service(const berth_host* face, const char* id);
  static HostFace*& Next();
  void Show(const berth_host* host);
  const void* Find(const char* id);
  Guarded Shaped(const void* table) const;  // a copy of a table, which begins with its size

  const berth_entry* library_;
  HostShape shape_;
  berth_entry entry_{};
  Prepare prepare_;
  const berth_host* real_ = nullptr;
  berth_plugin* plugin_ = nullptr;
  std::unique_ptr<Guarded> shown_;
  std::mutex mutex_;  // guards what follows
  std::map<std::string, Guarded> tables_;
};

}  // namespace berth::validate
