#include "base/parallelizer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <system_error>

#include "base/thread_name.h"

namespace berth::base {
namespace {

thread_local bool inside_run = false;  // this thread runs a job

}  // namespace

bool Parallelizer::InsideRun() { return inside_run; }

Parallelizer::Parallelizer(uint32_t workers, std::chrono::nanoseconds idle)
    : workers_(workers), idle_time_(idle), threads_(workers) {}

Parallelizer::~Parallelizer() {
  std::vector<Worker> ending;
  {
    MutexLock lock(mutex_);
    quit_ = true;
    ending.swap(threads_);
  }
  wake_.notify_all();
  ending.clear();  // joins
}

// A Run uses the workers that there are: the system may not give all of them.
void Parallelizer::StartWorkers() {
  for (uint32_t i = 0; i < workers_ && running_workers_ < workers_; ++i) {
    if (threads_[i].runs) continue;
    try {
      threads_[i].thread = std::jthread([this, i] { WorkerLoop(i); });  // joins the one before, which has left
    } catch (const std::system_error&) {
      return;
    }
    threads_[i].runs = true;
    ++running_workers_;
  }
}

uint32_t Parallelizer::ChunkSize(uint32_t n, uint32_t parallelism) {
  const auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(n)));
  const uint64_t fair = uint64_t{n} / std::max(1u, parallelism) + 1;
  return static_cast<uint32_t>(std::max<uint64_t>(1, std::min(root, fair)));
}

void Parallelizer::WorkOff(Job& job) {
  while (job.stop == nullptr || !job.stop->load(std::memory_order_relaxed)) {
    const uint64_t begin = job.next.fetch_add(job.chunk, std::memory_order_relaxed);
    if (begin >= job.n) return;
    const uint64_t end = std::min<uint64_t>(begin + job.chunk, job.n);
    job.call(job.context, static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
  }
}

void Parallelizer::RunErased(uint32_t n, Call call, void* context, const std::atomic<bool>* stop) {
  const uint32_t width = parallelism();
  Job job{n, width, ChunkSize(n, width), call, context, stop, {}};
  const uint32_t chunks = n / job.chunk + (n % job.chunk != 0);
  if (chunks < 2 || width < 2 || inside_run || !running_.try_lock()) {
    WorkOff(job);
    return;
  }
  const MutexLock running(running_, std::adopt_lock);
  {
    MutexLock lock(mutex_);
    if (running_workers_ < workers_) StartWorkers();
    job_ = &job;
    ++generation_;
  }
  if (chunks - 1 >= workers()) {
    wake_.notify_all();
  } else {
    for (uint32_t i = 0; i + 1 < chunks; ++i) wake_.notify_one();
  }
  inside_run = true;
  WorkOff(job);
  inside_run = false;
  MutexLock lock(mutex_);
  job_ = nullptr;  // workers that wake up later do not join
  idle_.wait(lock, [this]() REQUIRES(mutex_) { return joined_ == 0; });
}

void Parallelizer::WorkerLoop(uint32_t number) {
  NameThread("worker-" + std::to_string(number));
  inside_run = true;
  uint64_t seen = 0;
  MutexLock lock(mutex_);
  while (true) {
    const bool woken = wake_.wait_for(lock, idle_time_, [&]() REQUIRES(mutex_) {
      return quit_ || (job_ != nullptr && generation_ != seen && joined_ + 1 < job_->width);
    });
    if (quit_) return;
    if (!woken) break;
    seen = generation_;
    Job& job = *job_;
    ++joined_;
    lock.unlock();
    WorkOff(job);
    lock.lock();
    if (--joined_ == 0) idle_.notify_one();
  }
  threads_[number].runs = false;
  --running_workers_;
}

}  // namespace berth::base
