#include "client/requests/frame_framer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/requests/watch_sink.h"
#include "messages.h"

namespace berth::requests {
namespace {

using protobuf::FrameOf;
using testing::ElementsAre;

std::vector<std::string> FramesOf(FrameFramer& framer, const std::vector<std::string>& pieces, bool* fine = nullptr) {
  std::vector<std::string> frames;
  for (const std::string& piece : pieces) {
    const bool ok = framer.Feed(piece, [&](std::string_view frame) {
      frames.emplace_back(frame);
      return true;
    });
    if (fine != nullptr) *fine = ok;
    if (!ok) break;
  }
  return frames;
}

TEST(FrameFramer, JoinsPieces) {
  const std::string text = FrameOf("one") + FrameOf("") + FrameOf("a\nb") + FrameOf("rest").substr(0, 6);
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    for (size_t next = cut; next <= text.size(); ++next) {
      FrameFramer framer;
      EXPECT_THAT(FramesOf(framer, {text.substr(0, cut), text.substr(cut, next - cut), text.substr(next)}),
                  ElementsAre("one", "a\nb"));
      EXPECT_EQ(framer.rest().size(), 6U);
    }
  }
}

TEST(FrameFramer, RejectsALongFrameAtItsLength) {
  for (const size_t cut : {size_t{0}, size_t{2}, size_t{4}}) {
    FrameFramer framer(8);
    bool fine = true;
    const std::string text = FrameOf("12345678") + FrameOf("123456789").substr(0, 4);
    const size_t last = text.size() - 4 + cut;
    EXPECT_THAT(FramesOf(framer, {text.substr(0, last), text.substr(last)}, &fine), ElementsAre("12345678"));
    EXPECT_FALSE(fine);
  }
}

TEST(FrameFramer, StopsWhenAFrameIsRefused) {
  FrameFramer framer;
  std::vector<std::string> seen;
  const std::string text = FrameOf("a") + FrameOf("b") + FrameOf("c");
  EXPECT_FALSE(framer.Feed(text, [&](std::string_view frame) {
    seen.emplace_back(frame);
    return frame != "b";
  }));
  EXPECT_THAT(seen, ElementsAre("a", "b"));
}

TEST(WatchSink, TheContentTypeDecidesTheFraming) {
  struct Row {
    const char* content_type;
    Encoding want;
    std::string body;
  };
  for (const Row& row : {Row{"application/vnd.kubernetes.protobuf;stream=watch", Encoding::kProtobuf, FrameOf("x")},
                         Row{"application/json", Encoding::kJson, "x\n"}, Row{"", Encoding::kJson, "x\n"},
                         Row{"application/json;stream=watch", Encoding::kJson, "x\n"}}) {
    int status = 0;
    std::vector<std::string> texts;
    WatchSink sink(
        [&](Encoded event) {
          EXPECT_EQ(event.encoding, row.want);
          texts.emplace_back(event.text);
          return true;
        },
        [&](int head) { status = head; });
    sink.OnHead({.status = 200, .content_type = row.content_type});
    EXPECT_TRUE(sink.OnBytes(row.body));
    EXPECT_EQ(status, 200);
    EXPECT_THAT(texts, ElementsAre("x")) << row.content_type;
  }
}

TEST(WatchSink, TellsThatAnEventIsTooLong) {
  const auto fed = [](const char* content_type, const std::string& bytes, bool accept) {
    WatchSink sink([accept](Encoded) { return accept; }, [](int) {});
    sink.OnHead({.status = 200, .content_type = content_type});
    const bool ok = sink.OnBytes(bytes);
    return std::pair(ok, sink.too_long());
  };
  constexpr char kProtobuf[] = "application/vnd.kubernetes.protobuf;stream=watch";
  const std::string huge(size_t{17} << 20, 'x');
  EXPECT_EQ(fed(kProtobuf, FrameOf(huge), true), std::pair(false, true));
  EXPECT_EQ(fed("application/json", huge, true), std::pair(false, true));
  EXPECT_EQ(fed(kProtobuf, FrameOf("x"), false), std::pair(false, false));
  EXPECT_EQ(fed(kProtobuf, FrameOf("x"), true), std::pair(true, false));
}

}  // namespace
}  // namespace berth::requests
