// Tables of nodes: names, rejections, scores, and what their bytes count.
#include <gtest/gtest.h>

#include "scheduler/decisions/node_table_writer.h"

namespace berth::decisions {
namespace {

class NodeTableTest : public testing::Test {
 protected:
  // A table of names_, with the verdicts of `fill`.
  std::shared_ptr<const NodeTable> Write(const std::function<void(NodeTableWriter&)>& fill) {
    writer_.Begin(static_cast<uint32_t>(names_.size()));
    writer_.UpdateNames(arrivals_, static_cast<uint32_t>(names_.size()), [&](uint32_t row) { return names_[row]; });
    fill(writer_);
    return writer_.Finish();
  }

  std::shared_ptr<MemoryMeter> meter_ = std::make_shared<MemoryMeter>();
  base::VirtualClock clock_{0};
  NodeTableWriter writer_{clock_, meter_};
  base::RowLog arrivals_;
  std::vector<std::string> names_{"a", "b", "", "d"};
};

TEST_F(NodeTableTest, HasVerdictsAndScores) {
  const auto table = Write([](NodeTableWriter& writer) {
    writer.verdicts()[0] = NodeTable::kPassed;
    writer.verdicts()[1] = writer.NumberOf("Fit", plugin::Code::kUnschedulable, {"Insufficient cpu"});
    writer.AddScores("Image", std::vector<int64_t>{40, 0, 0, 0});
    writer.AddUniformScores("Taint", 300, 3);
    writer.SetScored(1);
  });
  EXPECT_TRUE(table->Passed(0));
  EXPECT_EQ(table->RejectionOf(0), nullptr);
  ASSERT_NE(table->RejectionOf(1), nullptr);
  EXPECT_EQ(table->RejectionOf(1)->plugin, "Fit");
  EXPECT_FALSE(table->Examined(3));
  EXPECT_EQ(table->NameOf(1), "b");
  EXPECT_EQ(table->NameOf(2), "");
  EXPECT_EQ(table->Find("b"), 1u);
  EXPECT_EQ(table->Find("d"), table->n_rows()) << "it was not examined";
  EXPECT_EQ(table->scores.at(0).weighted.At(0), 40);
  EXPECT_EQ(table->scores.at(0).weight, 0);
  EXPECT_EQ(table->scores.at(1).weight, 3);
  EXPECT_EQ(table->TotalOf(0), 341);
}

TEST_F(NodeTableTest, ScoresDoNotCountIfNodesWereNotCompared) {
  const auto table = Write([](NodeTableWriter& writer) { writer.AddUniformScores("Taint", 300); });
  EXPECT_FALSE(table->scored());
  EXPECT_TRUE(table->scores.empty());
}

TEST_F(NodeTableTest, RowsBeyondTheTableAreNotExamined) {
  const auto table = Write([](NodeTableWriter&) {});
  EXPECT_FALSE(table->Examined(4));
  EXPECT_FALSE(table->Passed(4));
  EXPECT_EQ(table->RejectionOf(4), nullptr);
}

TEST_F(NodeTableTest, NamesFollowTheArrivals) {
  const auto before = Write([](NodeTableWriter&) {});
  names_[2] = "new";
  const auto unaware = Write([](NodeTableWriter&) {});
  EXPECT_EQ(unaware->names[0], before->names[0]) << "no arrival, so the names are shared";
  arrivals_.Append(2);
  const auto after = Write([](NodeTableWriter&) {});
  EXPECT_EQ(after->NameOf(2), "new");
  EXPECT_EQ(before->NameOf(2), "");
}

TEST_F(NodeTableTest, EqualRejectionsHaveOneNumber) {
  Write([](NodeTableWriter& writer) {
    const int64_t first = writer.NumberOf("A", plugin::Code::kUnschedulable, {"x"});
    EXPECT_EQ(first, 1);
    EXPECT_EQ(writer.NumberOf("A", plugin::Code::kUnschedulable, {"x"}), first);
    EXPECT_EQ(writer.NumberOf("A", plugin::Code::kUnresolvable, {"x"}), 2);
    EXPECT_EQ(writer.NumberOf("B", plugin::Code::kUnschedulable, {"x"}), 3);
    EXPECT_EQ(writer.NumberOf("A", plugin::Code::kUnschedulable, {"x", "y"}), 4);
  });
}

TEST_F(NodeTableTest, TheNumberOfRejectionsIsBounded) {
  const auto table = Write([](NodeTableWriter& writer) {
    for (int i = 0; i < 5000; ++i) {
      writer.verdicts()[0] = writer.NumberOf("A", plugin::Code::kUnschedulable, {"node " + std::to_string(i)});
    }
  });
  EXPECT_EQ(table->rejections.size(), NodeTableWriter::kMaxRejections);
  EXPECT_EQ(table->RejectionOf(0)->reasons, std::vector<std::string>{"other reasons"});
}

TEST_F(NodeTableTest, ATableIsCountedUntilNobodyHoldsIt) {
  Write([](NodeTableWriter&) {});
  const size_t kept = meter_->bytes();  // what the writer shares with the next table
  auto table = Write(
      [](NodeTableWriter& writer) { writer.NumberOf("A", plugin::Code::kUnschedulable, {std::string(10'000, 'x')}); });
  EXPECT_GT(meter_->bytes(), kept + 10'000);
  table.reset();
  EXPECT_EQ(meter_->bytes(), kept);
}

}  // namespace
}  // namespace berth::decisions
