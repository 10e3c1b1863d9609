#include "scheduler/framework/pre_filter.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace berth::framework {

plugin::Status PreFilterRun::RunPreFilterPlugins(const CycleContext& ctx) {
  return TimedRun(ctx.profile.times(), ctx.trace, TimedPoint::kPreFilter, [&] { return AskPlugins(ctx); });
}

plugin::Status PreFilterRun::AskPlugins(const CycleContext& ctx) {
  cache_.BeginCycle();
  skip_.assign(ctx.profile.slots(), 0);
  narrowed_by_.clear();
  narrowed_ = false;
  names_.clear();
  plugin::Status rejected;
  ProfileTimes& times = ctx.profile.times();
  const auto& plugins = ctx.profile.At(plugin::Point::kPreFilter);
  PluginLaps laps(times, TimedPoint::kPreFilter, ctx.sampled);
  for (size_t i = 0; i < plugins.size(); ++i) {
    plugin::Instance* const plugin = plugins[i];
    berth_names names{sizeof names, 0, nullptr, 0, 0};
    plugin::Status status = laps.Run(i, [&] {
      return plugin->Call("PreFilter", [&] {
        return plugin->tables().pre_filter->pre_filter(plugin->raw(), &ctx.cycle, &ctx.pod.abi, &names);
      });
    });
    if (status.code == plugin::Code::kSkip) {
      skip_[plugin->index()] = 1;
      continue;
    }
    times.AddEvaluations(TimedPoint::kPreFilter, i, 1);
    if (status.code == plugin::Code::kUnresolvable) return status;
    if (status.code == plugin::Code::kUnschedulable) {  // the last one is returned; the other plugins still run
      rejected = std::move(status);
      continue;
    }
    if (status.code == plugin::Code::kWait) status = plugin->WrongStatus("PreFilter", BERTH_WAIT);
    if (!status.ok()) {
      return plugin::Status{plugin::Code::kError,
                            plugin->name_id(),
                            {"running PreFilter plugin \"" + plugin->name() + "\": " + status.Message()}};
    }
    if (names.narrowed == 0) continue;
    if (names.names == nullptr && names.n > 0) {
      const std::string text = "narrowed to " + std::to_string(names.n) + " names at NULL";
      return plugin->Fault("PreFilter", text);
    }
    narrowed_by_.push_back(plugin);
    Intersect(names);
    if (names_.empty()) {
      const std::vector<std::string> by = NarrowedNames();
      const std::string text = by.size() == 1
                                   ? "node(s) didn't satisfy plugin " + by[0]
                                   : "node(s) didn't satisfy plugin(s) " + base::Bracketed(by) + " simultaneously";
      return plugin::Status{plugin::Code::kUnresolvable, base::kNoId, {text}};
    }
  }
  if (!rejected.ok()) return rejected;
  FindCandidates();
  return {};
}

void PreFilterRun::Intersect(const berth_names& names) {
  std::vector<base::Id> given(names.names, names.names + names.n);
  std::sort(given.begin(), given.end());
  given.erase(std::unique(given.begin(), given.end()), given.end());
  if (!narrowed_) {
    names_ = std::move(given);
  } else {
    std::vector<base::Id> both;
    std::set_intersection(names_.begin(), names_.end(), given.begin(), given.end(), std::back_inserter(both));
    names_ = std::move(both);
  }
  narrowed_ = true;
}

void PreFilterRun::FindCandidates() {
  candidates_ = cache_.live();
  if (!narrowed_) return;
  candidates_.Reset();
  for (base::Id name : names_) {
    const uint32_t row = cache_.RowOf(name);
    if (row != cache::kNoRow) candidates_.Set(row);
  }
}

std::vector<std::string> PreFilterRun::NarrowedNames(const plugin::Instance* also) const {
  std::vector<std::string> names;
  for (const plugin::Instance* plugin : narrowed_by_) names.push_back(plugin->name());
  if (also != nullptr) names.push_back(also->name());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string PreFilterRun::AbsentReason(const plugin::Instance* also) const {
  return "node(s) didn't satisfy plugin(s) " + base::Bracketed(NarrowedNames(also));
}

}  // namespace berth::framework
