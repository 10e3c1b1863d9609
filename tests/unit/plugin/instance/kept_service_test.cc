// What a plugin says about its own data reaches the log of its instance, and of no other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/kept.hpp"
#include "ports.h"

namespace berth::plugin {
namespace {

using testing::ElementsAre;

struct KeptServiceTest : testing::Test, World {
  ~KeptServiceTest() override { instance.reset(); }
};

TEST_F(KeptServiceTest, NotesTheRowsThatChanged) {
  base::RowLog& changes = instance->own_changes();
  const base::RowLog::Position before = changes.end();
  sdk::KeptResults kept(host());
  kept.RowChanged(3);
  kept.RowChanged(5);
  const auto rows = changes.Since(before);
  ASSERT_TRUE(rows);
  EXPECT_THAT(*rows, ElementsAre(3, 5));
}

TEST_F(KeptServiceTest, NotesThatEveryRowChanged) {
  base::RowLog& changes = instance->own_changes();
  const base::RowLog::Position before = changes.end();
  sdk::KeptResults kept(host());
  kept.AllChanged();
  EXPECT_FALSE(changes.Since(before)) << "the reader has to read every row";
  EXPECT_TRUE(changes.Since(changes.end()));
}

}  // namespace
}  // namespace berth::plugin
