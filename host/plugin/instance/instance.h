// One plugin of one profile: an object inside a loaded library, the berth_host that it calls, the tables that it
// offers, and the ways to call it. Each call passes through PluginCall; FaultRecord counts what goes wrong; Handles
// holds what the plugin keeps.
//
// Thread: Create, Activate and destruction on one thread without concurrent calls; Call as the tags in berth/abi.h say.
// Ownership: keeps the library mapped; owns the plugin object and what it keeps. The services outlive it.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/row_log.h"
#include "berth/berth.h"
#include "codec/json/value.h"
#include "plugin/instance/fault_record.h"
#include "plugin/instance/handles.h"
#include "plugin/instance/host_table.h"
#include "plugin/instance/pending_callbacks.h"
#include "plugin/instance/plugin_call.h"
#include "plugin/instance/plugin_tables.h"
#include "plugin/instance/services.h"
#include "plugin/instance/status.h"
#include "plugin/loader/library.h"

namespace berth::plugin {

struct InstanceSpec {
  std::shared_ptr<const loader::Library> library;
  std::string library_plugin;  // name inside the library
  std::string name;            // name in the profile
  std::string profile;
  json::Value args;  // completed and checked; null when there are none
  FaultPolicy faults;
};

class Instance {
 public:
  // Calls create, init and extension(), and checks the tables. Errors name plugin, library and reason.
  // before: null, or an instance of the same plugin of the same library and profile, which then prepares this one if it
  // offers to (berth/draft/succession.h) and is not quarantined; it may run calls in the meantime.
  static base::Result<std::shared_ptr<Instance>> Create(InstanceSpec spec, Services& services,
                                                        Instance* before = nullptr);
  ~Instance();  // deactivates if active, then destroys
  Instance(const Instance&) = delete;

  base::Result<void> Activate();

  const std::string& name() const { return spec_.name; }
  base::Id name_id() const { return name_id_; }
  const std::string& profile() const { return spec_.profile; }
  const json::Value& args() const { return spec_.args; }
  const InstanceSpec& spec() const { return spec_; }
  const loader::Library& library() const { return *spec_.library; }
  uint32_t index() const { return index_; }
  void set_index(uint32_t index) { index_ = index; }
  berth_plugin* raw() const { return plugin_; }
  const berth_host* host() const { return shown_host_; }
  Services& services() const { return *context_.services; }
  // Any thread: it decides only whether a fault counts towards quarantine.
  bool active() const { return active_.load(std::memory_order_relaxed); }

  using Tables = PluginTables;
  const Tables& tables() const { return tables_; }
  bool Offers(Point point) const { return tables_.Offers(point); }
  // Whether one instance comes from the other by succession, or both come from a third.
  bool SharesStateWith(const Instance& other) const { return lineage_ == other.lineage_; }
  // Between two cycles, when this instance replaces the one that prepared it. [serial]
  void Commit(Instance& before);

  // Runs fn() -> berth_status inside the plugin. Exceptions, unknown codes, lateness and quarantine become kError with
  // a text that names the plugin; otherwise the code and the reasons that the plugin gave with because(). LATER and
  // UNIFORM come back as raw codes (see RawCode).
  template <class Fn>
  Status Call(const char* what, Fn&& fn, berth_status* raw = nullptr) {
    return RunCall(*this, what, {.deadline_ns = spec_.faults.call_deadline_ns}, std::forward<Fn>(fn), raw);
  }
  // As Call, for actions that cannot be undone: lateness is a fault, but the answer counts.
  template <class Fn>
  Status CallForGood(const char* what, Fn&& fn) {
    return RunCall(*this, what, {.deadline_ns = spec_.faults.call_deadline_ns, .late_answer_stands = true},
                   std::forward<Fn>(fn), nullptr);
  }
  // Without a deadline: lifecycle and the binding points.
  template <class Fn>
  Status CallUnhurried(const char* what, Fn&& fn, berth_status* raw = nullptr) {
    return RunCall(*this, what, {}, std::forward<Fn>(fn), raw);
  }
  // For functions without a status.
  template <class Fn>
  void CallVoid(const char* what, Fn&& fn) {
    FailWithReason(what, CallUnhurried(what, [&] {
                     fn();
                     return BERTH_SUCCESS;
                   }));
  }
  // As CallVoid, with a deadline: lateness is a fault. ERROR: the call has failed.
  template <class Fn>
  Status CallPromptly(const char* what, Fn&& fn) {
    return FailWithReason(what, Call(what, [&] {
                            fn();
                            return BERTH_SUCCESS;
                          }));
  }
  // As CallVoid, for calls that release what the plugin holds: a quarantined plugin gets them, too.
  template <class Fn>
  void CallToRelease(const char* what, Fn&& fn) {
    const auto release = [&] {
      fn();
      return BERTH_SUCCESS;
    };
    FailWithReason(what, RunCall(*this, what, {.also_quarantined = true}, release, nullptr));
  }
  // A fault that the caller finds (a write past the end, a reason number that does not exist): counts like the others.
  Status Fault(const char* what, const std::string& text);
  // As Fault, for a status code that this extension point does not allow.
  Status WrongStatus(const char* what, berth_status code) { return faults_.FailWithCode(what, code); }

