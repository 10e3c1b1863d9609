// What Berth writes in protobuf, as its own reader sees it. tests/conformance/compare_written has upstream's.
#include <gtest/gtest.h>

#include <string>

#include "api/protobuf/envelope.h"
#include "api/protobuf/lease_message.h"
#include "api/protobuf/transcode.h"
#include "api/protobuf/write_binding.h"
#include "api/protobuf/write_event.h"
#include "base/clock.h"
#include "codec/json/value.h"
#include "meaning.h"
#include "messages.h"

namespace berth::protobuf {
namespace {

constexpr int64_t kNow = 1'767'225'600 * base::kSecond + 1999;  // 2026-01-01T00:00:00.000001Z and 999 ns

std::string_view MessageIn(std::string_view body) { return OpenEnvelope(body)->message; }

TEST(Written, ABinding) {
  EXPECT_EQ(MeaningOf(WriteBinding({.ns = "ns", .name = "p", .uid = "u1", .node = "n1"})),
            *json::Parse(R"({"kind":"Binding","apiVersion":"v1","metadata":{"name":"p","namespace":"ns","uid":"u1"},)"
                         R"("target":{"kind":"Node","name":"n1"}})"));
}

TEST(Written, ABindingWithLongNames) {
  const std::string name(253, 'n'), node(253, 'm');
  const json::Value json =
      MeaningOf(WriteBinding({.ns = std::string(63, 's'), .name = name, .uid = "u", .node = node}));
  EXPECT_EQ(json::TextAt(json, "metadata.name"), name);
  EXPECT_EQ(json::TextAt(json, "target.name"), node);
}

// A string that grows doubles its memory.
TEST(Written, ABindingNeedsOneAllocation) {
  for (const size_t length : {size_t{1}, size_t{63}, size_t{253}}) {
    const std::string text(length, 'n');
    const std::string body = WriteBinding({.ns = text, .name = text, .uid = text, .node = text});
    EXPECT_LE(body.capacity(), 4 * length + 256);
  }
}

TEST(Written, AnEvent) {
  const ReferenceFields related{.kind = "Pod", .ns = "other", .name = "q", .uid = "u2", .api_version = "v1"};
  const std::string body = WriteEvent({.name = "p.1",
                                       .ns = "ns",
                                       .unix_ns = kNow,
                                       .reporting_controller = "s",
                                       .reporting_instance = "s-host",
                                       .action = "Preempting",
                                       .reason = "Preempted",
                                       .note = "a note",
                                       .type = "Normal",
                                       .regarding = {"Pod", "ns", "p", "u1", "v1", "7"},
                                       .related = related,
                                       .series_count = 3});
  EXPECT_EQ(
      MeaningOf(body),
      *json::Parse(
          R"({"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"p.1","namespace":"ns"},)"
          R"("eventTime":"2026-01-01T00:00:00.000001Z",)"
          R"("series":{"count":3,"lastObservedTime":"2026-01-01T00:00:00.000001Z"},"reportingController":"s",)"
          R"("reportingInstance":"s-host","action":"Preempting","reason":"Preempted","regarding":{"kind":"Pod",)"
          R"("namespace":"ns","name":"p","uid":"u1","apiVersion":"v1","resourceVersion":"7"},"related":{"kind":"Pod",)"
          R"("namespace":"other","name":"q","uid":"u2","apiVersion":"v1"},"note":"a note","type":"Normal"})"));
}

TEST(Written, AnEventWithoutWhatIsUnknown) {
  const json::Value json =
      MeaningOf(WriteEvent({.name = "p.1", .ns = "ns", .regarding = {.kind = "Node", .name = "n"}}));
  EXPECT_EQ(json::Dump(*json.Find("regarding")), R"({"kind":"Node","name":"n"})");
  EXPECT_EQ(json.Find("related"), nullptr);
  EXPECT_EQ(json.Find("series"), nullptr);
}

