#include "plugin/instance/services.h"

#include <algorithm>

#include "api/resources.h"
#include "api/text_view.h"
#include "base/random.h"
#include "berth/api.h"
#include "berth/http.h"
#include "berth/kept.h"
#include "berth/metrics.h"
#include "berth/random.h"
#include "berth/tasks.h"
#include "plugin/instance/cycle.h"
#include "plugin/instance/instance.h"
#include "telemetry/series/plugin_families.h"

namespace berth::plugin {
namespace {

using api::View;
Instance& InstanceOf(const berth_host* host) { return *ContextOf(host).instance; }

// ---- value ----

const json::Value* ValueOf(const berth_value* v) { return reinterpret_cast<const json::Value*>(v); }
const berth_value* Abi(const json::Value* v) { return reinterpret_cast<const berth_value*>(v); }

int32_t ValueKind(const berth_value* v) {
  if (v == nullptr) return BERTH_VALUE_NULL;
  switch (ValueOf(v)->kind()) {
    case json::Kind::kNull: return BERTH_VALUE_NULL;
    case json::Kind::kBool: return BERTH_VALUE_BOOL;
    case json::Kind::kInt: return BERTH_VALUE_INT;
    case json::Kind::kNumber: return BERTH_VALUE_NUMBER;
    case json::Kind::kString: return BERTH_VALUE_STRING;
    case json::Kind::kArray: return BERTH_VALUE_ARRAY;
    case json::Kind::kObject: return BERTH_VALUE_OBJECT;
  }
  return BERTH_VALUE_NULL;
}

int64_t ValueInteger(const berth_value* v) {
  if (v == nullptr) return 0;
  return ValueOf(v)->is_bool() ? static_cast<int64_t>(ValueOf(v)->boolean()) : ValueOf(v)->integer();
}

double ValueNumber(const berth_value* v) { return v == nullptr ? 0 : ValueOf(v)->number(); }

berth_str ValueString(const berth_value* v) { return v == nullptr ? berth_str{} : api::Borrow(ValueOf(v)->string()); }

uint32_t ValueCount(const berth_value* v) {
  if (v == nullptr) return 0;
  return static_cast<uint32_t>(ValueOf(v)->is_array() ? ValueOf(v)->array().size() : ValueOf(v)->object().size());
}

const berth_value* ValueAt(const berth_value* v, uint32_t i) {
  if (i >= ValueCount(v)) return nullptr;
  return Abi(ValueOf(v)->is_array() ? &ValueOf(v)->array()[i] : &ValueOf(v)->object()[i].second);
}

berth_str ValueKey(const berth_value* v, uint32_t i) {
  if (v == nullptr || !ValueOf(v)->is_object() || i >= ValueCount(v)) return {};
  return api::Borrow(ValueOf(v)->object()[i].first);
}

const berth_value* ValueGet(const berth_value* v, berth_str key) {
  return v == nullptr ? nullptr : Abi(ValueOf(v)->Find(View(key)));
}

// ---- json ----

int32_t ParseText(const berth_host*, berth_str text, void (*read)(void* ctx, const berth_value* document), void* ctx) {
  const auto document = json::Parse(View(text));
  if (!document) return -1;
  read(ctx, Abi(&*document));
  return 0;
}

// ---- config ----

const berth_value* ConfigArgs(const berth_host* host) {
  const json::Value& args = InstanceOf(host).args();
  return args.is_null() ? nullptr : Abi(&args);
}
berth_str ConfigProfile(const berth_host* host) { return api::Borrow(InstanceOf(host).profile()); }
berth_str ConfigPluginName(const berth_host* host) { return api::Borrow(InstanceOf(host).name()); }

// ---- cycle ----

const berth_snap* CycleSnap(const berth_cycle* cycle) { return cycle->snap; }

void* CycleData(const berth_host* host, const berth_cycle* cycle, uint32_t slot) {
  const uint32_t index = InstanceOf(host).index();
  return slot <= BERTH_SLOT_ATTEMPT && index < cycle->slots[slot].size() ? cycle->slots[slot][index] : nullptr;
}

void SetCycleData(const berth_host* host, berth_cycle* cycle, uint32_t slot, void* data) {
  Instance& instance = InstanceOf(host);
  // Outside an attempt nothing would read the data, and a trial must not replace the data that it shows.
  if (slot > BERTH_SLOT_ATTEMPT || instance.index() >= cycle->slots[slot].size() || cycle->trial != nullptr) {
    if (data != nullptr) instance.FreeCycleData(data);
    return;
  }
  void*& held = cycle->slots[slot][instance.index()];
  if (held != nullptr && held != data) instance.FreeCycleData(held);
  held = data;
}

uint32_t CycleReasons(const berth_host*, berth_cycle* cycle, const berth_str* texts, uint32_t n) {
  return cycle->reasons == nullptr ? 0 : cycle->reasons->Intern(texts, n);
}

// Lives until the thread's next use; the table's texts are std::string, the ABI wants berth_str.
berth_list CycleReasonTexts(const berth_host*, const berth_cycle* cycle, uint32_t reasons) {
  thread_local std::vector<berth_str> texts;
  texts.clear();
  if (cycle->reasons != nullptr) {
    for (const std::string& text : cycle->reasons->Texts(reasons)) texts.push_back(api::Borrow(text));
  }
  return {texts.data(), static_cast<uint32_t>(texts.size()), sizeof(berth_str)};
}

int32_t CycleCancelled(const berth_cycle* cycle) { return cycle->cancelled.load(std::memory_order_relaxed) ? 1 : 0; }

// ---- requests ----

berth_list RequestsOf(const berth_host* host, const berth_pod* pod, uint32_t flags) {
  const api::RequestSums& sums = api::ResourcesBlockOf(pod->resources).Sums(ContextOf(host).services->intern, flags);
  return {sums.amounts.data(), static_cast<uint32_t>(sums.amounts.size()), sizeof(berth_amount)};
}

// ---- random, binder, waiting ----

uint64_t RandomSeed(const berth_host* host, const berth_cycle* cycle) {
  return base::MixText(cycle->seed, InstanceOf(host).name());
}

berth_status BindPod(const berth_host* host, const berth_pod* pod, berth_id node, berth_op* op) {
  Services& services = *ContextOf(host).services;
  if (services.ports.binder == nullptr) return BERTH_ERROR;
  services.ports.binder->Bind(*pod, services.intern.ids.Text(node), op);
  return BERTH_LATER;
}

void EachWaiting(const berth_host* host, void (*cb)(void*, const berth_pod*), void* ctx) {
  if (WaitingPort* waiting = ContextOf(host).services->ports.waiting) {
    waiting->Each([&](const berth_pod& pod) { cb(ctx, &pod); });
  }
}

int32_t AllowWaiting(const berth_host* host, berth_str uid) {
  WaitingPort* waiting = ContextOf(host).services->ports.waiting;
  return waiting != nullptr && waiting->Allow(View(uid), InstanceOf(host));
}

int32_t RejectWaiting(const berth_host* host, berth_str uid, berth_str reason) {
  WaitingPort* waiting = ContextOf(host).services->ports.waiting;
  return waiting != nullptr && waiting->Reject(View(uid), InstanceOf(host), std::string(View(reason)));
}

}  // namespace

const berth_values* ValueService() {
  static const berth_values table{sizeof table, 0,          ValueKind, ValueInteger, ValueNumber,
                                  ValueString,  ValueCount, ValueAt,   ValueKey,     ValueGet};
  return &table;
}

const void* JsonService() {
  static const berth_json table{sizeof table, 0, ParseText};
  return &table;
}

const berth_config* ConfigService() {
  static const berth_config table{sizeof table, 0, ConfigArgs, ConfigProfile, ConfigPluginName};
  return &table;
}

const berth_cycles* CycleService() {
  static const berth_cycles table{sizeof table,  0, CycleSnap, CycleData, SetCycleData, CycleReasons, CycleReasonTexts,
                                  CycleCancelled};
  return &table;
}

const berth_requests* RequestService() {
  static const berth_requests table{sizeof table, 0, RequestsOf};
  return &table;
}

const void* RandomService() {
  static const berth_random table{sizeof table, 0, RandomSeed};
  return &table;
}

const void* BinderService() {
  static const berth_binder table{sizeof table, 0, BindPod};
  return &table;
}

const void* WaitingService() {
  static const berth_waiting table{sizeof table, 0, EachWaiting, AllowWaiting, RejectWaiting};
  return &table;
}

Services::Services(api::InternTables& intern_tables, const Ports& given_ports)
    : intern(intern_tables), ports(given_ports), unserved_(std::make_unique<series::PluginFamilies>(MetricLimits())) {
  Add(BERTH_SERVICE_VALUE, ValueService());
  Add(BERTH_SERVICE_CONFIG, ConfigService());
  Add(BERTH_SERVICE_LOG, LogService());
  Add(BERTH_SERVICE_CYCLE, CycleService());
  Add(BERTH_SERVICE_REQUESTS, RequestService());
  Add(BERTH_SERVICE_RANDOM, RandomService());
  Add(BERTH_SERVICE_BINDER, BinderService());
  Add(BERTH_SERVICE_WAITING, WaitingService());
  Add(BERTH_SERVICE_TASKS, TaskService());
  Add(BERTH_SERVICE_API, ApiService());
  Add(BERTH_SERVICE_HTTP, HttpService());
  Add(BERTH_SERVICE_JSON, JsonService());
  Add(BERTH_SERVICE_KEPT, KeptService());
  Add(BERTH_SERVICE_METRICS, MetricService());
}

Services::~Services() = default;

std::vector<std::string> Services::Ids() const {
  std::vector<std::string> ids;
  for (const auto& [id, table] : tables_) ids.push_back(id);
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace berth::plugin
