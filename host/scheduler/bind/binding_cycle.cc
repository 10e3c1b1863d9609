#include "scheduler/bind/binding_cycle.h"

#include <algorithm>

#include "scheduler/bind/pending_op.h"
#include "scheduler/framework/point_error.h"
#include "telemetry/log/log.h"
#include "telemetry/trace/current.h"

namespace berth::bind {
namespace {

using framework::TimedPoint;

plugin::Status AskPreFlight(plugin::Instance& plugin, const BindJob& job) {
  const berth_pre_bind& table = *plugin.tables().pre_bind;
  if (table.pre_flight == nullptr) return {};
  const plugin::PodScope scope(job.pod.get());
  return plugin.CallUnhurried("PreBindPreFlight",
                              [&] { return table.pre_flight(plugin.raw(), job.cycle, &job.pod->abi, job.node.get()); });
}

// finishBinding of pkg/scheduler/schedule_one.go
void LogBindFailure(const BindJob& job) { log::V(1, "Failed to bind pod", {{"pod", log::KObj(job.pod->key())}}); }

plugin::Status AskPostBind(const BindJob& job) {
  const auto& plugins = job.profile->At(plugin::Point::kPostBind);
  for (size_t i = 0; i < plugins.size(); ++i) {
    plugin::Instance* const plugin = plugins[i];
    const plugin::PodScope scope(job.pod.get());
    framework::TimedCall(job.profile->times(), job.sampled, TimedPoint::kPostBind, i, [&] {
      plugin->CallVoid("PostBind", [&] {
        plugin->tables().post_bind->post_bind(plugin->raw(), job.cycle, &job.pod->abi, job.node.get());
      });
      return plugin::Status();
    });
  }
  return {};
}

void PointBegins(BindJob& job) {
  job.point_began_ns = framework::NowNs();
  job.point_span = job.trace.BeginPoint();
}

// PreBind and Bind can end on another thread than the one on which they began.
void PointOver(BindJob& job, TimedPoint point, const plugin::Status& status) {
  const int64_t now = framework::NowNs();
  job.points[static_cast<size_t>(point)] = framework::Micros(now - job.point_began_ns);
  job.profile->times().AddPoint(point, status.code, now - job.point_began_ns);
  job.trace.EndPoint(job.point_span, framework::LabelOf(point), status, job.point_began_ns, now);
}

// Of a point that ends on the thread on which it began.
template <class Fn>
plugin::Status TimedRun(BindJob& job, TimedPoint point, Fn&& fn) {
  const base::Ticks began = base::Ticks::Now();
  plugin::Status status = framework::TimedRun(job.profile->times(), job.trace, point, fn);
  if (job.profile->times().HasPlugins(point)) {
    job.points[static_cast<size_t>(point)] = framework::Micros(base::Ticks::Now().Since(began));
  }
  return status;
}

// Whether no call blocks a thread before the operation of Bind has begun, unless a PreBind plugin has work.
bool NeverBlocks(const BindJob& job) {
  const auto promises = [](const plugin::Instance* plugin) { return plugin->never_blocks(); };
  const auto has_pre_flight = [](const plugin::Instance* plugin) {
    return plugin->tables().pre_bind->pre_flight != nullptr;
  };
  const auto& pre_binds = job.profile->At(plugin::Point::kPreBind);
  const auto& binds = job.profile->At(plugin::Point::kBind);
  return std::all_of(binds.begin(), binds.end(), promises) &&
         std::all_of(pre_binds.begin(), pre_binds.end(),
                     [&](const plugin::Instance* plugin) { return promises(plugin) || !has_pre_flight(plugin); });
}

void PluginBegins(BindJob& job) {
  if (job.sampled) job.plugin_began_ns = framework::NowNs();
}

void PluginOver(const BindJob& job, TimedPoint point, size_t i, plugin::Code code) {
  if (job.sampled) job.profile->times().AddPlugin(point, i, code, framework::NowNs() - job.plugin_began_ns);
}

}  // namespace

// rest(BindJob&). Uses the job only in the executor's turn, because the job may have ended when the executor has
// stopped.
template <class Fn>
void BindingCycle::Continue(Executor& executor, BindJob& job, Then then, Fn&& rest) {
  const auto here = [&job, &rest] {
    job.off_executor = true;
    rest(job);
  };
  if (then == Then::kHere && executor.RunHere(here)) return;
  executor.Post([&job, rest = std::forward<Fn>(rest)]() mutable {
    job.off_executor = false;
    rest(job);
  });
}

// For what may block its thread.
template <class Fn>
void BindingCycle::OnExecutor(BindJob& job, Fn&& rest) {
  if (!job.off_executor) return rest(job);
  Continue(executor_, job, Then::kOnExecutor, std::forward<Fn>(rest));
}

// Calls a function of a plugin that takes an op. resume is called exactly once, now or later. taken(PendingOp&) is
// called before the function.
template <class Taken, class Fn>
void BindingCycle::CallWithOp(plugin::Instance& plugin, const char* what, BindJob& job, Then then, Taken&& taken,
                              Fn&& fn, Resume resume) {
  struct Call {
    Resume resume;
    uint64_t operation = 0;  // of operations_; 0: none
  };
  auto call = std::make_shared<Call>(Call{std::move(resume)});
  PendingOp* op =
      PendingOp::Take(plugin.name_id(), [call, this, &executor = executor_, &job, then](plugin::Status status) {
        if (call->operation != 0) operations_.End(call->operation);
        Continue(executor, job, then,
                 [call, status = std::move(status)](BindJob&) mutable { call->resume(std::move(status)); });
      });
  taken(*op);
  const uint64_t ticket = op->ticket();
  berth_status raw = BERTH_SUCCESS;
  plugin::Status status;
  {
    const plugin::PodScope scope(job.pod.get());
    status = plugin.CallUnhurried(
        what, [&] { return fn(op->abi()); }, &raw);
    if (raw == BERTH_UNIFORM) status = plugin.Fault(what, "returned BERTH_UNIFORM");
  }
  if (status.ok() && raw == BERTH_LATER) {
    if (!op->held_by_host()) call->operation = operations_.Begin({&plugin, what, job.pod, op, ticket});
    return op->ReturnedLater();
  }
  op->ReturnedNow();
  call->resume(std::move(status));
}

void BindingCycle::Start(BindJob& job) {
  const bool here = !job.waits_on_permit && NeverBlocks(job);
  Continue(executor_, job, here ? Then::kHere : Then::kOnExecutor, [this](BindJob& of) { PreFlight(of); });
}

plugin::Status BindingCycle::AskPreFlights(BindJob& job) {
  const auto& plugins = job.profile->At(plugin::Point::kPreBind);
  for (size_t i = 0; i < plugins.size(); ++i) {
    plugin::Instance* const plugin = plugins[i];
    plugin::Status status = framework::TimedCall(job.profile->times(), job.sampled, TimedPoint::kPreBindPreFlight, i,
                                                 [&] { return AskPreFlight(*plugin, job); });
    job.pre_bind_skips.push_back(status.code == plugin::Code::kSkip);
    if (status.code == plugin::Code::kSkip) continue;
    if (status.code == plugin::Code::kError) return framework::PointError("PreBindPreFlight", *plugin, status);
    if (!status.ok()) {
      return plugin::Status{plugin::Code::kError,
                            plugin->name_id(),
                            {"PreBindPreFlight " + plugin->name() + " returned \"" + plugin::CodeName(status.code) +
                             "\", which is unsupported. It is supposed to return Success, Skip, or Error status"}};
    }
    job.pre_bind_works = true;
  }
  return plugin::Status{job.pre_bind_works ? plugin::Code::kSuccess : plugin::Code::kSkip, base::kNoId, {}};
}

void BindingCycle::PreFlight(BindJob& job) {
  job.pre_bind_works = false;
  job.pre_bind_skips.clear();
  plugin::Status status = TimedRun(job, TimedPoint::kPreBindPreFlight, [&] { return AskPreFlights(job); });
  if (!status.ok() && status.code != plugin::Code::kSkip) return Fail(job, std::move(status));
  if (!job.pre_bind_works) return PreFlightOver(job);
  OnExecutor(job, [this](BindJob& of) { PreFlightOver(of); });
}

void BindingCycle::PreFlightOver(BindJob& job) {
  // Other components that plan capacity see the node of a pod whose binding takes time.
  if (job.pre_bind_works || job.waits_on_permit) {
    job.nominated = true;
    const trace::Scope scope(job.trace.root());
    port_.SetNominatedNode(job);
  }
  if (!job.waits_on_permit) return PermitDecided(job, {});
  PointBegins(job);
  waiting_.WaitFor(job.pod->uid(), [this, &job](plugin::Status decision) {
    Continue(executor_, job, Then::kOnExecutor,
             [this, decision = std::move(decision)](BindJob& of) mutable { PermitDecided(of, std::move(decision)); });
  });
}

void BindingCycle::PermitDecided(BindJob& job, plugin::Status status) {
  if (job.waits_on_permit) {
    const int64_t now = framework::NowNs();
    job.permit_wait_ns = now - job.point_began_ns;
    job.profile->times().AddPermitWait(status.code, job.permit_wait_ns);
    job.trace.EndPoint(job.point_span, "WaitOnPermit", status, job.point_began_ns, now);
  }
  if (!status.ok()) return Fail(job, std::move(status), true);
  port_.PermitOver(job);
  if (job.pre_bind_works) in_pre_bind_.Enter(job.pod->uid(), *job.cycle);
  PointBegins(job);
  PreBind(job, 0);
}

void BindingCycle::PreBind(BindJob& job, size_t i) {
  const auto& plugins = job.profile->At(plugin::Point::kPreBind);
  while (i < plugins.size() && job.pre_bind_skips[i] != 0) ++i;
  if (i == plugins.size()) return PreBound(job);
  plugin::Instance& plugin = *plugins[i];
  PluginBegins(job);
  CallWithOp(
      plugin, "PreBind", job, Then::kOnExecutor, [&](PendingOp& op) { in_pre_bind_.Awaits(job.pod->uid(), op); },
      [&](berth_op* op) {
        const trace::Scope scope(job.point_span);
        return plugin.tables().pre_bind->pre_bind(plugin.raw(), job.cycle, &job.pod->abi, job.node.get(), op);
      },
      [this, &job, i](plugin::Status s) { PreBindOver(job, i, std::move(s)); });
}

void BindingCycle::PreBindOver(BindJob& job, size_t i, plugin::Status status) {
  PluginOver(job, TimedPoint::kPreBind, i, status.code);
  if (status.ok()) return PreBind(job, i + 1);
  PointOver(job, TimedPoint::kPreBind, status);
  const plugin::Instance& plugin = *job.profile->At(plugin::Point::kPreBind)[i];
  if (std::optional<std::string> cause = in_pre_bind_.Cause(job.pod->uid())) {
    status = plugin::ErrorStatus(std::move(*cause));
  }
  Fail(job, status.rejected() ? std::move(status) : framework::PointError("PreBind plugin", plugin, status));
}

// The last moment at which GiveUp can fail the attempt.
void BindingCycle::PreBound(BindJob& job) {
  PointOver(job, TimedPoint::kPreBind, {});
  if (job.pre_bind_works) {
    if (std::optional<std::string> cause = in_pre_bind_.Leave(job.pod->uid())) {
      return Fail(job, plugin::ErrorStatus(std::move(*cause)));
    }
  }
  AskExtender(job, 0);
}

// The first extender, from the i-th on, that binds pods like this one replaces the Bind plugins (extendersBinding of
// pkg/scheduler/schedule_one.go).
void BindingCycle::AskExtender(BindJob& job, size_t i) {
  const auto& extenders = job.policy->extenders;
  while (i < extenders.size() && !(extenders[i]->has_bind() && extenders[i]->IsInterested(*job.pod))) ++i;
  if (i == extenders.size()) return Bind(job, 0);
  blocking_.Post([this, &job, i] {
    framework::Extender& one = *job.policy->extenders[i];
    base::Result<void> done = port_.MayBind()
                                  ? one.Bind({job.pod->name(), job.pod->ns(), job.pod->uid(), job.node_name})
                                  : base::Fail("this process is not the leader any more");
    Continue(executor_, job, Then::kOnExecutor, [this, i, &one, done = std::move(done)](BindJob& of) {
      if (done) {
        port_.BoundByExtender(of);
        return Bound(of);
      }
      const std::string& why = done.error().message;
      if (!one.ignorable()) {
        LogBindFailure(of);
        return Fail(of, plugin::ErrorStatus(why));
      }
      log::Info("Skipping extender in bind as it returned error and has ignorable flag set",
                {{"extender", one.name()}, {"err", why}});
      AskExtender(of, i + 1);
    });
  });
}

void BindingCycle::Bind(BindJob& job, size_t i) {
  const auto& plugins = job.profile->At(plugin::Point::kBind);
  if (i == 0) PointBegins(job);
  if (i == plugins.size()) {
    LogBindFailure(job);
    plugin::Status skipped{plugin::Code::kSkip, base::kNoId, {"every Bind plugin answered Skip"}};
    PointOver(job, TimedPoint::kBind, skipped);
    return Fail(job, std::move(skipped));
  }
  plugin::Instance& plugin = *plugins[i];
  PluginBegins(job);
  CallWithOp(
      plugin, "Bind", job, Then::kHere, [](PendingOp&) {},
      [&](berth_op* op) {
        const trace::Scope scope(job.point_span);
        return plugin.tables().bind->bind(plugin.raw(), job.cycle, &job.pod->abi, job.node.get(), op);
      },
      [this, &job, i](plugin::Status s) { BindOver(job, i, std::move(s)); });
}

void BindingCycle::BindOver(BindJob& job, size_t i, plugin::Status status) {
  PluginOver(job, TimedPoint::kBind, i, status.code);
  if (status.code == plugin::Code::kSkip) return OnExecutor(job, [this, i](BindJob& of) { Bind(of, i + 1); });
  PointOver(job, TimedPoint::kBind, status);
  if (status.ok()) return Bound(job);
  LogBindFailure(job);
  const plugin::Instance& plugin = *job.profile->At(plugin::Point::kBind)[i];
  Fail(job, status.rejected() ? std::move(status) : framework::PointError("Bind plugin", plugin, status));
}

void BindingCycle::Bound(BindJob& job) {
  log::V(5, "Finished binding for pod, can be expired", {{"pod", log::KObj(job.pod->key())}});
  log::V(2, "Successfully bound pod to node",
         {{"pod", log::KObj(job.pod->key())},
          {"node", job.node_name},
          {"evaluatedNodes", job.evaluated_nodes},
          {"feasibleNodes", job.feasible_nodes},
          {"generation", job.policy->generation}});
  if (job.profile->At(plugin::Point::kPostBind).empty()) return PostBind(job);
  OnExecutor(job, [this](BindJob& of) { PostBind(of); });
}

void BindingCycle::PostBind(BindJob& job) {
  TimedRun(job, TimedPoint::kPostBind, [&] { return AskPostBind(job); });
  port_.Finished(job, {}, false);
}

void BindingCycle::Fail(BindJob& job, plugin::Status status, bool at_permit) {
  OnExecutor(job, [this, status = std::move(status), at_permit](BindJob& of) mutable {
    Unreserve(of, std::move(status), at_permit);
  });
}

void BindingCycle::Unreserve(BindJob& job, plugin::Status status, bool at_permit) {
  if (job.waits_on_permit) waiting_.Remove(job.pod->uid());
  if (job.pre_bind_works) in_pre_bind_.Leave(job.pod->uid());
  {
    const plugin::PodScope scope(job.pod.get());
    framework::RunUnreservePlugins(
        {*job.profile, *job.cycle, *job.pod, framework::RecordNodes::kNone, job.sampled, job.trace}, job.node.get());
  }
  port_.Finished(job, std::move(status), at_permit);
}

}  // namespace berth::bind