// As JSON: an API server stores the bytes, and every client that reads JSON replaces them.
TEST(Written, InvalidUtf8IsReplaced) {
  const json::Value json = MeaningOf(WriteEvent({.name = "p.1", .ns = "ns", .note = "caf\xc3\xa9 \xff\xc3"}));
  EXPECT_EQ(json::TextAt(json, "note"), "caf\xc3\xa9 \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(Written, ACoreEvent) {
  const std::string body =
      WriteCoreEvent({.name = "l.1",
                      .ns = "kube-system",
                      .involved = {"Lease", "kube-system", "l", "u1", "coordination.k8s.io/v1", "7"},
                      .reason = "LeaderElection",
                      .message = "n became leader",
                      .component = "s",
                      .type = "Normal",
                      .unix_ns = kNow + base::kMillisecond});
  EXPECT_EQ(MeaningOf(body),
            *json::Parse(R"({"kind":"Event","apiVersion":"v1","metadata":{"name":"l.1","namespace":"kube-system"},)"
                         R"("involvedObject":{"kind":"Lease","namespace":"kube-system","name":"l","uid":"u1",)"
                         R"("apiVersion":"coordination.k8s.io/v1","resourceVersion":"7"},"reason":"LeaderElection",)"
                         R"("message":"n became leader","source":{"component":"s"},)"
                         R"("firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:00:00Z",)"
                         R"("count":1,"type":"Normal","reportingComponent":"s"})"));
}

LeaseFields HeldBy(std::string_view holder) {
  return {.holder = holder,
          .duration_seconds = 15,
          .acquired_unix_ns = kNow,
          .renewed_unix_ns = kNow + base::kSecond,
          .transitions = 2,
          .strategy = "OldestEmulationVersion",
          .preferred_holder = "b"};
}

TEST(Written, ALease) {
  const std::string body = WriteLease("kube-system", "l", HeldBy("a"));
  EXPECT_EQ(MeaningOf(body),
            *json::Parse(R"({"kind":"Lease","apiVersion":"coordination.k8s.io/v1",)"
                         R"("metadata":{"name":"l","namespace":"kube-system"},"spec":{"holderIdentity":"a",)"
                         R"("leaseDurationSeconds":15,"acquireTime":"2026-01-01T00:00:00.000001Z",)"
                         R"("renewTime":"2026-01-01T00:00:01.000001Z","leaseTransitions":2,)"
                         R"("strategy":"OldestEmulationVersion","preferredHolder":"b"}})"));
  const auto lease = ReadLease(MessageIn(body));
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->spec.holder, "a");
  EXPECT_EQ(lease->spec.duration_seconds, 15);
  EXPECT_EQ(lease->spec.acquired_unix_ns, kNow / 1000 * 1000);
  EXPECT_EQ(lease->spec.renewed_unix_ns, kNow / 1000 * 1000 + base::kSecond);
  EXPECT_EQ(lease->spec.transitions, 2);
  EXPECT_EQ(lease->spec.strategy, "OldestEmulationVersion");
  EXPECT_EQ(lease->spec.preferred_holder, "b");
}

// A released Lease has an empty holder, not none: the field is a pointer in Go.
TEST(Written, AReleasedLeaseHasAnEmptyHolder) {
  const std::string body = WriteLease("ns", "l", {.duration_seconds = 1});
  const std::string json = *ToJson(*FindKind("coordination.k8s.io/v1", "Lease"), MessageIn(body));
  EXPECT_NE(json.find(R"("holderIdentity":"")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("leaseTransitions":0)"), std::string::npos) << json;
  EXPECT_EQ(json.find("renewTime"), std::string::npos) << json;
}

// A server of a later version: fields with the number 99 in the Lease and in its spec.
TEST(Written, AnUpdateOfALeaseKeepsWhatBerthDoesNotKnow) {
  const auto spec_of = [](const char* holder) {
    return MessageOf([&](auto& spec) {
      spec.add_string(99, "later");
      spec.add_string(fields::LeaseSpec::kHolderIdentity, holder);
      spec.add_string(fields::LeaseSpec::kStrategy, "OldestEmulationVersion");
    });
  };
  const std::string metadata = MessageOf([](auto& meta) {
    meta.add_string(fields::ObjectMeta::kUid, "u1");
    meta.add_string(fields::ObjectMeta::kResourceVersion, "7");
    meta.add_message(fields::ObjectMeta::kLabels, MapEntryOf("team", "a"));
  });
  const std::string message = MessageOf([&](auto& lease) {
    lease.add_message(fields::Lease::kMetadata, metadata);
    lease.add_message(fields::Lease::kSpec, spec_of("a"));
    lease.add_uint64(99, 5);
  });
  const auto before = ReadLease(message);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->uid, "u1");
  EXPECT_EQ(before->resource_version, "7");

  const std::string body = ReplaceLeaseSpec(message, {.holder = "b", .duration_seconds = 3});
  const std::string want = MessageOf([&](auto& lease) {
    lease.add_message(fields::Lease::kMetadata, metadata);
    lease.add_uint64(99, 5);
    lease.add_message(fields::Lease::kSpec, MessageOf([](auto& spec) {
                        spec.add_string(fields::LeaseSpec::kHolderIdentity, "b");
                        spec.add_int64(fields::LeaseSpec::kLeaseDurationSeconds, 3);
                        spec.add_int64(fields::LeaseSpec::kLeaseTransitions, 0);
                        spec.add_string(99, "later");
                      }));
  });
  EXPECT_EQ(MessageIn(body), want);
}

TEST(Read, RefusesAMalformedLease) {
  EXPECT_FALSE(ReadLease("\x12\x05x"));
  const std::string wrong_type = MessageOf([](auto& lease) { lease.add_uint64(fields::Lease::kSpec, 1); });
  EXPECT_FALSE(ReadLease(wrong_type));
}

}  // namespace
}  // namespace berth::protobuf
