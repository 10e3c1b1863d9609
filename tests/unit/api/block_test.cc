#include "api/block.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "api/content.h"
#include "pod_text.h"

namespace berth::api {
namespace {

TEST(Block, EqualContentIsOneBlock) {
  InternTables intern;
  const auto a = MakeLabels(intern, {{"app", "web"}, {"tier", "front"}});
  const auto b = MakeLabels(intern, {{"app", "web"}, {"tier", "front"}});
  const auto c = MakeLabels(intern, {{"app", "web"}});
  EXPECT_EQ(a.get(), b.get());
  EXPECT_EQ(a->abi.content, b->abi.content);
  EXPECT_NE(a.get(), c.get());
  EXPECT_NE(a->abi.content, c->abi.content);
  EXPECT_EQ(a->abi.size, sizeof(berth_labels));
  EXPECT_EQ(intern.blocks.size(), 2u);
}

TEST(Block, TypesDoNotMix) {
  InternTables intern;
  const auto gates = MakeGates(intern, {});
  const auto labels = MakeLabels(intern, {});
  const auto taints = MakeTaints(intern, {});
  EXPECT_EQ(intern.blocks.size(), 3u);
  EXPECT_NE(gates->abi.content, labels->abi.content);
  EXPECT_EQ(gates->abi.items.n, 0u);
  EXPECT_EQ(taints->abi.items.n, 0u);
}

TEST(Block, TextsCannotRunIntoEachOther) {
  InternTables intern;
  const auto a = MakeLabels(intern, {{"ab", "c"}});
  const auto b = MakeLabels(intern, {{"a", "bc"}});
  EXPECT_NE(a.get(), b.get());
}

TEST(Block, TheLastReferenceReleasesItAndItsIds) {
  InternTables intern;
  const size_t texts = intern.ids.size();
  uint32_t content;
  {
    const auto block = MakeLabels(intern, {{"some-key", "some-value"}});
    content = block->abi.content;
    EXPECT_EQ(intern.blocks.size(), 1u);
  }
  EXPECT_EQ(intern.blocks.size(), 0u);
  intern.ids.EndEpoch();
  intern.ids.EndEpoch();
  EXPECT_EQ(intern.ids.size(), texts);
  const auto again = MakeLabels(intern, {{"some-key", "some-value"}});
  EXPECT_NE(again->abi.content, content);  // a number is used again after 2^32 others only
}

// Interns its own content again when its last reference is released, before the table removes it: as another thread
// that takes the table's lock first.
class LateBlock : public LabelsBlock {
 public:
  static Ref<const LateBlock> Make(InternTables& intern, Ref<const LateBlock>* successor) {
    BlockWriter writer(intern.ids);
    writer.Key('k');
    auto fresh = std::make_unique<LateBlock>();
    fresh->intern_ = &intern;
    fresh->successor_ = successor;
    return intern.blocks.Intern('t', writer, std::move(fresh));
  }

 protected:
  void OnUnreferenced() const override {
    if (successor_ != nullptr) *successor_ = Make(*intern_, nullptr);
    BlockBase::OnUnreferenced();
  }

