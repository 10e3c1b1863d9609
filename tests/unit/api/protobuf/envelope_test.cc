#include "api/protobuf/envelope.h"

#include <gmock/gmock.h>

#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "api/protobuf/fields.h"

namespace berth::protobuf {
namespace {

using protozero::pbf_writer;
using testing::ElementsAre;

template <class Fill>
std::string Bytes(Fill&& fill) {
  std::string bytes;
  pbf_writer writer(bytes);
  fill(writer);
  return bytes;
}

std::string EnvelopeOf(const std::string& kind, const std::string& message) {
  return std::string("k8s\0", 4) + Bytes([&](pbf_writer& w) {
           w.add_message(fields::Unknown::kTypeMeta,
                         Bytes([&](pbf_writer& t) { t.add_string(fields::TypeMeta::kKind, kind); }));
           w.add_message(fields::Unknown::kRaw, message);
         });
}

std::string ListOf(const std::vector<std::string>& items) {
  return Bytes([&](pbf_writer& w) {
    w.add_message(fields::PodList::kMetadata, Bytes([](pbf_writer& m) {
                    m.add_string(fields::ListMeta::kResourceVersion, "17");
                    m.add_string(fields::ListMeta::kContinue, "next page");
                  }));
    for (const std::string& item : items) w.add_message(fields::PodList::kItems, item);
  });
}

TEST(Envelope, OpensAList) {
  std::vector<std::string> items;
  const auto metadata = ForEachItem(EnvelopeOf("NodeList", ListOf({"a", "", "b"})),
                                    [&](std::string_view item) { items.emplace_back(item); });
  ASSERT_TRUE(metadata);
  EXPECT_EQ(metadata->resource_version, "17");
  EXPECT_EQ(metadata->next, "next page");
  EXPECT_THAT(items, ElementsAre("a", "", "b"));
}

TEST(Envelope, RefusesWhatIsNoList) {
  const auto none = [](std::string_view) { ADD_FAILURE() << "an item"; };
  EXPECT_EQ(ForEachItem("{}", none).error().message, "malformed protobuf: the envelope of Kubernetes is missing");
  EXPECT_EQ(ForEachItem(EnvelopeOf("Pod", ListOf({"a"})), none).error().message, "the answer is no list");
  const std::string cut = EnvelopeOf("PodList", ListOf({}));
  EXPECT_FALSE(ForEachItem(std::string_view(cut).substr(0, cut.size() - 1), none));
}

TEST(Envelope, OpensAWatchFrame) {
  const std::string frame = Bytes([](pbf_writer& w) {
    w.add_string(fields::WatchEvent::kType, "ADDED");
    w.add_message(fields::WatchEvent::kObject, Bytes([](pbf_writer& raw) {
                    raw.add_message(fields::RawExtension::kRaw, EnvelopeOf("Pod", "the pod"));
                  }));
  });
  const auto event = OpenWatchFrame(frame);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->type, "ADDED");
  EXPECT_EQ(event->message, "the pod");
  EXPECT_FALSE(OpenWatchFrame(""));
  EXPECT_FALSE(OpenWatchFrame("{\"type\":\"ADDED\"}"));
}

TEST(Envelope, ReadsIdentityAndBookmark) {
  const std::string bookmark = Bytes([](pbf_writer& w) {
    w.add_message(fields::Pod::kMetadata, Bytes([](pbf_writer& m) {
                    m.add_string(fields::ObjectMeta::kName, "p");
                    m.add_string(fields::ObjectMeta::kNamespace, "ns");
                    m.add_string(fields::ObjectMeta::kResourceVersion, "12");
                    m.add_message(fields::ObjectMeta::kAnnotations, Bytes([](pbf_writer& entry) {
                                    entry.add_string(1, "k8s.io/initial-events-end");
                                    entry.add_string(2, "true");
                                  }));
                  }));
  });
  EXPECT_EQ(IdentityOf(bookmark).key, "ns/p");
  EXPECT_EQ(IdentityOf(bookmark).resource_version, "12");
  EXPECT_EQ(BookmarkOf(bookmark).resource_version, "12");
  EXPECT_TRUE(BookmarkOf(bookmark).initial_events_end);
  EXPECT_EQ(IdentityOf(bookmark + "\xff").key, "ns/p") << "what is malformed afterwards does not count";
  EXPECT_EQ(IdentityOf("\xff").key, "");
}

TEST(Envelope, ReadsAStatus) {
  const std::string message = Bytes([](pbf_writer& w) {
    w.add_string(fields::Status::kMessage, "too old");
    w.add_string(fields::Status::kReason, "Expired");
    w.add_message(fields::Status::kDetails,
                  Bytes([](pbf_writer& d) { d.add_int32(fields::StatusDetails::kRetryAfterSeconds, 3); }));
    w.add_int32(fields::Status::kCode, 410);
  });
  const StatusFields status = StatusOf(message);
  EXPECT_EQ(status.message, "too old");
  EXPECT_EQ(status.reason, "Expired");
  EXPECT_EQ(status.code, 410);
  EXPECT_EQ(status.retry_after_seconds, 3);
}

}  // namespace
}  // namespace berth::protobuf