  uint64_t faults() const { return faults_.count(); }
  bool quarantined() const { return faults_.quarantined(); }
  FaultRecord& fault_record() { return faults_; }
  // Whether pre_flight and bind may run on a thread that must not wait: BERTH_F_NEVER_BLOCKS, and no other thread can
  // have the turn of the library.
  bool never_blocks() const { return never_blocks_; }
  // The turn of a library that one thread at a time may call; null: any number of threads may.
  std::recursive_mutex* serial_mutex() const { return serial_; }

  bool ClonesCycleData() const { return plugin_->cycle_clone != nullptr; }
  void* CloneCycleData(const void* data);
  void FreeCycleData(void* data);

  // What the plugin keeps. [any]
  Handles& handles() { return handles_; }
  // Callbacks that the host still has to run. [any]
  const std::shared_ptr<PendingCallbacks>& pending_callbacks() const { return pending_callbacks_; }

  // The rows for which the plugin's own data has changed: its kept results of these rows are not current. Scheduling
  // thread.
  base::RowLog& own_changes() { return own_changes_; }

  // The kinds of objects that this instance needs, which it names in activate: numbers of the object store, ascending.
  bool activating() const { return activating_.load(std::memory_order_relaxed); }
  void NeedKind(uint32_t kind);
  bool NeedsKind(uint32_t kind) const { return std::binary_search(needed_kinds_.begin(), needed_kinds_.end(), kind); }
  const std::vector<uint32_t>& needed_kinds() const { return needed_kinds_; }
  // The labels whose columns this instance reads, which it names in activate, too. They are open when a cycle calls it.
  void NeedLabelColumn(base::Id key) { needed_label_columns_.emplace_back(services().intern.ids, key); }
  const std::vector<base::OwnedId>& needed_label_columns() const { return needed_label_columns_; }

 private:
  explicit Instance(InstanceSpec spec, Services& services);
  base::Result<void> Make(Instance* before);
  Status Prepare(Instance& before);
  base::Result<void> CheckPlugin();
  base::Result<void> Init();
  std::string ErrorPrefix() const;
  // A function without a status fails when it gives reasons.
  Status FailWithReason(const char* what, Status status) {
    return status.ok() && !status.reasons.empty() ? faults_.Fail(what, std::move(status.reasons.front()), true)
                                                  : status;
  }

  const InstanceSpec spec_;
  HostContext context_;
  berth_host host_{};
  std::shared_ptr<const berth_host> decorated_;  // what the plugin gets in place of host_; may be null
  const berth_host* shown_host_ = &host_;        // what the plugin gets
  berth_plugin* plugin_ = nullptr;
  PluginTables tables_;
  base::Id name_id_ = base::kNoId;
  uint32_t index_ = 0;
  uint64_t lineage_;  // the same number for instances that one another prepared
  std::atomic<bool> activating_{false}, active_{false};
  std::vector<uint32_t> needed_kinds_;
  std::recursive_mutex* serial_ = nullptr;
  bool never_blocks_ = false;
  FaultRecord faults_;
  base::RowLog own_changes_;
  Handles handles_;
  const std::shared_ptr<PendingCallbacks> pending_callbacks_ = std::make_shared<PendingCallbacks>();
  std::vector<base::OwnedId> needed_label_columns_;
};

}  // namespace berth::plugin
