// Watch events and statuses in protobuf.
#include <gtest/gtest.h>

#include "client/requests/api_status.h"
#include "client/requests/watch_event.h"
#include "fake_transport.h"
#include "messages.h"

namespace berth::requests {
namespace {

constexpr Encoding kProtobuf = Encoding::kProtobuf;

TEST(ProtobufWatchEvent, HasTypeAndObject) {
  const std::string frame = protobuf::EventOf("DELETED", "Pod", "the pod");
  const auto event = WatchEvent::Of({kProtobuf, frame});
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type(), "DELETED");
  EXPECT_EQ(event->object(), "the pod");
}

TEST(ProtobufWatchEvent, RefusesWhatIsNone) {
  for (const std::string& frame : {std::string("{}"), protobuf::EventOf("", "Pod", ""), std::string(3, '\xff')}) {
    const auto event = WatchEvent::Of({kProtobuf, frame});
    ASSERT_FALSE(event);
    EXPECT_TRUE(event.error().message.starts_with("a frame of the watch is no event: ")) << event.error().message;
  }
}

TEST(ProtobufWatchEvent, ReadsABookmark) {
  const std::string object = protobuf::ObjectOf("", "12", true);
  const Bookmark bookmark = BookmarkOf(Encoded{kProtobuf, object});
  EXPECT_EQ(bookmark.resource_version, "12");
  EXPECT_TRUE(bookmark.initial_events_end);
}

TEST(ProtobufStatus, OfAnErrorEvent) {
  const std::string message = protobuf::StatusMessageOf(410, "Expired", "too old");
  const ApiStatus status = StatusOf(Encoded{kProtobuf, message});
  EXPECT_EQ(status.code, 410);
  EXPECT_TRUE(status.Expired());
  EXPECT_EQ(status.message, "too old");
  EXPECT_EQ(status.retry_after_seconds, 3);
}

TEST(ProtobufStatus, OfAReply) {
  const std::string message = protobuf::StatusMessageOf(403, "Forbidden", "pods is forbidden");
  const ApiStatus status = StatusOf(http::ReplyOf(403, protobuf::EnvelopeOf("Status", message)), "list pods");
  EXPECT_TRUE(status.Forbidden());
  EXPECT_EQ(status.reason, "Forbidden");
  EXPECT_EQ(status.message, "pods is forbidden");
}

}  // namespace
}  // namespace berth::requests
