#include "scheduler/framework/serial_points.h"

#include <algorithm>

#include "scheduler/framework/point_error.h"
#include "scheduler/framework/trial.h"

namespace berth::framework {
namespace {

PostFilterResult AskPostFilter(const CycleContext& ctx, const berth_diagnosis& diagnosis) {
  PostFilterResult result;
  plugin::Status collected{plugin::Code::kUnschedulable, base::kNoId, {}};
  const auto& plugins = ctx.profile.At(plugin::Point::kPostFilter);
  for (size_t i = 0; i < plugins.size(); ++i) {
    plugin::Instance* const plugin = plugins[i];
    berth_post_result out{sizeof out, BERTH_NOMINATE_NOOP, base::kNoId, 0};
    ctx.profile.times().AddPostFilter(i);
    if (ctx.cycle.trials != nullptr) ctx.cycle.trials->ForgetLeftOut();  // those of the plugin before
    // The API server may be deleting victims already, so the nomination is valid even if the call is late.
    plugin::Status status = TimedCall(ctx.profile.times(), ctx.sampled, TimedPoint::kPostFilter, i, [&] {
      return plugin->CallForGood("PostFilter", [&] {
        return plugin->tables().post_filter->post_filter(plugin->raw(), &ctx.cycle, &ctx.pod.abi, &diagnosis, &out);
      });
    });
    if (ctx.cycle.trials != nullptr && ctx.cycle.trials->CloseAll() > 0) {
      status = plugin->Fault("PostFilter", "left a trial open");
    }
    if (status.ok() || status.code == plugin::Code::kUnresolvable) {
      return {out.mode == BERTH_NOMINATE_OVERRIDE, out.node, std::move(status)};
    }
    if (!status.rejected()) {
      return {false, base::kNoId, plugin::Status{plugin::Code::kError, plugin->name_id(), std::move(status.reasons)}};
    }
    if (out.mode == BERTH_NOMINATE_OVERRIDE) {
      result.nominates = true;
      result.node = out.node;
    }
    for (std::string& reason : status.reasons) collected.reasons.push_back(std::move(reason));
    if (collected.plugin == base::kNoId) collected.plugin = plugin->name_id();
  }
  result.status = std::move(collected);
  return result;
}

plugin::Status AskReserve(const CycleContext& ctx, base::Id node) {
  const auto& plugins = ctx.profile.At(plugin::Point::kReserve);
  for (size_t i = 0; i < plugins.size(); ++i) {
    plugin::Instance* const plugin = plugins[i];
    plugin::Status status = TimedCall(ctx.profile.times(), ctx.sampled, TimedPoint::kReserve, i, [&] {
      return plugin->Call(
          "Reserve", [&] { return plugin->tables().reserve->reserve(plugin->raw(), &ctx.cycle, &ctx.pod.abi, node); });
    });
    if (status.ok()) continue;
    return status.rejected() ? status : PointError("Reserve plugin", *plugin, status);
  }
  return {};
}

plugin::Status AskUnreserve(const CycleContext& ctx, base::Id node) {
  const auto& plugins = ctx.profile.At(plugin::Point::kReserve);
  for (size_t i = plugins.size(); i-- > 0;) {
    plugin::Instance* const plugin = plugins[i];
    TimedCall(ctx.profile.times(), ctx.sampled, TimedPoint::kUnreserve, i, [&] {
      plugin->CallVoid("Unreserve",
                       [&] { plugin->tables().reserve->unreserve(plugin->raw(), &ctx.cycle, &ctx.pod.abi, node); });
      return plugin::Status();
    });
  }
  return {};
}

PermitResult AskPermit(const CycleContext& ctx, base::Id node) {
  PermitResult result;
  const auto& plugins = ctx.profile.At(plugin::Point::kPermit);
  for (size_t i = 0; i < plugins.size(); ++i) {
    plugin::Instance* const plugin = plugins[i];
    int64_t wait_ns = 0;
    plugin::Status status = TimedCall(ctx.profile.times(), ctx.sampled, TimedPoint::kPermit, i, [&] {
      return plugin->Call("Permit", [&] {
        return plugin->tables().permit->permit(plugin->raw(), &ctx.cycle, &ctx.pod.abi, node, &wait_ns);
      });
    });
    if (status.ok()) continue;
    if (status.rejected()) return {std::move(status), {}};
    if (status.code != plugin::Code::kWait) return {PointError("Permit plugin", *plugin, status), {}};
    result.waits.emplace_back(plugin, std::clamp<int64_t>(wait_ns, 0, kMaxPermitWait));
  }
  if (!result.waits.empty()) result.status.code = plugin::Code::kWait;
  return result;
}

}  // namespace

PostFilterResult RunPostFilterPlugins(const CycleContext& ctx, const berth_diagnosis& diagnosis) {
  return TimedRun(ctx.profile.times(), ctx.trace, TimedPoint::kPostFilter,
                  [&] { return AskPostFilter(ctx, diagnosis); });
}

plugin::Status RunReservePlugins(const CycleContext& ctx, base::Id node) {
  return TimedRun(ctx.profile.times(), ctx.trace, TimedPoint::kReserve, [&] { return AskReserve(ctx, node); });
}

void RunUnreservePlugins(const CycleContext& ctx, base::Id node) {
  TimedRun(ctx.profile.times(), ctx.trace, TimedPoint::kUnreserve, [&] { return AskUnreserve(ctx, node); });
}

PermitResult RunPermitPlugins(const CycleContext& ctx, base::Id node) {
  return TimedRun(ctx.profile.times(), ctx.trace, TimedPoint::kPermit, [&] { return AskPermit(ctx, node); });
}

}  // namespace berth::framework
