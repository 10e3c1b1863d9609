// The image names of each row. Tenants choose the images, so the memory for one must not grow with the cluster.
#include "scheduler/cache/image_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "objects.h"

namespace berth::cache {
namespace {

using testing::ElementsAreArray;

std::string ImageText(const std::string& name) { return R"({"names":[")" + name + R"("],"sizeBytes":1000})"; }
std::string ImagesText(const std::string& list) { return R"("images":[)" + list + "]"; }

TEST(ImageIndexTest, ImagesThatAreOnOneNodeTakeLittle) {
  constexpr uint32_t kRows = 16384, kImages = 10'000;
  api::InternTables words;
  ImageIndex index(words);
  index.Reserve(kRows);
  std::string list = ImageText("registry.example.com/tenant:0");
  for (uint32_t i = 1; i < kImages; ++i) list += "," + ImageText("registry.example.com/tenant:" + std::to_string(i));
  const api::NodeRef node = NodeText{.name = "n", .status = ImagesText(list)}.In(words);
  index.Add(kRows - 1, *node);
  EXPECT_EQ(index.states().size(), kImages);
  EXPECT_LE(index.row_bytes(), kImages * 64);
  index.Remove(kRows - 1, *node);
  EXPECT_EQ(index.states().size(), 0u);
}

// The result does not depend on whether few or many nodes have the image.
TEST(ImageIndexTest, ShowsTheNodesThatHaveAnImage) {
  api::InternTables words;
  ImageIndex index(words);
  const api::NodeRef node = NodeText{.name = "n", .status = ImagesText(ImageText("img"))}.In(words);
  const base::Id image = words.ids.Find("img");
  std::set<uint32_t> want;
  uint32_t capacity = 64;
  index.Reserve(capacity);
  std::mt19937 random(1);
  // Grows to many nodes, shrinks to few and to none, and grows again.
  for (int i = 0; i < 6000; ++i) {
    if (i % 1500 == 1499 && capacity < 512) index.Reserve(capacity *= 2);
    const uint32_t row = random() % capacity;
    if (random() % 100 < (i / 1000 % 2 == 0 ? 80u : 15u)) {
      want.insert(row);
      index.Add(row, *node);
    } else {
      want.erase(row);
      index.Remove(row, *node);
    }
    const ImageState* state = index.Find(image);
    ASSERT_EQ(state == nullptr, want.empty());
    if (state == nullptr) continue;
    ASSERT_EQ(state->rows.size(), want.size());
    ASSERT_LE(state->rows.bytes(), state->rows.words() != nullptr ? capacity / 8 : capacity / 4);
    const uint64_t* words_shown = index.NodesWith(image, *state);
    std::vector<uint32_t> shown, listed;
    for (uint32_t r = 0; r < capacity; ++r) {
      if ((words_shown[r / 64] >> (r % 64) & 1) != 0) shown.push_back(r);
    }
    state->rows.ForEach([&](uint32_t r) { listed.push_back(r); });
    ASSERT_THAT(shown, ElementsAreArray(want)) << "after change " << i;
    ASSERT_EQ(listed, shown);
    ASSERT_EQ(index.NodesWith(image, *state), words_shown) << "the words keep their address";
  }
}

}  // namespace
}  // namespace berth::cache
