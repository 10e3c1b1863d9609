#include "api/protobuf/envelope.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "messages.h"

namespace berth::protobuf {
namespace {

using testing::ElementsAre;

TEST(Envelope, OpensAList) {
  std::vector<std::string> items;
  const auto metadata =
      ForEachItem(EnvelopeOf("NodeList", ListOf({"a", "", "b"}, "17", "next page")), [&](std::string_view item) {
        items.emplace_back(item);
        return base::Result<void>();
      });
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->resource_version, "17");
  EXPECT_EQ(metadata->next, "next page");
  EXPECT_THAT(items, ElementsAre("a", "", "b"));
}

TEST(Envelope, RefusesWhatIsNoList) {
  const auto none = [](std::string_view) {
    ADD_FAILURE() << "an item";
    return base::Result<void>();
  };
  EXPECT_EQ(ForEachItem("{}", none).error().message, "malformed protobuf: the envelope of Kubernetes is missing");
  EXPECT_EQ(ForEachItem(EnvelopeOf("Pod", ListOf({"a"}, "1", "")), none).error().message, "the answer is no list");
  const std::string cut = EnvelopeOf("PodList", ListOf({}, "1", ""));
  EXPECT_FALSE(ForEachItem(std::string_view(cut).substr(0, cut.size() - 1), none));
}

TEST(Envelope, OpensAWatchFrame) {
  const std::string frame = EventOf("ADDED", "Pod", "the pod");
  const auto event = OpenWatchFrame(frame);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type, "ADDED");
  EXPECT_EQ(event->message, "the pod");
  EXPECT_FALSE(OpenWatchFrame(""));
  EXPECT_FALSE(OpenWatchFrame("{\"type\":\"ADDED\"}"));
}

TEST(Envelope, ReadsIdentityAndBookmark) {
  const std::string bookmark = ObjectOf("p", "12", /*initial_events_end=*/true);
  EXPECT_EQ(IdentityOf(bookmark).key, "p");
  EXPECT_EQ(IdentityOf(bookmark).resource_version, "12");
  EXPECT_EQ(BookmarkOf(bookmark).resource_version, "12");
  EXPECT_TRUE(BookmarkOf(bookmark).initial_events_end);
  EXPECT_EQ(IdentityOf(bookmark + "\xff").key, "p") << "what is malformed afterwards does not count";
  EXPECT_EQ(IdentityOf("\xff").key, "");
}

// With a part of the metadata, an object may seem to be another one.
TEST(Envelope, MalformedMetadataHasNoIdentity) {
  const std::string metadata = MessageOf([](auto& w) {
    w.add_string(fields::ObjectMeta::kName, "p");
    w.add_string(fields::ObjectMeta::kResourceVersion, "12");
  });
  const std::string message = MessageOf([&](auto& w) { w.add_message(fields::Pod::kMetadata, metadata + "\x1a\x05"); });
  EXPECT_EQ(IdentityOf(message).key, "");
  EXPECT_EQ(IdentityOf(message).resource_version, "");
}

TEST(Envelope, AnItemMayEndAList) {
  int items = 0;
  const auto metadata = ForEachItem(EnvelopeOf("NodeList", ListOf({"a", "b"}, "17", "")), [&](std::string_view) {
    ++items;
    return base::Result<void>(base::Fail("enough"));
  });
  ASSERT_FALSE(metadata);
  EXPECT_EQ(metadata.error().message, "enough");
  EXPECT_EQ(items, 1);
}

TEST(Envelope, ReadsAStatus) {
  const std::string message = StatusMessageOf(410, "Expired", "too old");
  const StatusFields status = StatusOf(message);
  EXPECT_EQ(status.message, "too old");
  EXPECT_EQ(status.reason, "Expired");
  EXPECT_EQ(status.code, 410);
  EXPECT_EQ(status.retry_after_seconds, 3);
}

}  // namespace
}  // namespace berth::protobuf
