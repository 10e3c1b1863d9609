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
};
std::atomic<LineQueue*> g_queue{nullptr};  // separate from Output, because signal handlers read it

// A child process has neither the queue's thread nor other threads, so none of them may hold the lock during fork().
void RegisterForForks(Output& output) {
  static Output& kept = output;
  pthread_atfork([]() ACQUIRE(kept.mutex) { kept.mutex.lock(); }, []() RELEASE(kept.mutex) { kept.mutex.unlock(); },
                 []() RELEASE(kept.mutex) {
                   g_queue.store(nullptr);
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

void WriteLine(std::string_view line) {
  Output& output = TheOutput();
  base::MutexLock lock(output.mutex);
  for (Listener* listener : output.listeners) listener->OnLine(line);
  if (LineQueue* queue = g_queue.load()) return queue->Add(line);
  WriteLines(STDERR_FILENO, std::string(line) + "\n");
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
  base::MutexLock lock(TheOutput().mutex);
  if (g_queue.load() != nullptr) return;
  g_queue.store(new LineQueue(STDERR_FILENO));
  std::atexit([] { Flush(); });
}

bool Flush(std::chrono::milliseconds timeout) {
  const LineQueue* queue = g_queue.load();
  return queue == nullptr || queue->Flush(timeout);
}

uint64_t DroppedLines() {
  const LineQueue* queue = g_queue.load();
  return queue == nullptr ? 0 : queue->dropped();
}

}  // namespace berth::log
