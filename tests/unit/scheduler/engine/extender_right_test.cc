// Extenders bind with requests of their own, which no fence stops.
#include <gtest/gtest.h>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

class Fenced final : public engine::Writes {
 public:
  bool MayWrite() const override { return may_write; }
  void Bind(const berth_pod&, std::string_view, berth_op*) override {}
  void PatchStatus(const api::PodRef&, engine::StatusPatch) override {}
  void Event(const api::Pod&, std::string_view, std::string_view, std::string_view, std::string) override {}
  bool may_write = true;
};

class BindingExtender final : public framework::Extender {
 public:
  explicit BindingExtender(api::InternTables& intern) : Extender({.has_bind = true}, {}, intern) {}
  base::Result<framework::ExtenderFilterResult> Filter(std::string_view,
                                                       std::span<const framework::ExtenderNode>) override {
    return {};
  }
  base::Result<framework::ExtenderPriorities> Prioritize(std::string_view,
                                                         std::span<const framework::ExtenderNode>) override {
    return {};
  }
  base::Result<void> Bind(const framework::ExtenderBinding&) override {
    ++asked;
    return {};
  }
  base::Result<framework::NodeNameToMetaVictims> ProcessPreemption(std::string_view,
                                                                   const framework::NodeNameToVictims&) override {
    return {};
  }
  int asked = 0;
};

class ExtenderRight : public testing::TestWithParam<bool> {};

TEST_P(ExtenderRight, IsThatOfOtherWrites) {
  ClearScripts();
  api::InternTables intern;
  Fenced writes;
  writes.may_write = GetParam();
  base::RealClock clock;
  bind::InlineExecutor executor;
  engine::Engine engine(intern, clock, executor, writes, nullptr, {});
  auto set = BuildSet({{.has_extenders = true}}, engine.services());
  ASSERT_TRUE(set) << set.error().message;
  const auto extender = std::make_shared<BindingExtender>(intern);
  (*set)->extenders.push_back(extender);
  engine.SetProfiles(*set);
  engine.Post(engine::NodeSet{MakeNode(intern, "n1")});
  engine.Post(engine::PodSet{MakePod(intern, "p1")});
  while (engine.Step() || executor.RunPending()) {
  }
  EXPECT_EQ(extender->asked, GetParam() ? 1 : 0);
  EXPECT_EQ(engine.CheckConsistency(), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Rights, ExtenderRight, testing::Bool());

}  // namespace
}  // namespace berth::fixture
