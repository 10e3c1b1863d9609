// A quarantined plugin decides nothing more, not even with its kept results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::HasSubstr;

constexpr sdk::Reuse kByLabels{.pod = BERTH_POD_LABELS, .row = BERTH_ROW_LABELS, .total = true};

void FailIfBad(const Pod& pod) {
  if (pod.name() == "bad") throw std::runtime_error("a bad pod");
}

struct KeptFilter {
  static constexpr sdk::Info kInfo{.name = "KeptFilter", .vendor = "tests"};
  static constexpr sdk::Reuse kFilterReuse = kByLabels;
  static Status Filter(Cycle&, const Pod& pod, sdk::Rows, std::span<berth_verdict>) {
    FailIfBad(pod);
    return Status::Ok();
  }
};
struct KeptScore {
  static constexpr sdk::Info kInfo{.name = "KeptScore", .vendor = "tests"};
  static constexpr sdk::Reuse kScoreReuse = kByLabels;
  static Status Score(Cycle&, const Pod& pod, sdk::Rows, std::span<int64_t>) {
    FailIfBad(pod);
    return Status::Ok();
  }
};

std::shared_ptr<const loader::Library> KeepingPlugins() {
  static constexpr auto kNote = sdk::detail::MakeNote<KeptFilter, KeptScore>();
  return *loader::LinkedLibrary("keeping", kNote.desc, sdk::detail::Library<KeptFilter, KeptScore>::Entry);
}

struct KeepingPlugin {
  std::string name;
  plugin::Point point;
};

// One fault quarantines the plugin.
std::shared_ptr<framework::ProfileSet> SetWith(const KeepingPlugin& keeping, plugin::Services& services) {
  framework::ProfileSpec spec;
  spec.scheduler_name = "default-scheduler";
  const auto add = [&spec](std::shared_ptr<const loader::Library> library, const KeepingPlugin& plugin) {
    plugin::InstanceSpec one{.library = std::move(library),
                             .library_plugin = plugin.name,
                             .name = plugin.name,
                             .profile = spec.scheduler_name};
    one.faults.quarantine_after = 1;
    spec.plugins.push_back(std::move(one));
    spec.points[static_cast<size_t>(plugin.point)].push_back({plugin.name, 1});
  };
  add(ScriptedLibrary(), {"FIFO", plugin::Point::kQueueSort});
  add(ScriptedLibrary(), {"A", plugin::Point::kBind});
  add(KeepingPlugins(), keeping);
  auto built = framework::Profile::Build(std::move(spec), services);
  EXPECT_TRUE(built) << built.error().message;
  auto set = std::make_shared<framework::ProfileSet>();
  set->generation = 2;
  set->profiles.push_back(std::move(*built));
  return set;
}

class KeptByAQuarantinedPlugin : public testing::TestWithParam<KeepingPlugin> {};

TEST_P(KeptByAQuarantinedPlugin, ServesNoPod) {
  TestScheduler rig;
  rig.simulation->SetProfiles(SetWith(GetParam(), rig.services));
  rig.AddNodes({"n1", "n2"});
  const auto attempt = [&](const std::string& name, const std::string& app) {
    rig.AddPod(name, "", R"("labels":{"app":")" + app + R"("})");
    rig.Run();
    const auto& all = rig.story.entries;
    const auto at = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.pod == "default/" + name; });
    return at == all.end() ? results::AttemptEntry() : *at;
  };
  EXPECT_EQ(attempt("good", "web").result, "Scheduled");
  EXPECT_THAT(attempt("bad", "batch").message, HasSubstr("a bad pod"));
  const results::AttemptEntry refused = attempt("like-good", "web");
  EXPECT_EQ(refused.result, "Error");
  EXPECT_THAT(refused.message, HasSubstr("plugin \"" + GetParam().name + "\" is quarantined after 1 faults"));
}

INSTANTIATE_TEST_SUITE_P(Both, KeptByAQuarantinedPlugin,
                         testing::Values(KeepingPlugin{"KeptFilter", plugin::Point::kFilter},
                                         KeepingPlugin{"KeptScore", plugin::Point::kScore}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace berth::fixture
