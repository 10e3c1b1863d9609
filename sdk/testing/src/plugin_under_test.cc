#include "berth/testing/plugin_under_test.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace berth::sdk::testing {

PluginUnderTest::PluginUnderTest(Entry entry, std::string name, uint32_t host_minor)
    : entry_(entry(host_minor)), name_(std::move(name)), host_(std::make_unique<FakeHost>()) {
  if (entry_ == nullptr) throw std::invalid_argument("the library refuses this host");
  host_->Name(name_);
}

PluginUnderTest PluginUnderTest::Load(const std::string& path, std::string name) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  void* symbol = dlsym(library, "berth_entry_v1");
  if (symbol == nullptr) throw std::runtime_error(path + " has no berth_entry_v1");
  return {reinterpret_cast<Entry>(symbol), std::move(name)};
}

PluginUnderTest::PluginUnderTest(PluginUnderTest&&) noexcept = default;

PluginUnderTest::~PluginUnderTest() {
  if (host_ == nullptr) return;  // moved from
  Stop();
  const Texts unseen = host_->checker().Unseen();
  for (const std::string& violation : unseen) {
    std::fprintf(stderr, "plugin %s: %s\n", name_.c_str(), violation.c_str());
  }
  if (!unseen.empty()) std::abort();
}

FakeHost& PluginUnderTest::host() { return *host_; }

PluginUnderTest& PluginUnderTest::Args(const FakeValue& args) { return host_->Args(args), *this; }

Texts PluginUnderTest::Violations() { return host_->checker().Violations(); }

Outcome PluginUnderTest::Start() {
  const Outcome outcome = Init();
  return outcome.ok() ? Activate() : outcome;
}

Outcome PluginUnderTest::Init() {
  if (instance_ != nullptr) throw std::logic_error("the plugin is started already");
  {
    const CallScope scope(host_->checker(), "create", kCreating);
    instance_ = entry_->create(shown_.Text(name_).ptr, host_->raw());
  }
  return InitMade();
}

Outcome PluginUnderTest::StartFrom(PluginUnderTest& before) {
  const auto* table = before.Extension<berth_succession>(BERTH_POINT_SUCCESSION);
  if (table == nullptr) return Start();
  if (instance_ != nullptr) throw std::logic_error("the plugin is started already");
  {
    CallScope scope(host_->checker(), "prepare", kAsking);
    instance_ = table->prepare(before.Active(), host_->raw());
    if (instance_ == nullptr && !scope.because.empty()) return {BERTH_ERROR, std::move(scope.because)};
  }
  if (instance_ == nullptr) return Start();
  const Outcome outcome = InitMade();
  return outcome.ok() ? Activate() : outcome;
}

void PluginUnderTest::Commit(PluginUnderTest& before) {
  const auto& table = Need<berth_succession>(BERTH_POINT_SUCCESSION);
  if (table.commit == nullptr) return;
  const CallScope scope(host_->checker(), "commit", kSerial);
  table.commit(instance_, before.Active());
}

Outcome PluginUnderTest::Activate() {
  Outcome outcome = Stage("activate", kActivating, [this] { return Up()->activate(instance_); });
  active_ = outcome.ok();
  if (active_) TellObjects();
  return outcome;
}

void PluginUnderTest::Deactivate() {
  if (!std::exchange(active_, false)) return;
  const CallScope scope(host_->checker(), "deactivate", kEnding);
  instance_->deactivate(instance_);
}

void PluginUnderTest::Stop() {
  if (instance_ == nullptr) return;
  Deactivate();
  host_->tasks().End();
  host_->api().End();
  {
    const CallScope scope(host_->checker(), "destroy", kEnding);
    instance_->destroy(instance_);
  }
  instance_ = nullptr;
  host_->api().DropAll();
  host_->set_instance(nullptr);
  host_->checker().set_alive(false);
}

bool PluginUnderTest::Offers(const char* id) { return ExtensionTable(id) != nullptr; }

