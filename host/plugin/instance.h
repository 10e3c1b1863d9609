// One plugin of one profile: an object inside a loaded library, the berth_host it talks to, the tables it offers, and
// its record of faults. All calls into a plugin go through Call, which is where exceptions stop, junk is caught and
// lateness is noticed.
//
// Thread: Create, Activate and destruction on one thread without concurrent calls; Call as the ABI's tags say.
// Ownership: holds the library mapped; owns the plugin object, its interned ids and its compiled selectors.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/pod.h"
#include "api/selectors.h"
#include "base/clock.h"
#include "base/result.h"
#include "berth/berth.h"
#include "berth/draft/binding.h"
#include "berth/draft/deltas.h"
#include "berth/draft/handover.h"
#include "berth/draft/objects.h"
#include "berth/draft/pod_change.h"
#include "berth/draft/post_filter.h"
#include "berth/draft/queue_sort.h"
#include "berth/draft/succession.h"
#include "json/value.h"
#include "loader/library.h"
#include "plugin/kept.h"
#include "plugin/owed.h"
#include "plugin/point.h"
#include "plugin/running_call.h"
#include "plugin/services.h"
#include "plugin/status.h"

namespace berth::plugin {

struct FaultPolicy {
  int64_t call_deadline_ns = base::kSecond;  // a call that takes longer fails its attempt
  int quarantine_after = 0;                  // faults until the plugin is no longer called; 0 = never
  // From when on a call that has a deadline, or is made on the scheduling thread, counts as one that never returns.
  int64_t hang_after_ns = 2 * base::kSecond;
  bool optional = false;       // the profile does without it rather than fail
  int64_t op_deadline_ns = 0;  // from LATER to the end of the operation; 0 = none
  bool operator==(const FaultPolicy&) const = default;
};

struct InstanceSpec {
  std::shared_ptr<const loader::Library> library;
  std::string library_plugin;  // name inside the library
  std::string name;            // name in the profile
  std::string profile;
  json::Value args;  // completed and checked; null when there are none
  FaultPolicy faults;
};

// What is said during a call about its outcome.
struct CallText {
  std::vector<std::string> reasons;  // by the plugin
  bool host_failed = false;          // by a service: it could not do its work, which is not the plugin's fault
};

// What berth_host.impl points at.
struct HostContext {
  Services* services;
  Instance* instance;  // null while args are judged
  // What is compiled while args are judged lives as long as the judgement.
  std::vector<std::unique_ptr<api::LabelSelector>> judged_selectors = {};
  std::vector<api::Ref<const api::NodeAffinityBlock>> judged_affinities = {};
};

class Instance {
 public:
  // create, init and extension(): the tables are known afterwards. Errors name plugin, library and reason.
  // before: null, or an instance of the same plugin of the same library and profile, which then prepares this one if it
  // offers to (berth/draft/succession.h) and is not in quarantine; it may be at work meanwhile.
  static base::Result<std::shared_ptr<Instance>> Create(InstanceSpec spec, Services& services,
                                                        Instance* before = nullptr);
  ~Instance();  // deactivate if active, then destroy
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
  const berth_host* host() const { return &host_; }
  Services& services() const { return *context_.services; }

  struct Tables {
    const berth_pre_enqueue* pre_enqueue = nullptr;
    const berth_queue_sort* queue_sort = nullptr;
    const berth_pre_filter* pre_filter = nullptr;
    const berth_filter* filter = nullptr;
    const berth_post_filter* post_filter = nullptr;
    const berth_pre_score* pre_score = nullptr;
    const berth_score* score = nullptr;
    const berth_reserve* reserve = nullptr;
    const berth_permit* permit = nullptr;
    const berth_pre_bind* pre_bind = nullptr;
    const berth_bind* bind = nullptr;
    const berth_post_bind* post_bind = nullptr;
    const berth_events* events = nullptr;
    const berth_pod_change* pod_change = nullptr;
    const berth_deltas* deltas = nullptr;
    const berth_object_changes* object_changes = nullptr;
    const berth_handover* handover = nullptr;
    const berth_succession* succession = nullptr;
  };
  const Tables& tables() const { return tables_; }
  bool Offers(Point point) const;
  // Whether one of the two comes from the other by succession, or both from a third.
  bool SharesStateWith(const Instance& other) const { return lineage_ == other.lineage_; }
  // Between two cycles, when this instance comes into force in the place of the one that prepared it. [serial]
  void Commit(Instance& before);

