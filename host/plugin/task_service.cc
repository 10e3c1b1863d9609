// berth.host.tasks/1: work on the scheduling thread, between two cycles, for instances.
#include <algorithm>
#include <memory>

#include "api/text_view.h"
#include "berth/draft/tasks.h"
#include "plugin/instance.h"
#include "plugin/owed.h"
#include "plugin/services.h"

namespace berth::plugin {
namespace {

using Fn = void (*)(void* arg, int32_t run);

HostContext& ContextOf(const berth_host* host) { return *static_cast<HostContext*>(host->impl); }

// Quick it must be, but what is slow is no reason to lose it: a deadline that is missed counts as a fault.
void Run(Instance& instance, Fn fn, void* arg) {
  if (instance.quarantined()) return instance.LetGo("a task", [&] { fn(arg, 0); });
  instance.CallPromptly("a task", [&] { fn(arg, 1); });
}

void Post(const berth_host* host, int64_t delay_ns, Fn fn, void* arg) {
  HostContext& context = ContextOf(host);
  if (context.instance == nullptr) return fn(arg, 0);  // args are being judged: nothing will ever be scheduled
  Instance& instance = *context.instance;
  const std::shared_ptr<Owed> owed = instance.owed();
  const auto let_go = [&instance, fn, arg] { instance.LetGo("a task", [&] { fn(arg, 0); }); };
  const uint64_t ticket = owed->Add(let_go);
  if (ticket == 0) return fn(arg, 0);
  TaskPort* tasks = context.services->tasks;
  if (tasks == nullptr) return;  // there is no scheduling thread: it waits for the instance's end
  tasks->Post(std::max<int64_t>(delay_ns, 0), [owed, ticket, &instance, fn, arg] {
    if (!owed->Take(ticket)) return;
    Run(instance, fn, arg);
    owed->Over();
  });
}

int32_t Activate(const berth_host* host, berth_str uid) {
  TaskPort* tasks = ContextOf(host).services->tasks;
  return tasks != nullptr && tasks->Activate(api::View(uid)) ? 1 : 0;
}

int64_t WallUnixNs(const berth_host* host) {
  const TaskPort* tasks = ContextOf(host).services->tasks;
  return tasks != nullptr ? tasks->WallUnixNs() : base::RealClock().WallUnixNs();
}

}  // namespace

const void* TaskService() {
  static const berth_tasks table{sizeof table, 0, Post, Activate, WallUnixNs};
  return &table;
}

}  // namespace berth::plugin
