// Missorts: sorts the queue by priority and age until it compares a pod whose label `at` is queueSort. Then it
// misbehaves as the pod's label `does` says, once for each pod: throw, junk, late, crash, or hang. It does not use the
// C++ layer, which would catch exceptions and cannot return junk.
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include "../../broken_plugins/runtime/at_work.h"
#include "berth/berth.h"
#include "berth/queue_sort.h"

namespace {

constexpr auto kLateBy = std::chrono::milliseconds(300);
constexpr int32_t kJunk = 77;

volatile int* volatile nowhere_to_write = nullptr;
volatile bool going_on = true;

// Returns "" if the pod has no such label.
std::string_view Label(const berth_pod& pod, std::string_view wanted) {
  const berth_list& items = pod.labels->items;
  for (uint32_t i = 0; i < items.n; ++i) {
    const berth_kv& pair = *BERTH_AT(items, berth_kv, i);
    const berth_str key = at_work_host->text(at_work_host, pair.key);
    if (std::string_view(key.ptr, key.len) != wanted) continue;
    const berth_str value = at_work_host->text(at_work_host, pair.value);
    return {value.ptr, value.len};
  }
  return {};
}

// Returns the misbehavior that is due; "": none, sort.
std::string Deed(const berth_pod& pod) {
  static std::mutex mutex;
  static std::set<std::string> done;
  if (Label(pod, "at") != "queueSort") return {};
  const std::lock_guard lock(mutex);
  return done.emplace(pod.uid.ptr, pod.uid.len).second ? std::string(Label(pod, "does")) : std::string();
}

int32_t Less(berth_plugin* /*p*/, const berth_queued* a, const berth_queued* b) {
  for (const berth_pod* pod : {a->pod, b->pod}) {
    const std::string deed = Deed(*pod);
    if (deed == "throw") throw std::runtime_error("lost my way");
    if (deed == "junk") return kJunk;
    if (deed == "late") std::this_thread::sleep_for(kLateBy);
    if (deed == "crash") *nowhere_to_write = 1;
    while (deed == "hang" && going_on) {
    }
  }
  if (a->pod->priority != b->pod->priority) return a->pod->priority > b->pod->priority ? 1 : 0;
  return a->queued_unix_ns < b->queued_unix_ns ? 1 : 0;
}

const berth_queue_sort table = {sizeof(berth_queue_sort), 0, &Less};

}  // namespace

extern "C" {
AT_WORK_LIBRARY("Missorts", "queueSort", BERTH_POINT_QUEUE_SORT, table)
}
