// How an instance comes and goes: create or prepare, init, tables, activate; deactivate, destroy.
#include "plugin/instance.h"

namespace berth::plugin {
namespace {

template <class Table>
const Table* Fetch(berth_plugin* plugin, const char* id) {
  return static_cast<const Table*>(plugin->extension(plugin, id));
}

// A mutex per library for plugins that asked to be called one at a time; libraries live as long as the process.
// Recursive: a call that replaces its cycle data has the host call cycle_free.
std::recursive_mutex* SerialMutexOf(const loader::Library& library) {
  static std::mutex guard;
  static auto* mutexes = new std::unordered_map<const berth_entry*, std::unique_ptr<std::recursive_mutex>>;
  std::lock_guard lock(guard);
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
    : spec_(std::move(spec)), context_{&services, this}, lineage_(NewLineage()) {
  host_ = MakeHost(&context_);
  name_id_ = services.words.ids.Intern(spec_.name);
  const berth_descriptor* descriptor = spec_.library->Describe(spec_.library_plugin);
  if (descriptor != nullptr && (descriptor->flags & BERTH_F_SERIAL_ONLY) != 0) serial_ = SerialMutexOf(*spec_.library);
}

base::Result<std::shared_ptr<Instance>> Instance::Create(InstanceSpec spec, Services& services, Instance* before) {
  BeforeNewInstance();
  std::shared_ptr<Instance> instance(new Instance(std::move(spec), services));
  if (base::Result<void> made = instance->Make(before); !made) return tl::unexpected(made.error());
  if (base::Result<void> done = instance->Init(); !done) return tl::unexpected(done.error());
  return instance;
}

std::string Instance::Who() const { return "initializing plugin \"" + name() + "\": " + spec_.library->path() + ": "; }

base::Result<void> Instance::Make(Instance* before) {
  const bool prepares = before != nullptr && before->tables_.succession != nullptr && !before->quarantined();
  if (prepares) {
    const Status prepared = Prepare(*before);
    if (plugin_ != nullptr) {
      if (auto sound = CheckFace(); !sound) return sound;
      lineage_ = before->lineage_;
    }
    if (!prepared.ok()) return base::Fail(Who() + prepared.Message());
    if (plugin_ != nullptr) return {};
  }
  const Status created = CallUnhurried("create", [&] {
    plugin_ = spec_.library->entry()->create(spec_.library_plugin.c_str(), &host_);
    return BERTH_SUCCESS;
  });
  if (!created.ok()) return base::Fail(Who() + created.Message());
  if (plugin_ == nullptr)
    return base::Fail(Who() + "the library does not create a plugin named \"" + spec_.library_plugin + "\"");
  return CheckFace();
}

// The call is this instance's, though the plugin is the other: its faults and reasons are about the new args.
Status Instance::Prepare(Instance& before) {
  return FailIfToldSo("prepare", CallUnhurried("prepare", [&] {
                        plugin_ = before.tables_.succession->prepare(before.plugin_, &host_);
                        return BERTH_SUCCESS;
                      }));
}

void Instance::Commit(Instance& before) {
  const berth_succession* table = tables_.succession;
  if (table == nullptr || table->commit == nullptr) return;
  CallVoid("commit", [&] { table->commit(plugin_, before.plugin_); });
}

base::Result<void> Instance::CheckFace() {
  if (plugin_->size >= offsetof(berth_plugin, cycle_free) + sizeof plugin_->cycle_free && plugin_->init != nullptr &&
      plugin_->destroy != nullptr && plugin_->extension != nullptr) {
    return {};
  }
  berth_plugin* broken = std::exchange(plugin_, nullptr);
  if (broken->size >= offsetof(berth_plugin, extension) && broken->destroy != nullptr) broken->destroy(broken);
  return base::Fail(Who() + "the plugin's table is shorter than ABI 1.0's or lacks init, destroy or extension");
}

base::Result<void> Instance::Init() {
  const Status status = CallUnhurried("init", [&] { return plugin_->init(plugin_); });
  if (!status.ok()) return base::Fail(Who() + status.Message());
  initialised_ = true;
  FetchTables();
  return CheckTables();
}

void Instance::FetchTables() {
  berth_plugin* p = plugin_;
  CallVoid("extension", [&] {
    tables_.pre_enqueue = Fetch<berth_pre_enqueue>(p, BERTH_POINT_PRE_ENQUEUE);
    tables_.queue_sort = Fetch<berth_queue_sort>(p, BERTH_POINT_QUEUE_SORT);
    tables_.pre_filter = Fetch<berth_pre_filter>(p, BERTH_POINT_PRE_FILTER);
    tables_.filter = Fetch<berth_filter>(p, BERTH_POINT_FILTER);
    tables_.post_filter = Fetch<berth_post_filter>(p, BERTH_POINT_POST_FILTER);
    tables_.pre_score = Fetch<berth_pre_score>(p, BERTH_POINT_PRE_SCORE);
    tables_.score = Fetch<berth_score>(p, BERTH_POINT_SCORE);
    tables_.reserve = Fetch<berth_reserve>(p, BERTH_POINT_RESERVE);
    tables_.permit = Fetch<berth_permit>(p, BERTH_POINT_PERMIT);
    tables_.pre_bind = Fetch<berth_pre_bind>(p, BERTH_POINT_PRE_BIND);
    tables_.bind = Fetch<berth_bind>(p, BERTH_POINT_BIND);
    tables_.post_bind = Fetch<berth_post_bind>(p, BERTH_POINT_POST_BIND);
    tables_.events = Fetch<berth_events>(p, BERTH_POINT_EVENTS);
    tables_.pod_change = Fetch<berth_pod_change>(p, BERTH_POINT_POD_CHANGE);
    tables_.deltas = Fetch<berth_deltas>(p, BERTH_POINT_DELTAS);
    tables_.object_changes = Fetch<berth_object_changes>(p, BERTH_POINT_OBJECTS);
    tables_.handover = Fetch<berth_handover>(p, BERTH_POINT_HANDOVER);
    tables_.succession = Fetch<berth_succession>(p, BERTH_POINT_SUCCESSION);
  });
}

bool Instance::Offers(Point point) const {
  switch (point) {
    case Point::kPreFilter: return tables_.pre_filter != nullptr;
    case Point::kFilter: return tables_.filter != nullptr;
    case Point::kPostFilter: return tables_.post_filter != nullptr;
    case Point::kReserve: return tables_.reserve != nullptr;
    case Point::kPreScore: return tables_.pre_score != nullptr;
    case Point::kScore: return tables_.score != nullptr;
    case Point::kPreBind: return tables_.pre_bind != nullptr;
    case Point::kBind: return tables_.bind != nullptr;
    case Point::kPostBind: return tables_.post_bind != nullptr;
    case Point::kPermit: return tables_.permit != nullptr;
    case Point::kPreEnqueue: return tables_.pre_enqueue != nullptr;
    case Point::kQueueSort: return tables_.queue_sort != nullptr;
  }
  return false;
}

namespace {

// A table is usable when it reaches its last 1.0 member and the members that may not be NULL are there.
template <class Table, class... Members>
bool Complete(const Table* table, Members... required) {
  return table == nullptr || (table->size >= sizeof(Table) && (... && (table->*required != nullptr)));
}

}  // namespace

base::Result<void> Instance::CheckTables() const {
  const Tables& t = tables_;
  const std::pair<const char*, bool> checks[] = {
      {"pre_enqueue", Complete(t.pre_enqueue, &berth_pre_enqueue::pre_enqueue)},
      {"queue_sort", Complete(t.queue_sort, &berth_queue_sort::less)},
      {"pre_filter", Complete(t.pre_filter, &berth_pre_filter::pre_filter)},
      {"filter", Complete(t.filter, &berth_filter::filter)},
      {"post_filter", Complete(t.post_filter, &berth_post_filter::post_filter)},
      {"pre_score", Complete(t.pre_score, &berth_pre_score::pre_score)},
      {"score",
       Complete(t.score, &berth_score::score) &&
           (t.score == nullptr || t.score->normalize_kind != BERTH_NORMALIZE_CALL || t.score->normalize != nullptr)},
      {"reserve", Complete(t.reserve, &berth_reserve::reserve, &berth_reserve::unreserve)},
      {"permit", Complete(t.permit, &berth_permit::permit)},
      {"pre_bind", Complete(t.pre_bind, &berth_pre_bind::pre_bind)},
      {"bind", Complete(t.bind, &berth_bind::bind)},
      {"post_bind", Complete(t.post_bind, &berth_post_bind::post_bind)},
      {"events", Complete(t.events, &berth_events::interests)},
      {"pod_change", Complete(t.pod_change)},
      {"deltas", Complete(t.deltas, &berth_deltas::deltas)},
      {"objects", Complete(t.object_changes, &berth_object_changes::changed)},
      {"handover", Complete(t.handover)},
      {"succession", Complete(t.succession, &berth_succession::prepare)}};
  for (const auto& [table, complete] : checks) {
    if (!complete) return base::Fail(Who() + "its " + table + " table is too short or lacks a function it must have");
  }
  if (t.score != nullptr && t.score->normalize_kind > BERTH_NORMALIZE_REVERSE) {
    return base::Fail(Who() + "its score table asks for normalisation " + std::to_string(t.score->normalize_kind) +
                      ", which this host does not know");
  }
  for (std::string_view announced : spec_.library->PointsOf(spec_.library_plugin)) {
    bool offered = false;
    for (size_t p = 0; p < kPoints; ++p) {
      const Point point = static_cast<Point>(p);
      offered = offered || (ConfigName(point) == announced && Offers(point));
    }
    if (!offered) {
      return base::Fail(Who() + "its note announces the point " + std::string(announced) +
                        ", which the plugin does not offer");
    }
  }
  return {};
}

base::Result<void> Instance::Activate() {
  activating_ = true;
  const Status status = CallUnhurried(
      "activate", [&] { return plugin_->activate == nullptr ? BERTH_SUCCESS : plugin_->activate(plugin_); });
  activating_ = false;
  if (!status.ok()) return base::Fail("activating plugin \"" + name() + "\": " + status.Message());
  active_ = true;
  return {};
}

Instance::~Instance() {
  const bool was_active = std::exchange(active_, false);
  if (was_active && plugin_->deactivate != nullptr) LetGo("deactivate", [&] { plugin_->deactivate(plugin_); });
  owed_->End();
  if (plugin_ != nullptr) LetGo("destroy", [&] { plugin_->destroy(plugin_); });
  for (const auto& [id, n] : owned_ids_) {
    for (uint32_t i = 0; i < n; ++i) context_.services->words.ids.Drop(id);
  }
  context_.services->words.ids.Drop(name_id_);
}

}  // namespace berth::plugin