  // Runs fn() -> berth_status inside the plugin. Exceptions, unknown codes, lateness and quarantine become kError with
  // a text that names the plugin; otherwise the code and the reasons the plugin gave with because(). LATER and UNIFORM
  // come back as raw codes (see RawCode).
  template <class Fn>
  Status Call(const char* what, Fn&& fn, berth_status* raw = nullptr) {
    return Call(what, {.deadline_ns = spec_.faults.call_deadline_ns}, std::forward<Fn>(fn), raw);
  }
  // As Call, for what cannot be undone: lateness is a fault, but the answer stands.
  template <class Fn>
  Status CallForGood(const char* what, Fn&& fn) {
    return Call(what, {.deadline_ns = spec_.faults.call_deadline_ns, .late_answer_stands = true}, std::forward<Fn>(fn),
                nullptr);
  }
  // For calls that may take their time: life cycle and the binding points.
  template <class Fn>
  Status CallUnhurried(const char* what, Fn&& fn, berth_status* raw = nullptr) {
    return Call(what, {}, std::forward<Fn>(fn), raw);
  }
  // For functions without a status.
  template <class Fn>
  void CallVoid(const char* what, Fn&& fn) {
    FailIfToldSo(what, CallUnhurried(what, [&] {
                   fn();
                   return BERTH_SUCCESS;
                 }));
  }
  // As CallVoid, where lateness is a fault. ERROR: the call has failed.
  template <class Fn>
  Status CallPromptly(const char* what, Fn&& fn) {
    return FailIfToldSo(what, Call(what, [&] {
                          fn();
                          return BERTH_SUCCESS;
                        }));
  }
  // As CallVoid, for taking back what the plugin holds: that is asked of a quarantined one too.
  template <class Fn>
  void LetGo(const char* what, Fn&& fn) {
    const auto let_go = [&] {
      fn();
      return BERTH_SUCCESS;
    };
    FailIfToldSo(what, Call(what, {.also_quarantined = true}, let_go, nullptr));
  }
  struct CallTerms {
    int64_t deadline_ns = INT64_MAX;
    bool also_quarantined = false;
    bool late_answer_stands = false;
  };
  template <class Fn>
  Status Call(const char* what, CallTerms terms, Fn&& fn, berth_status* raw) {
    CallGuard guard(*this, what, terms);
    if (guard.refused()) return guard.TakeStatus();
    try {
      const berth_status code = fn();
      return guard.Finish(code, raw);
    } catch (const std::exception& e) {
      return guard.Threw(e.what());
    } catch (...) {
      return guard.Threw("an exception that is not a std::exception");
    }
  }
  // A fault found by the caller (a write past the end, a reason number that does not exist): counts like the others.
  Status Fault(const char* what, const std::string& text);
  // As Fault, of a status that means something, but not at this point.
  Status WrongStatus(const char* what, berth_status code);

  uint64_t faults() const { return faults_.load(std::memory_order_relaxed); }
  bool quarantined() const { return quarantined_.load(std::memory_order_relaxed); }

  bool ClonesCycleData() const { return plugin_->cycle_clone != nullptr; }
  void* CloneCycleData(const void* data);
  void FreeCycleData(void* data);

  // Lives as long as the instance. Called by the selectors service, from any thread.
  const api::LabelSelector* Keep(std::unique_ptr<api::LabelSelector> selector);
  const berth_node_affinity* Keep(api::Ref<const api::NodeAffinityBlock> affinity);
  void Own(base::Id id);
  void Disown(base::Id id);
  // Callbacks that are outstanding. Pods kept beyond a call, until they are dropped. [any]
  const std::shared_ptr<Owed>& owed() const { return owed_; }
  Kept<api::Pod>& kept_pods() { return kept_pods_; }
  // Node selectors of documents, until they are dropped. [serial] [background]
  Kept<api::NodeAffinityBlock>& kept_node_selectors() { return kept_node_selectors_; }
  // Label selectors likewise.
  Kept<api::SelectorBlock>& kept_label_selectors() { return kept_label_selectors_; }

