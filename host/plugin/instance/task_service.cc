// berth.host.tasks/1: work on the scheduling thread, between two cycles, for instances.
#include <algorithm>
#include <memory>

#include "api/text_view.h"
#include "berth/tasks.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/pending_callbacks.h"
#include "plugin/instance/services.h"

namespace berth::plugin {
namespace {

using Fn = void (*)(void* arg, int32_t run);

// A task that misses the deadline is a fault.
void RunTask(Instance& instance, Fn fn, void* arg) {
  if (instance.quarantined()) return instance.CallToRelease("a task", [&] { fn(arg, 0); });
  instance.CallPromptly("a task", [&] { fn(arg, 1); });
}

void Post(const berth_host* host, int64_t delay_ns, Fn fn, void* arg) {
  HostContext& context = ContextOf(host);
  if (context.instance == nullptr) return fn(arg, 0);  // the host checks args: no task will run
  Instance& instance = *context.instance;
  const std::shared_ptr<PendingCallbacks> pending = instance.pending_callbacks();
  const auto release = [&instance, fn, arg] { instance.CallToRelease("a task", [&] { fn(arg, 0); }); };
  const uint64_t ticket = pending->Add(release);
  if (ticket == 0) return fn(arg, 0);
  TaskPort* tasks = context.services->ports.tasks;
  if (tasks == nullptr) return;  // without a scheduling thread the task stays pending until the instance ends
  tasks->Post(std::max<int64_t>(delay_ns, 0), [pending, ticket, &instance, fn, arg] {
    if (!pending->Take(ticket)) return;
    RunTask(instance, fn, arg);
    pending->Done();
  });
}

int32_t Activate(const berth_host* host, berth_str uid) {
  TaskPort* tasks = ContextOf(host).services->ports.tasks;
  return tasks != nullptr && tasks->Activate(api::View(uid)) ? 1 : 0;
}

int64_t WallUnixNs(const berth_host* host) {
  const TaskPort* tasks = ContextOf(host).services->ports.tasks;
  return tasks != nullptr ? tasks->WallUnixNs() : base::RealClock().WallUnixNs();
}

}  // namespace

const void* TaskService() {
  static const berth_tasks table{sizeof table, 0, Post, Activate, WallUnixNs};
  return &table;
}

}  // namespace berth::plugin
