// Definitions of the templates in batch_call.h.
#pragma once

#include <atomic>
#include <chrono>

#include "base/thread_annotations.h"
#include "scheduler/framework/batch_call.h"

namespace berth::framework {

inline int64_t SteadyNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The part [begin, end) of rows.
inline berth_rows PartOf(const berth_rows& rows, uint32_t begin, uint32_t end) {
  berth_rows part = rows;
  part.n = end - begin;
  if (rows.rows != nullptr) {
    part.rows = rows.rows + begin;
  } else {
    part.first = rows.first + begin;
  }
  return part;
}

template <class Cell, class Ask>
plugin::Status AskInParts(plugin::Instance& instance, const char* what, const berth_rows& rows, Cell* out,
                          RowCost& cost, base::Parallelizer& workers, Ask&& ask) {
  struct {
    base::Mutex mutex;
    plugin::Status status GUARDED_BY(mutex);
    uint32_t begin GUARDED_BY(mutex);
  } worst{.begin = rows.n};
  std::atomic<int64_t> ns{0};
  const api::Pod* const pod = plugin::CallOfThread().pod;
  workers.Run(rows.n, [&](uint32_t begin, uint32_t end) {
    const plugin::PodScope scope(pod);
    berth_status raw = BERTH_SUCCESS;
    const berth_rows part = PartOf(rows, begin, end);
    const int64_t started = SteadyNs();
    plugin::Status status = instance.Call(
        what, [&] { return ask(part, out + begin); }, &raw);
    ns.fetch_add(SteadyNs() - started, std::memory_order_relaxed);
    if (raw == BERTH_UNIFORM) std::fill(out + begin, out + end, Cell(out[begin]));
    if (status.ok()) return;
    base::MutexLock lock(worst.mutex);
    if (begin >= worst.begin) return;
    worst.begin = begin;
    worst.status = std::move(status);
  });
  cost.Learn(rows.n, ns.load());
  base::MutexLock lock(worst.mutex);
  return std::move(worst.status);
}

template <class Cell, class Ask>
plugin::Status AskRows(plugin::Instance& instance, const char* what, const berth_rows& rows, Cell* out, RowCost& cost,
                       base::Parallelizer* workers, berth_status* raw, Ask&& ask) {
  SetGuard(out + rows.n);
  plugin::Status status;
  if (workers != nullptr && workers->parallelism() > 1 && cost.ShouldSplit(rows.n)) {
    status = AskInParts(instance, what, rows, out, cost, *workers, ask);
  } else {
    const bool timed = rows.n >= kLearnFrom;
    const int64_t started = timed ? SteadyNs() : 0;
    status = instance.Call(
        what, [&] { return ask(rows, out); }, raw);
    if (timed) cost.Learn(rows.n, SteadyNs() - started);
  }
  if (!GuardIntact(out + rows.n)) return instance.Fault(what, "wrote past the end of its answers");
  if (!status.ok() && status.code != plugin::Code::kError) {
    return instance.WrongStatus(what, static_cast<berth_status>(status.code));
  }
  return status;
}

}  // namespace berth::framework
