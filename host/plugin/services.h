// The service tables behind berth_host: found by id, shared by all instances of one process. Tables that read the
// cluster are made by host/framework, which knows the cache, and added here. Thread: filled at start, then read from
// any thread. Ownership: tables are static or outlive every instance.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/vocabulary.h"
#include "plugin/ports.h"

namespace berth::objects {
class ObjectStore;
}

namespace berth::plugin {

class Instance;

class Services {
 public:
  explicit Services(api::Vocabulary& words);  // registers every table of host/plugin
  Services(const Services&) = delete;

  void Add(std::string_view id, const void* table) { tables_[std::string(id)] = table; }
  const void* Find(std::string_view id) const {
    auto it = tables_.find(std::string(id));
    return it == tables_.end() ? nullptr : it->second;
  }
  std::vector<std::string> Ids() const;  // sorted

  api::Vocabulary& words;
  BinderPort* binder = nullptr;  // set before the first binding cycle
  WaitingPort* waiting = nullptr;
  TaskPort* tasks = nullptr;  // set before the first instance is made
  ApiPort* api = nullptr;
  NominationPort* nominations = nullptr;
  ExtenderPort* extenders = nullptr;
  objects::ObjectStore* objects = nullptr;  // the engine's
  // An instance has failed in a call of that name. Any thread, inside or behind the call.
  std::function<void(const Instance&, const char* what)> on_fault = {};  // set before the first instance is made
  // An instance has failed so often that it is not called any more. Any thread, inside or behind a call into it.
  std::function<void(const Instance&)> on_quarantine = {};  // set before the first instance is made

 private:
  std::unordered_map<std::string, const void*> tables_;
};

const berth_values* ValueService();
const berth_config* ConfigService();
const berth_log* LogService();
const berth_cycles* CycleService();
const berth_requests* RequestService();
const void* RandomService();
const void* BinderService();
const void* WaitingService();
const void* TaskService();
const void* ApiService();

}  // namespace berth::plugin
