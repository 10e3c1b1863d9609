#include "config/flags/arguments.h"

#include <gtest/gtest.h>

#include <array>

namespace berth::flags {
namespace {

using Texts = std::vector<std::string>;

TEST(Arguments, LeavesOutTheProgram) {
  std::array<char, 8> program{"berth"}, first{"-v"};
  std::array<char*, 2> argv{program.data(), first.data()};
  EXPECT_EQ(Arguments(2, argv.data()), Texts{"-v"});
  EXPECT_EQ(Arguments(0, argv.data()), Texts{});
}

TEST(Normalized, UnderscoresInLongNamesAreDashes) {
  EXPECT_EQ(Normalized({"--leader_elect=a_b", "--kube_api_qps", "my_file", "-_"}),
            (Texts{"--leader-elect=a_b", "--kube-api-qps", "my_file", "-_"}));
}

TEST(Normalized, ALetterMayHaveAnEqualsSign) {
  EXPECT_EQ(Normalized({"-v=4", "-v", "-v=", "-v==1", "-ab=1"}), (Texts{"-v4", "-v", "-v=", "-v=1", "-ab=1"}));
}

TEST(Normalized, NothingIsAFlagAfterTwoDashes) {
  EXPECT_EQ(Normalized({"--a_b", "--", "--a_b", "-v=4"}), (Texts{"--a-b", "--", "--a_b", "-v=4"}));
}

}  // namespace
}  // namespace berth::flags