std::unique_ptr<Attempt> PluginUnderTest::Try(const FakePod& pod) {
  return std::make_unique<Attempt>(Active(), *host_, cluster_, pod);
}

bool PluginUnderTest::Less(const FakeQueued& a, const FakeQueued& b) {
  Arena arena;
  const auto pod_a = a.pod.Build(), pod_b = b.pod.Build();
  const berth_queued raw_a{sizeof(berth_queued), a.attempts, pod_a->raw(), a.queued, a.initial_attempt};
  const berth_queued raw_b{sizeof(berth_queued), b.attempts, pod_b->raw(), b.queued, b.initial_attempt};
  const auto& table = Need<berth_queue_sort>(BERTH_POINT_QUEUE_SORT);
  const CallScope scope(host_->checker(), "Less", kSerial);
  return table.less(instance_, arena.Make(raw_a), arena.Make(raw_b)) != 0;
}

std::vector<InterestOutcome> PluginUnderTest::Interests() {
  const auto& table = Need<berth_events>(BERTH_POINT_EVENTS);
  const CallScope scope(host_->checker(), "Interests", kSerial);
  std::vector<InterestOutcome> interests;
  for (const berth_interest& one : List<berth_interest>(table.interests(instance_))) {
    interests.push_back({std::string(View(one.resource)), one.actions, (one.flags & BERTH_INTEREST_HINT) != 0});
  }
  return interests;
}

void PluginUnderTest::NodeAdded(const FakeNode& node, uint32_t row) { Deltas({{BERTH_DELTA_NODE_ADD, row, node}}); }

void PluginUnderTest::NodeChanged(const FakeNode& node, uint32_t row) {
  Deltas({{BERTH_DELTA_NODE_CHANGE, row, node}});
}

void PluginUnderTest::NodeRemoved(const FakeNode& node, uint32_t row) {
  Deltas({{BERTH_DELTA_NODE_REMOVE, row, node}});
}

void PluginUnderTest::PodAdded(const FakePod& pod, uint32_t row) {
  Deltas({{BERTH_DELTA_POD_ADD, row, std::nullopt, pod}});
}

void PluginUnderTest::PodRemoved(const FakePod& pod, uint32_t row) {
  Deltas({{BERTH_DELTA_POD_REMOVE, row, std::nullopt, pod}});
}

ArgsOutcome PluginUnderTest::Complete(const FakeValue& args) { return JudgeArgs(args, true); }

ArgsOutcome PluginUnderTest::Check(const FakeValue& args) { return JudgeArgs(args, false); }

Outcome PluginUnderTest::InitMade() {
  if (instance_ == nullptr) throw std::invalid_argument("the library has no plugin " + name_);
  host_->set_instance(instance_);
  return Stage("init", kStarting, [this] { return instance_->init(instance_); });
}

Outcome PluginUnderTest::Stage(const char* name, Domain domain, const std::function<berth_status()>& fn) {
  CallScope scope(host_->checker(), name, domain);
  const berth_status code = fn();
  if (code == BERTH_ERROR && scope.because.empty()) {
    host_->checker().Report(std::string(name) + " returned ERROR without saying why");
  }
  return {code, std::move(scope.because)};
}

berth_plugin* PluginUnderTest::Up() const {
  if (instance_ == nullptr) throw std::logic_error("the plugin is not started");
  return instance_;
}

berth_plugin* PluginUnderTest::Active() const {
  if (!active_) throw std::logic_error("the plugin is not active");
  return instance_;
}

const void* PluginUnderTest::ExtensionTable(const char* id) {
  const CallScope scope(host_->checker(), "extension", kAsking);
  return Up()->extension(instance_, id);
}

const void* PluginUnderTest::NeedTable(const char* id) {
  Active();
  const void* table = ExtensionTable(id);
  if (table == nullptr) throw std::logic_error(std::string("the plugin does not offer ") + id);
  return table;
}

}  // namespace berth::sdk::testing
