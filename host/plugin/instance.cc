#include "plugin/instance.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "log/log.h"

namespace berth::plugin {
namespace {

// The call this thread is in; plugins call because() on the thread of the call.
thread_local const void* t_host = nullptr;
thread_local CallText* t_text = nullptr;

// From here on a deadline is watched by the kernel's tick (10 ms at most), which costs a fifth of the exact time: most
// calls take less than it does to read that.
constexpr int64_t kTickFrom = base::kSecond / 4;

// For how long a call with this deadline takes, in ns; only differences mean anything.
int64_t TimeFor(int64_t deadline_ns) {
  if (deadline_ns == INT64_MAX) return 0;
  timespec now;
  clock_gettime(deadline_ns >= kTickFrom ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC, &now);
  return now.tv_sec * base::kSecond + now.tv_nsec;
}

// The turn of a library that is called by one thread at a time.
std::unique_lock<std::recursive_mutex> WaitForTurn(std::recursive_mutex& serial) {
  std::unique_lock turn(serial, std::try_to_lock);
  if (turn) return turn;
  const HostTime host;  // of a call that this one is part of
  turn.lock();
  return turn;
}

constexpr uint32_t kMostFaultLines = 50;  // of one instance in a second

std::string Seconds(int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3gs", static_cast<double>(ns) / 1e9);
  return text;
}

const void* FindService(const berth_host* host, const char* id) {
  return static_cast<HostContext*>(host->impl)->services->Find(id);
}

void Because(const berth_host* host, berth_cycle*, const berth_str* texts, uint32_t n) {
  std::vector<std::string>* reasons = ReasonsOfRunningCall(host);
  if (reasons == nullptr) return;  // outside a call there is no status to explain
  reasons->clear();
  for (uint32_t i = 0; i < n; ++i) reasons->emplace_back(texts[i].ptr, texts[i].len);
}

berth_id InternText(const berth_host* host, berth_str text) {
  auto* context = static_cast<HostContext*>(host->impl);
  const base::Id id = context->services->words.ids.Intern(std::string_view(text.ptr, text.len));
  if (context->instance != nullptr) context->instance->Own(id);
  return id;
}

void KeepId(const berth_host* host, berth_id id) {
  auto* context = static_cast<HostContext*>(host->impl);
  context->services->words.ids.Keep(id);
  if (context->instance != nullptr) context->instance->Own(id);
}

void DropId(const berth_host* host, berth_id id) {
  auto* context = static_cast<HostContext*>(host->impl);
  if (context->instance != nullptr) context->instance->Disown(id);
}

berth_str TextOf(const berth_host* host, berth_id id) {
  const std::string_view text = static_cast<HostContext*>(host->impl)->services->words.ids.Text(id);
  return {text.data(), text.size()};
}

}  // namespace

std::vector<std::string>* ReasonsOfRunningCall(const berth_host* host) {
  return t_host == host ? &t_text->reasons : nullptr;
}

void BlameHost() {
  if (t_text != nullptr) t_text->host_failed = true;
}

berth_host MakeHost(HostContext* context) {
  return berth_host{sizeof(berth_host), BERTH_ABI_MINOR, context, FindService, Because,
                    InternText,         KeepId,          DropId,  TextOf};
}

// ---- one call ----

Instance::CallGuard::CallGuard(Instance& instance, const char* what, CallTerms terms)
    : instance_(instance), what_(what), terms_(terms), started_mono_ns_(0), outer_host_(t_host), outer_text_(t_text) {
  if (!terms.also_quarantined && instance.quarantined()) {
    refused_ = true;
    std::lock_guard lock(instance.kept_mutex_);
    status_ = Status{Code::kError,
                     instance.name_id_,
                     {"plugin \"" + instance.name() + "\" is quarantined after " + std::to_string(instance.faults()) +
                      " faults, the last: " + instance.last_fault_}};
    return;
  }
  if (instance.serial_ != nullptr) serial_ = WaitForTurn(*instance.serial_);
  started_mono_ns_ = TimeFor(terms.deadline_ns);  // what others took meanwhile is not this call's
  t_host = &instance.host_;
  t_text = &text_;
  outer_call_ = EnterCall(&instance, what, instance.spec_.faults.hang_after_ns, terms.deadline_ns != INT64_MAX);
}

Instance::CallGuard::~CallGuard() {
  if (refused_) return;
  t_host = outer_host_;
  t_text = outer_text_;
  LeaveCall(outer_call_);
}

// Read in this order: a look that comes meanwhile counts twice rather than not at all.
int64_t Instance::CallGuard::OwnTime() const {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t mono_ns = now.tv_sec * base::kSecond + now.tv_nsec;
  const int64_t late = LatenessOfLook(mono_ns);
  return mono_ns - started_mono_ns_ - late - (NotOwnTime() - outer_call_.not_own_ns);
}

Status Instance::CallGuard::Finish(berth_status code, berth_status* raw) {
  if (TimeFor(terms_.deadline_ns) - started_mono_ns_ > terms_.deadline_ns) {
    if (const int64_t took = OwnTime(); took > terms_.deadline_ns) {
      std::string text = "plugin \"" + instance_.name() + "\" came back from " + what_ + " after " + Seconds(took) +
                         ", later than its deadline of " + Seconds(terms_.deadline_ns);
      if (!terms_.late_answer_stands) return instance_.Faulty(what_, std::move(text));
      instance_.CountFault(what_, text);
    }
  }
  if (raw != nullptr) {
    *raw = code;
    if (code == BERTH_LATER || code == BERTH_UNIFORM) return {};
  }
  if (code < BERTH_SUCCESS || code > BERTH_PENDING) {
    return instance_.WrongStatus(what_, code);
  }
  std::vector<std::string>& reasons = text_.reasons;
  if (code == BERTH_SUCCESS && reasons.empty()) return {};
  if (code == BERTH_ERROR && reasons.empty()) {
    reasons.push_back("plugin \"" + instance_.name() + "\" returned an error from " + what_ + " and did not say why");
  }
  if (code == BERTH_ERROR && !text_.host_failed) instance_.CountFault(what_, reasons.front());
  return Status{static_cast<Code>(code), instance_.name_id_, std::move(reasons)};
}

Status Instance::CallGuard::Threw(const char* text) {
  return instance_.Faulty(what_, "plugin \"" + instance_.name() + "\" threw in " + what_ + ": " + text);
}

// ---- faults ----

void Instance::CountFault(const char* what, const std::string& text) {
  const HostTime host;  // of a call that this one is part of, too: the log and the quarantine's file may be slow
  LogFault(what, text);
  const uint64_t n = faults_.fetch_add(1, std::memory_order_relaxed) + 1;
  {
    std::lock_guard lock(kept_mutex_);
    last_fault_ = text;
  }
  if (context_.services->on_fault) context_.services->on_fault(*this, what);
  // One that is not in force yet, or goes, has nobody to be kept from; others of the same bytes may be well.
  if (!active_) return;
  if (spec_.faults.quarantine_after > 0 && n >= static_cast<uint64_t>(spec_.faults.quarantine_after)) {
    if (!quarantined_.exchange(true)) {
      log::Error("Plugin quarantined", {{"plugin", name()}, {"profile", profile()}, {"faults", n}, {"last", text}});
      if (context_.services->on_quarantine) context_.services->on_quarantine(*this);
    }
  }
}

Status Instance::Faulty(const char* what, std::string text) {
  CountFault(what, text);
  return Status{Code::kError, name_id_, {std::move(text)}};
}

Status Instance::WrongStatus(const char* what, berth_status code) {
  return Faulty(what, "plugin \"" + name() + "\" returned status " + std::to_string(code) + " from " + what +
                          ", which is no status of that point");
}

Status Instance::Fault(const char* what, const std::string& text) {
  return Faulty(what, "plugin \"" + name() + "\" " + text + " in " + what);
}

// A plugin may fail for each row, or each time that two pods are compared.
void Instance::LogFault(const char* what, const std::string& text) {
  uint32_t left_out = 0;
  {
    std::lock_guard lock(kept_mutex_);
    const int64_t second = TimeFor(kTickFrom) / base::kSecond;
    if (std::exchange(fault_lines_second_, second) != second) fault_lines_ = 0;
    if (++fault_lines_ > kMostFaultLines) {
      ++fault_lines_left_out_;
      return;
    }
    left_out = std::exchange(fault_lines_left_out_, 0);
  }
  const api::Pod* pod = CallOfThread().pod;
  log::Error("Plugin fault", {{"plugin", name()},
                              {"profile", profile()},
                              {"point", what},
                              {"pod", pod == nullptr ? std::string() : pod->key()},
                              {"err", text},
                              {"leftOut", left_out}});
}

void* Instance::CloneCycleData(const void* data) {
  void* clone = nullptr;
  CallVoid("cycle_clone", [&] { clone = plugin_->cycle_clone(plugin_, data); });
  return clone;
}

void Instance::FreeCycleData(void* data) {
  if (plugin_->cycle_free == nullptr) return;
  CallVoid("cycle_free", [&] { plugin_->cycle_free(plugin_, data); });
}

// ---- what lives as long as the instance ----

const api::LabelSelector* Instance::Keep(std::unique_ptr<api::LabelSelector> selector) {
  std::lock_guard lock(kept_mutex_);
  return kept_selectors_.emplace_back(std::move(selector)).get();
}

const berth_node_affinity* Instance::Keep(api::Ref<const api::NodeAffinityBlock> affinity) {
  std::lock_guard lock(kept_mutex_);
  return &kept_affinities_.emplace_back(std::move(affinity))->abi;
}

void Instance::NeedKind(uint32_t kind) {
  const auto at = std::lower_bound(needed_kinds_.begin(), needed_kinds_.end(), kind);
  if (at == needed_kinds_.end() || *at != kind) needed_kinds_.insert(at, kind);
}

bool Instance::NeedsKind(uint32_t kind) const {
  return std::binary_search(needed_kinds_.begin(), needed_kinds_.end(), kind);
}

void Instance::Own(base::Id id) {
  if (id <= base::kEmptyId) return;
  std::lock_guard lock(kept_mutex_);
  ++owned_ids_[id];
}

void Instance::Disown(base::Id id) {
  {
    std::lock_guard lock(kept_mutex_);
    auto it = owned_ids_.find(id);
    if (it == owned_ids_.end()) return;  // a plugin may only give back what it owns
    if (--it->second == 0) owned_ids_.erase(it);
  }
  context_.services->words.ids.Drop(id);
}

}  // namespace berth::plugin
