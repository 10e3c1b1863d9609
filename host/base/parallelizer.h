// Splits a range of rows into chunks, as kube-scheduler's Parallelizer does, and runs them on the caller and its own
// threads. Source: pkg/scheduler/framework/parallelize/parallelism.go. Threads: Run from any thread; a Run inside a
// Run, or during the Run of another thread, runs on the caller only. Ownership: the object owns its threads. They start
// with the first Run that has work for them, sleep between runs, and end after a while without a run; only a Run that
// starts them allocates memory. The destructor joins them.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/thread_annotations.h"

namespace berth::base {

class Parallelizer {
 public:
  // workers: threads in addition to the caller; 0 = Run uses only the caller. idle: after this time without a run a
  // thread ends.
  explicit Parallelizer(uint32_t workers, std::chrono::nanoseconds idle = std::chrono::seconds(30));
  ~Parallelizer();
  Parallelizer(const Parallelizer&) = delete;
  Parallelizer& operator=(const Parallelizer&) = delete;

  // Calls fn(begin, end) for disjoint ranges that cover [0, n), on the caller and the workers, and returns after the
  // last one. Starts no new range after *stop is true (nullptr: never). fn must not throw.
  template <class Fn>
  void Run(uint32_t n, Fn&& fn, const std::atomic<bool>* stop = nullptr) {
    using Body = std::remove_reference_t<Fn>;
    RunErased(
        n, [](void* context, uint32_t begin, uint32_t end) { (*static_cast<Body*>(context))(begin, end); },
        const_cast<void*>(static_cast<const void*>(std::addressof(fn))), stop);
  }

  // Whether this thread is one of several that take part in a Run, of any Parallelizer.
  static bool InsideRun();

  uint32_t workers() const { return workers_; }

  // Sets the number of threads, including the caller, for the following Runs; >= 1. Any thread.
  void SetParallelism(uint32_t threads) { limit_.store(threads, std::memory_order_relaxed); }
  // The number of threads that a Run uses.
  uint32_t parallelism() const { return std::min(workers() + 1, limit_.load(std::memory_order_relaxed)); }

  // min(floor(sqrt(n)), n / parallelism + 1), at least 1.
  static uint32_t ChunkSize(uint32_t n, uint32_t parallelism);

 private:
  using Call = void (*)(void* context, uint32_t begin, uint32_t end);
  struct Job {
    uint32_t n, width, chunk;  // width: threads, the caller among them
    Call call;
    void* context;
    const std::atomic<bool>* stop;
    std::atomic<uint64_t> next{0};
  };

  void RunErased(uint32_t n, Call call, void* context, const std::atomic<bool>* stop);
  static void WorkOff(Job& job);
  void StartWorkers() REQUIRES(mutex_);
  void WorkerLoop(uint32_t number);

  const uint32_t workers_;
  const std::chrono::nanoseconds idle_time_;
  std::atomic<uint32_t> limit_ = std::numeric_limits<uint32_t>::max();
  Mutex running_;  // held by the Run that uses the workers
  Mutex mutex_;
  Condition wake_, idle_;
  Job* job_ GUARDED_BY(mutex_) = nullptr;       // not null while workers may join in
  uint64_t generation_ GUARDED_BY(mutex_) = 0;  // counts jobs
  uint32_t joined_ GUARDED_BY(mutex_) = 0;      // workers inside job_
  bool quit_ GUARDED_BY(mutex_) = false;
  struct Worker {
    std::jthread thread;
    bool runs = false;  // false: the thread, if any, has left its loop
  };
  uint32_t running_workers_ GUARDED_BY(mutex_) = 0;
  std::vector<Worker> threads_ GUARDED_BY(mutex_);
};

}  // namespace berth::base
