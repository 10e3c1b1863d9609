// There is one pod object for each pod of the cluster.
#include <gtest/gtest.h>

#include <utility>

#include "api/pod.h"

namespace berth::api {
namespace {

// With its 8 bytes of bookkeeping, malloc rounds the object up to 272 bytes. docs/memory.md names the figures.
static_assert(sizeof(Pod) <= 264);

constexpr const char* kWebPod = R"({"metadata":{"name":"web-1","namespace":"shop","uid":"u-1","resourceVersion":"7"}})";

class PodTextsTest : public testing::Test {
 protected:
  PodRef Decode(const char* json) { return *DecodePod(intern_, json); }

  InternTables intern_;
};

TEST_F(PodTextsTest, AreReadBack) {
  const PodRef pod = Decode(kWebPod);
  EXPECT_EQ(pod->key(), "shop/web-1");
  EXPECT_EQ(pod->ns(), "shop");
  EXPECT_EQ(pod->name(), "web-1");
  EXPECT_EQ(pod->uid(), "u-1");
  EXPECT_EQ(pod->resource_version(), "7");
}

TEST_F(PodTextsTest, ThePodWithoutUidHasItsKey) {
  const PodRef pod = Decode(R"({"metadata":{"name":"web-1","namespace":"shop","resourceVersion":"7"}})");
  EXPECT_EQ(pod->uid(), "shop/web-1");
  EXPECT_EQ(pod->resource_version(), "7");
  Ref<Pod> copy(new Pod(intern_));
  copy->CopyFrom(*pod);
  copy->SetResourceVersion("");
  EXPECT_EQ(copy->uid(), "shop/web-1");
  EXPECT_EQ(copy->resource_version(), "");
}

TEST_F(PodTextsTest, TheCopyOutlivesThePod) {
  Ref<Pod> copy(new Pod(intern_));
  copy->CopyFrom(*Decode(kWebPod));
  copy->SetResourceVersion("a longer version");
  EXPECT_EQ(copy->key(), "shop/web-1");
  EXPECT_EQ(copy->uid(), "u-1");
  EXPECT_EQ(copy->resource_version(), "a longer version");
}

TEST_F(PodTextsTest, ShorterAndLongerTextsReplaceTheTexts) {
  const PodRef pod = Decode(kWebPod);
  const PodRef small = Decode(R"({"metadata":{"name":"a"}})");
  Ref<Pod> copy(new Pod(intern_));
  for (const PodRef& from : {pod, small, pod}) {
    copy->CopyFrom(*from);
    EXPECT_EQ(copy->key(), from->key());
    EXPECT_EQ(copy->name(), from->name());
    EXPECT_EQ(copy->uid(), from->uid());
    EXPECT_EQ(copy->resource_version(), from->resource_version());
  }
}

TEST_F(PodTextsTest, ABlankPodHasNone) {
  const Ref<Pod> blank(new Pod(intern_));
  EXPECT_EQ(blank->key(), "");
  EXPECT_EQ(blank->uid(), "");
  EXPECT_EQ(blank->resource_version(), "");
  Ref<Pod> copy(new Pod(intern_));
  copy->CopyFrom(*Decode(kWebPod));
  copy->CopyFrom(*blank);
  EXPECT_EQ(copy->key(), "");
  EXPECT_EQ(copy->abi.labels, nullptr);
}

TEST_F(PodTextsTest, APodOwnsItsBlocks) {
  const size_t none = intern_.blocks.size();
  PodRef pod = Decode(R"({"metadata":{"name":"a","labels":{"app":"web"}},"spec":{"nodeSelector":{"a":"b"}}})");
  const PodRef other = Decode(R"({"metadata":{"name":"b"}})");
  Ref<Pod> copy(new Pod(intern_));
  copy->CopyFrom(*pod);
  copy->Share(&berth_pod::node_affinity, *other);
  EXPECT_EQ(copy->abi.node_affinity, other->abi.node_affinity);
  const size_t both = intern_.blocks.size();
  pod = {};
  EXPECT_EQ(intern_.blocks.size(), both - 1) << "the node selector of the first pod";
  copy = {};
  EXPECT_EQ(intern_.blocks.size(), both - 2) << "its labels";
  EXPECT_GT(intern_.blocks.size(), none);
}

}  // namespace
}  // namespace berth::api
