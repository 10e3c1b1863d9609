#include "telemetry/log/output.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/thread_annotations.h"
#include "telemetry/log/line_queue.h"
#include "telemetry/log/log.h"
#include "telemetry/log/write_lines.h"

namespace berth::log {
namespace {

// Never destroyed: the process may log until it ends.
struct Output {
  base::Mutex mutex;  // also keeps lines whole and in order
  std::vector<Listener*> listeners GUARDED_BY(mutex);
  Streams streams GUARDED_BY(mutex);
};
// Separate from Output, because signal handlers read them.
std::atomic<LineQueue*> g_queue{nullptr};
std::atomic<LineQueue*> g_info_queue{nullptr};  // of standard output

constexpr size_t kLargestHold = size_t{64} << 20;

// A child process has neither the queue's thread nor other threads, so none of them may hold the lock during fork().
void RegisterForForks(Output& output) {
  static Output& kept = output;
  pthread_atfork([]() ACQUIRE(kept.mutex) { kept.mutex.lock(); }, []() RELEASE(kept.mutex) { kept.mutex.unlock(); },
                 []() RELEASE(kept.mutex) {
                   g_queue.store(nullptr);
                   g_info_queue.store(nullptr);
                   kept.mutex.unlock();
                 });
}

Output& TheOutput() {
  static Output& output = [&]() -> Output& {
    auto* made = new Output;
    RegisterForForks(*made);
    return *made;
  }();
  return output;
}

}  // namespace

void SetStreams(const Streams& streams) {
  Output& output = TheOutput();
  base::MutexLock lock(output.mutex);
  output.streams = streams;
}

void WriteLine(std::string_view line, bool info) {
  Output& output = TheOutput();
  base::MutexLock lock(output.mutex);
  const bool to_stdout = info && output.streams.split;
  for (Listener* listener : output.listeners) listener->OnLine(line);
  if (LineQueue* queue = (to_stdout ? g_info_queue : g_queue).load()) return queue->Add(line);
  WriteLines(to_stdout ? STDOUT_FILENO : STDERR_FILENO, std::string(line) + "\n");
}

void AddListener(Listener& listener) {
  Output& output = TheOutput();
  base::MutexLock lock(output.mutex);
  output.listeners.push_back(&listener);
}

void RemoveListener(Listener& listener) {
  Output& output = TheOutput();
  base::MutexLock lock(output.mutex);
  std::erase(output.listeners, &listener);
}

void WriteInBackground() {
  Output& output = TheOutput();
  base::MutexLock lock(output.mutex);
  if (g_queue.load() != nullptr) return;
  g_queue.store(new LineQueue(STDERR_FILENO));
  if (output.streams.split) {
    const size_t held = std::min(output.streams.info_buffer, kLargestHold);
    g_info_queue.store(
        new LineQueue(STDOUT_FILENO, std::max(LineQueue::kBytes, 2 * held), {held, output.streams.flush_frequency}));
  }
  std::atexit([] { Flush(); });
}

bool Flush(std::chrono::milliseconds timeout) {
  const LineQueue* info = g_info_queue.load();
  const LineQueue* queue = g_queue.load();
  const bool infos_out = info == nullptr || info->Flush(timeout);
  return (queue == nullptr || queue->Flush(timeout)) && infos_out;
}

uint64_t DroppedLines() {
  uint64_t dropped = 0;
  for (const LineQueue* queue : {g_queue.load(), g_info_queue.load()}) {
    if (queue != nullptr) dropped += queue->dropped();
  }
  return dropped;
}

}  // namespace berth::log
