// Both encodings of an Event are the same object.
#include "cluster/events/event_body.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "codec/json/value.h"
#include "meaning.h"

namespace berth::events {
namespace {

using requests::Encoding;

struct BodyCase {
  const char* name;
  EventRecord record;
  int count = 1;
};

EventRecord Full() {
  return {.regarding = {"ns", "p", "u1", "7"},
          .related = ObjectReference{"other", "q", "u2", "8"},
          .scheduler_name = "my-scheduler",
          .type = "Warning",
          .reason = "FailedScheduling",
          .action = "Scheduling",
          .note = "0/1 nodes are available: \"taint\" \xc3\xa9.",
          .unix_ns = 1'767'225'600 * base::kSecond + 123'456'789};
}

template <class Change>
EventRecord With(Change change) {
  EventRecord record = Full();
  change(record);
  return record;
}

class ABody : public testing::TestWithParam<BodyCase> {};

TEST_P(ABody, IsTheSameObjectInBothEncodings) {
  const auto& [name, record, count] = GetParam();
  const auto body = [&](Encoding encoding) { return EventBody(encoding, record, "my-scheduler-host", "p.1", count); };
  const auto json = json::Parse(body(Encoding::kJson));
  ASSERT_TRUE(json);
  const json::Value want = protobuf::Meaning(*json), have = protobuf::MeaningOf(body(Encoding::kProtobuf));
  EXPECT_TRUE(have == want) << "have " << json::Dump(have) << "\nwant " << json::Dump(want);
}

INSTANTIATE_TEST_SUITE_P(
    Of, ABody,
    testing::Values(
        BodyCase{.name = "AnEvent", .record = Full()}, BodyCase{.name = "ASeries", .record = Full(), .count = 2},
        BodyCase{.name = "NothingRelated", .record = With([](EventRecord& r) { r.related.reset(); })},
        BodyCase{.name = "AnObjectWithoutUid", .record = With([](EventRecord& r) {
                                                 r.regarding = {"kube-system", "kube-scheduler",        "", "",
                                                                "Lease",       "coordination.k8s.io/v1"};
                                               })},
        BodyCase{.name = "NoNote", .record = With([](EventRecord& r) { r.note.clear(); })},
        BodyCase{.name = "NoMicroseconds", .record = With([](EventRecord& r) { r.unix_ns = base::kSecond; })},
        BodyCase{.name = "InvalidUtf8", .record = With([](EventRecord& r) { r.note = "\xff\xc3(\xed\xa0\x80"; })},
        BodyCase{.name = "ACoreEvent", .record = With([](EventRecord& r) { r.api = EventApi::kCore; })}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace berth::events