  // The kinds of objects that this instance asked for while it was activated: numbers of the object store, ascending.
  bool activating() const { return activating_; }
  void NeedKind(uint32_t kind);
  bool NeedsKind(uint32_t kind) const;
  const std::vector<uint32_t>& needed_kinds() const { return needed_kinds_; }

 private:
  class CallGuard {
   public:
    CallGuard(Instance& instance, const char* what, CallTerms terms);
    ~CallGuard();
    bool refused() const { return refused_; }
    Status TakeStatus() { return std::move(status_); }
    Status Finish(berth_status code, berth_status* raw);
    Status Threw(const char* text);

   private:
    Instance& instance_;
    const char* what_;
    // Of the time since the beginning, what was the plugin's own, in ns.
    int64_t OwnTime() const;

    CallTerms terms_;
    int64_t started_mono_ns_;
    bool refused_ = false;
    Status status_;
    CallText text_;
    const void* outer_host_;
    CallText* outer_text_;
    OuterCall outer_call_;
    std::unique_lock<std::recursive_mutex> serial_;
  };

  explicit Instance(InstanceSpec spec, Services& services);
  base::Result<void> Make(Instance* before);
  Status Prepare(Instance& before);
  base::Result<void> CheckFace();
  base::Result<void> Init();
  std::string Who() const;
  void FetchTables();
  base::Result<void> CheckTables() const;
  // Of a function without a status: reasons say why it has failed.
  Status FailIfToldSo(const char* what, Status status) {
    return status.ok() && !status.reasons.empty() ? Faulty(what, std::move(status.reasons.front())) : status;
  }
  // Faults are what the ABI calls so: errors that were returned or thrown, junk, lateness. Logged and counted. Any
  // thread.
  void CountFault(const char* what, const std::string& text);
  Status Faulty(const char* what, std::string text);
  void LogFault(const char* what, const std::string& text);

  InstanceSpec spec_;
  HostContext context_;
  berth_host host_{};
  berth_plugin* plugin_ = nullptr;
  Tables tables_;
  base::Id name_id_ = base::kNoId;
  uint32_t index_ = 0;
  uint64_t lineage_;  // a number that only instances have which were prepared one from the other
  bool initialised_ = false, activating_ = false, active_ = false;
  std::vector<uint32_t> needed_kinds_;
  Kept<api::NodeAffinityBlock> kept_node_selectors_;
  Kept<api::SelectorBlock> kept_label_selectors_;
  Kept<api::Pod> kept_pods_;
  const std::shared_ptr<Owed> owed_ = std::make_shared<Owed>();
  std::recursive_mutex* serial_ = nullptr;  // of the library, when the plugin is SERIAL_ONLY
  std::atomic<uint64_t> faults_{0};
  std::atomic<bool> quarantined_{false};

  std::mutex kept_mutex_;  // guards what follows
  std::string last_fault_;
  int64_t fault_lines_second_ = 0;  // mono seconds: when the lines were logged that are counted here
  uint32_t fault_lines_ = 0, fault_lines_left_out_ = 0;
  std::vector<std::unique_ptr<api::LabelSelector>> kept_selectors_;
  std::vector<api::Ref<const api::NodeAffinityBlock>> kept_affinities_;
  std::unordered_map<base::Id, uint32_t> owned_ids_;
};

// For the because() of the host table: the reasons of the call that this thread is in, null when host is not in one.
std::vector<std::string>* ReasonsOfRunningCall(const berth_host* host);
// For services that could not do their work, as when a server does not answer: an error that the running call then
// returns is told like any other, and does not count as a fault of the plugin. Within the call, on its thread.
void BlameHost();

// The host's fixed table, bound to a context.
berth_host MakeHost(HostContext* context);

}  // namespace berth::plugin
