#include "scheduler/framework/serial_points.h"

#include <algorithm>

#include "scheduler/framework/point_error.h"
#include "scheduler/framework/trial.h"

namespace berth::framework {

PostFilterResult RunPostFilterPlugins(const CycleContext& ctx, const berth_diagnosis& diagnosis) {
  PostFilterResult result;
  plugin::Status collected{plugin::Code::kUnschedulable, base::kNoId, {}};
  for (plugin::Instance* plugin : ctx.profile.At(plugin::Point::kPostFilter)) {
    berth_post_result out{sizeof out, BERTH_NOMINATE_NOOP, base::kNoId, 0};
    // The API server may be deleting victims already, so the nomination is valid even if the call is late.
    plugin::Status status = plugin->CallForGood("PostFilter", [&] {
      return plugin->tables().post_filter->post_filter(plugin->raw(), &ctx.cycle, &ctx.pod.abi, &diagnosis, &out);
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

plugin::Status RunReservePlugins(const CycleContext& ctx, base::Id node) {
  for (plugin::Instance* plugin : ctx.profile.At(plugin::Point::kReserve)) {
    plugin::Status status = plugin->Call(
        "Reserve", [&] { return plugin->tables().reserve->reserve(plugin->raw(), &ctx.cycle, &ctx.pod.abi, node); });
    if (status.ok()) continue;
    return status.rejected() ? status : PointError("Reserve plugin", *plugin, status);
  }
  return {};
}

void RunUnreservePlugins(const CycleContext& ctx, base::Id node) {
  const auto& plugins = ctx.profile.At(plugin::Point::kReserve);
  for (auto it = plugins.rbegin(); it != plugins.rend(); ++it) {
    (*it)->CallVoid("Unreserve",
                    [&] { (*it)->tables().reserve->unreserve((*it)->raw(), &ctx.cycle, &ctx.pod.abi, node); });
  }
}

PermitResult RunPermitPlugins(const CycleContext& ctx, base::Id node) {
  PermitResult result;
  for (plugin::Instance* plugin : ctx.profile.At(plugin::Point::kPermit)) {
    int64_t wait_ns = 0;
    plugin::Status status = plugin->Call("Permit", [&] {
      return plugin->tables().permit->permit(plugin->raw(), &ctx.cycle, &ctx.pod.abi, node, &wait_ns);
    });
    if (status.ok()) continue;
    if (status.rejected()) return {std::move(status), {}};
    if (status.code != plugin::Code::kWait) return {PointError("Permit plugin", *plugin, status), {}};
    result.waits.emplace_back(plugin, std::clamp<int64_t>(wait_ns, 0, kMaxPermitWait));
  }
  if (!result.waits.empty()) result.status.code = plugin::Code::kWait;
  return result;
}

}  // namespace berth::framework
