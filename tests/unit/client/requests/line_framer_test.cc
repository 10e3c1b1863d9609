#include "client/requests/line_framer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::requests {
namespace {

using testing::ElementsAre;

std::vector<std::string> LinesOf(LineFramer& framer, const std::vector<std::string>& pieces, bool* fine = nullptr) {
  std::vector<std::string> lines;
  for (const std::string& piece : pieces) {
    const bool ok = framer.Feed(piece, [&](std::string_view line) {
      lines.emplace_back(line);
      return true;
    });
    if (fine != nullptr) *fine = ok;
    if (!ok) break;
  }
  return lines;
}

TEST(LineFramer, JoinsPieces) {
  const std::string text = "one\ntwo\n\nthree\nrest";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    for (size_t next = cut; next <= text.size(); ++next) {
      LineFramer framer;
      EXPECT_THAT(LinesOf(framer, {text.substr(0, cut), text.substr(cut, next - cut), text.substr(next)}),
                  ElementsAre("one", "two", "three"));
      EXPECT_EQ(framer.rest(), "rest");
    }
  }
}

TEST(LineFramer, RejectsALineWithoutEnd) {
  LineFramer framer(8);
  bool fine = true;
  EXPECT_THAT(LinesOf(framer, {"12345678", "9"}, &fine), testing::IsEmpty());
  EXPECT_FALSE(fine);
}

TEST(LineFramer, RejectsALongLineInPieces) {
  const std::string text = "a\n123456789\nb\n";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    LineFramer framer(8);
    bool fine = true;
    EXPECT_THAT(LinesOf(framer, {text.substr(0, cut), text.substr(cut)}, &fine), ElementsAre("a")) << cut;
    EXPECT_FALSE(fine) << cut;
  }
}

TEST(LineFramer, StopsWhenTheCallbackReturnsFalse) {
  LineFramer framer;
  int seen = 0;
  EXPECT_FALSE(framer.Feed("a\nb\nc\n", [&](std::string_view) { return ++seen < 2; }));
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace berth::requests
