// The life of an instance: create or prepare, init, activate; deactivate, destroy.
#include "plugin/instance/instance.h"

#include <atomic>
#include <cstddef>
#include <unordered_map>

#include "base/thread_annotations.h"
#include "telemetry/series/plugin_families.h"

namespace berth::plugin {
namespace {

// A mutex per library for plugins that set BERTH_F_SERIAL_ONLY; libraries live as long as the process. Recursive: when
// a call replaces its cycle data, the host calls cycle_free within it.
std::recursive_mutex* SerialMutexOf(const loader::Library& library) {
  static base::Mutex guard;
  static auto* mutexes GUARDED_BY(guard) =
      new std::unordered_map<const berth_entry*, std::unique_ptr<std::recursive_mutex>>;
  base::MutexLock lock(guard);
  auto& mutex = (*mutexes)[library.entry()];
  if (!mutex) mutex = std::make_unique<std::recursive_mutex>();
  return mutex.get();
}

uint64_t NewLineage() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

Instance::Instance(InstanceSpec spec, Services& services)
    : spec_(std::move(spec)),
      context_{&services, this},
      lineage_(NewLineage()),
      faults_(*this, services),
      handles_(services.intern.ids) {
  host_ = MakeHost(&context_);
  if (services.ports.decorator != nullptr) decorated_ = services.ports.decorator->Decorate(*this, host_);
  if (decorated_ != nullptr) shown_host_ = decorated_.get();
  name_id_ = services.intern.ids.Intern(spec_.name);
  const berth_descriptor* descriptor = spec_.library->Describe(spec_.library_plugin);
  if (descriptor == nullptr) return;
  if ((descriptor->flags & BERTH_F_SERIAL_ONLY) != 0) serial_ = SerialMutexOf(*spec_.library);
  never_blocks_ = (descriptor->flags & BERTH_F_NEVER_BLOCKS) != 0 && serial_ == nullptr;
}

base::Result<std::shared_ptr<Instance>> Instance::Create(InstanceSpec spec, Services& services, Instance* before) {
  BeforeNewInstance();
  std::shared_ptr<Instance> instance(new Instance(std::move(spec), services));
  if (base::Result<void> made = instance->Make(before); !made) return tl::unexpected(made.error());
  if (base::Result<void> done = instance->Init(); !done) return tl::unexpected(done.error());
  return instance;
}

std::string Instance::ErrorPrefix() const {
  return "initializing plugin \"" + name() + "\": " + spec_.library->path() + ": ";
}

base::Result<void> Instance::Make(Instance* before) {
  const bool prepares = before != nullptr && before->tables_.succession != nullptr && !before->quarantined();
  if (prepares) {
    const Status prepared = Prepare(*before);
    if (plugin_ != nullptr) {
      if (auto sound = CheckPlugin(); !sound) return sound;
      lineage_ = before->lineage_;
    }
    if (!prepared.ok()) return base::Fail(ErrorPrefix() + prepared.Message());
    if (plugin_ != nullptr) return {};
  }
  const Status created = CallUnhurried("create", [&] {
    plugin_ = spec_.library->entry()->create(spec_.library_plugin.c_str(), host());
    return BERTH_SUCCESS;
  });
  if (!created.ok()) return base::Fail(ErrorPrefix() + created.Message());
  if (plugin_ == nullptr)
    return base::Fail(ErrorPrefix() + "the library does not create a plugin named \"" + spec_.library_plugin + "\"");
  return CheckPlugin();
}

// The call belongs to this instance, though the other plugin runs: its faults and reasons are about the new args.
Status Instance::Prepare(Instance& before) {
  return FailWithReason("prepare", CallUnhurried("prepare", [&] {
                          plugin_ = before.tables_.succession->prepare(before.plugin_, host());
                          return BERTH_SUCCESS;
                        }));
}

void Instance::Commit(Instance& before) {
  const berth_succession* table = tables_.succession;
  if (table == nullptr || table->commit == nullptr) return;
  CallVoid("commit", [&] { table->commit(plugin_, before.plugin_); });
}

base::Result<void> Instance::CheckPlugin() {
  if (plugin_->size >= offsetof(berth_plugin, cycle_free) + sizeof plugin_->cycle_free && plugin_->init != nullptr &&
      plugin_->destroy != nullptr && plugin_->extension != nullptr) {
    return {};
  }
  berth_plugin* broken = std::exchange(plugin_, nullptr);
  if (broken->size >= offsetof(berth_plugin, extension) && broken->destroy != nullptr) broken->destroy(broken);
  return base::Fail(ErrorPrefix() + "the plugin's table is shorter than ABI 1.0's or lacks init, destroy or extension");
}

base::Result<void> Instance::Init() {
  const Status status = CallUnhurried("init", [&] { return plugin_->init(plugin_); });
  if (!status.ok()) return base::Fail(ErrorPrefix() + status.Message());
  CallVoid("extension", [&] { FetchTables(plugin_, tables_); });
  return CheckTables(tables_, spec_.library->PointsOf(spec_.library_plugin), ErrorPrefix());
}

base::Result<void> Instance::Activate() {
  activating_.store(true, std::memory_order_relaxed);
  const Status status = CallUnhurried(
      "activate", [&] { return plugin_->activate == nullptr ? BERTH_SUCCESS : plugin_->activate(plugin_); });
  activating_.store(false, std::memory_order_relaxed);
  if (!status.ok()) return base::Fail("activating plugin \"" + name() + "\": " + status.Message());
  active_.store(true, std::memory_order_relaxed);
  return {};
}

Instance::~Instance() {
  const bool was_active = active_.exchange(false, std::memory_order_relaxed);
  if (was_active && plugin_->deactivate != nullptr) CallToRelease("deactivate", [&] { plugin_->deactivate(plugin_); });
  pending_callbacks_->End();
  if (plugin_ != nullptr) CallToRelease("destroy", [&] { plugin_->destroy(plugin_); });
  context_.services->metrics().Release(this);
  context_.services->intern.ids.Drop(name_id_);
}

Status Instance::Fault(const char* what, const std::string& text) {
  return faults_.Fail(what, "plugin \"" + name() + "\" " + text + " in " + what);
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

void Instance::NeedKind(uint32_t kind) {
  const auto at = std::lower_bound(needed_kinds_.begin(), needed_kinds_.end(), kind);
  if (at == needed_kinds_.end() || *at != kind) needed_kinds_.insert(at, kind);
}

}  // namespace berth::plugin