 private:
  InternTables* intern_ = nullptr;
  Ref<const LateBlock>* successor_ = nullptr;
};

TEST(Block, AReleasedBlockThatIsNotRemovedYetIsReplaced) {
  InternTables intern;
  Ref<const LateBlock> successor;
  Ref<const LateBlock> block = LateBlock::Make(intern, &successor);
  const uint32_t content = block->abi.content;
  block = {};
  ASSERT_TRUE(successor);
  EXPECT_NE(successor->abi.content, content);
  EXPECT_EQ(intern.blocks.size(), 1u);
  EXPECT_EQ(LateBlock::Make(intern, nullptr), successor) << "the removal of the first one has not removed it";
  successor = {};
  EXPECT_EQ(intern.blocks.size(), 0u);
}

// A process that has given every number starts again with those that are free.
TEST(Block, NumbersInUseAreNotGivenAgain) {
  InternTables intern;
  std::vector<Ref<const LabelsBlock>> held;
  const auto number_of_new = [&] {
    held.push_back(MakeLabels(intern, {{"app", std::to_string(held.size())}}));
    return held.back()->abi.content;
  };
  EXPECT_EQ(number_of_new(), 1u);
  EXPECT_EQ(number_of_new(), 2u);
  intern.blocks.set_next_content(UINT32_MAX);
  EXPECT_EQ(number_of_new(), UINT32_MAX);
  EXPECT_EQ(number_of_new(), 3u) << "0 is no number, and 1 and 2 are in use";
  intern.blocks.set_next_content(UINT32_MAX);
  EXPECT_EQ(number_of_new(), 4u) << "the largest one is in use, too";
}

TEST(Block, PodsOfOneTemplateShareEveryBlock) {
  InternTables intern;
  const char* spec = R"("labels":{"app":"web"}},"spec":{"schedulingGates":[{"name":"g"}],"nodeSelector":{"a":"b"},
      "tolerations":[{"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":300}],
      "containers":[{"name":"c","image":"i","ports":[{"hostPort":80}],
                     "resources":{"requests":{"cpu":"1","memory":"2"}}}]}})";
  const char* reordered = R"("labels":{"app":"web"}},"spec":{"nodeSelector":{"a":"b"},"containers":[
      {"resources":{"requests":{"memory":"2","cpu":"1000m"}},"ports":[{"hostPort":80}],"image":"i","name":"c"}],
      "tolerations":[{"effect":"NoExecute","operator":"Exists","tolerationSeconds":300,"key":"k"}],
      "schedulingGates":[{"name":"g"}]}})";
  const PodRef a = Decoded(intern, std::string(R"({"metadata":{"name":"a",)") + spec);
  const size_t blocks = intern.blocks.size();
  const PodRef b = Decoded(intern, std::string(R"({"metadata":{"name":"b",)") + reordered);
  EXPECT_EQ(intern.blocks.size(), blocks);
  EXPECT_EQ(a->abi.labels, b->abi.labels);
  EXPECT_EQ(a->abi.images, b->abi.images);
  EXPECT_EQ(a->abi.resources, b->abi.resources);
  EXPECT_EQ(a->abi.ports, b->abi.ports);
  EXPECT_EQ(a->abi.tolerations, b->abi.tolerations);
  EXPECT_EQ(a->abi.node_affinity, b->abi.node_affinity);
  EXPECT_EQ(a->abi.gates, b->abi.gates);
}

// Threads create, compare, and release the same few blocks: a block must be unique, and not used after its end.
TEST(Block, ThreadsAgreeOnIdentity) {
  InternTables intern;
  const auto held = MakeLabels(intern, {{"held", "always"}});
  std::atomic<int> disagreements{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        const std::string value = std::to_string(i % 3);
        const auto a = MakeLabels(intern, {{"k", value}});
        const auto b = MakeLabels(intern, {{"k", value}});
        const auto* item = BERTH_AT(a->abi.items, berth_kv, 0);
        if (a.get() != b.get() || intern.ids.Text(item->value) != value) ++disagreements;
        if (MakeLabels(intern, {{"held", "always"}}).get() != held.get()) ++disagreements;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(disagreements, 0);
  EXPECT_EQ(intern.blocks.size(), 1u);
}

TEST(Block, PodsDecodedByThreadsShareBlocks) {
  InternTables intern;
  std::vector<PodRef> pods(64);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = t; i < pods.size(); i += 4) {
        pods[i] = Decoded(intern, R"({"metadata":{"name":"p)" + std::to_string(i) + R"(","labels":{"app":")" +
                                      std::to_string(i / 4 % 2) + R"("}},"spec":{"containers":[
                                     {"name":"c","resources":{"requests":{"cpu":"1"}}}]}})");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t i = 0; i < pods.size(); ++i) {
    EXPECT_EQ(pods[i]->abi.labels, pods[i % 8]->abi.labels);
    EXPECT_EQ(pods[i]->abi.resources->content, pods[0]->abi.resources->content);
    EXPECT_EQ(pods[i]->name(), "p" + std::to_string(i));
  }
  EXPECT_NE(pods[0]->abi.labels, pods[4]->abi.labels);
}

}  // namespace
}  // namespace berth::api
