// Splits a range of rows into chunks, as kube-scheduler's Parallelizer does, and lets the caller and a few threads of
// its own work them off. Source: pkg/scheduler/framework/parallelize/parallelism.go. Threads: Run from any thread; a
// Run inside a Run, or while another thread's Run is on, goes inline. No allocation per Run. Ownership: the object owns
// its threads; they sleep between runs and are joined by the destructor.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace berth::base {

class Parallelizer {
 public:
  // workers: threads beside the caller; 0 = every Run goes inline.
  explicit Parallelizer(uint32_t workers);
  ~Parallelizer();
  Parallelizer(const Parallelizer&) = delete;
  Parallelizer& operator=(const Parallelizer&) = delete;

  // Calls fn(begin, end) for disjoint ranges that together are [0, n), on the caller and the workers, and returns when
  // all are done. Once *stop is true (nullptr: never) no new range is begun. fn must not throw.
  template <class Fn>
  void Run(uint32_t n, Fn&& fn, const std::atomic<bool>* stop = nullptr) {
    using Body = std::remove_reference_t<Fn>;
    RunErased(
        n, [](void* context, uint32_t begin, uint32_t end) { (*static_cast<Body*>(context))(begin, end); },
        const_cast<void*>(static_cast<const void*>(std::addressof(fn))), stop);
  }

  uint32_t workers() const { return static_cast<uint32_t>(threads_.size()); }

  // At most so many threads work a Run off from the next one on, the caller among them; >= 1. Any thread.
  void SetParallelism(uint32_t threads) { limit_.store(threads, std::memory_order_relaxed); }
  // How many do: no more than there are.
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
  void WorkerLoop();

  std::atomic<uint32_t> limit_ = std::numeric_limits<uint32_t>::max();
  std::mutex running_;  // held by the Run that uses the workers
  std::mutex mutex_;    // guards what follows
  std::condition_variable wake_, idle_;
  Job* job_ = nullptr;       // not null while workers may join in
  uint64_t generation_ = 0;  // counts jobs
  uint32_t joined_ = 0;      // workers inside job_
  bool quit_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace berth::base
