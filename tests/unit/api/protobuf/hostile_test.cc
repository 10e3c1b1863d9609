// What no API server sends: it must give an error, and no crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "api/protobuf/envelope.h"
#include "api/protobuf/pod_and_node.h"
#include "api/protobuf/transcode.h"
#include "compare.h"
#include "messages.h"

namespace berth::protobuf {
namespace {

using protozero::pbf_writer;

std::string WithMetadata(const std::string& rest) {
  const std::string metadata = MessageOf([](pbf_writer& w) {
    w.add_string(fields::ObjectMeta::kName, "p");
    w.add_string(fields::ObjectMeta::kNamespace, "ns");
  });
  return MessageOf([&](pbf_writer& w) { w.add_message(fields::Pod::kMetadata, metadata); }) + rest;
}

// A pod whose second container requests this much cpu.
std::string PodThatRequests(const std::string& cpu) {
  const std::string entry = MessageOf([&](pbf_writer& w) {
    w.add_string(1, "cpu");
    w.add_message(2, MessageOf([&](pbf_writer& q) { q.add_string(fields::Quantity::kString, cpu); }));
  });
  const std::string resources =
      MessageOf([&](pbf_writer& w) { w.add_message(fields::ResourceRequirements::kRequests, entry); });
  const std::string spec = MessageOf([&](pbf_writer& w) {
    w.add_message(fields::PodSpec::kContainers, std::string());
    w.add_message(fields::PodSpec::kContainers,
                  MessageOf([&](pbf_writer& c) { c.add_message(fields::Container::kResources, resources); }));
  });
  return WithMetadata(MessageOf([&](pbf_writer& w) { w.add_message(fields::Pod::kSpec, spec); }));
}

std::string ErrorOfPod(const std::string& message) {
  api::InternTables intern;
  const auto pod = DecodePodMessage(intern, message);
  return pod ? "" : pod.error().message;
}

TEST(Hostile, AnInvalidQuantityHasTheErrorOfJson) {
  EXPECT_EQ(ErrorOfPod(PodThatRequests("1500m")), "");
  api::InternTables intern;
  for (const std::string bad : {"1x", "", "--1", " 1"}) {
    const auto of_json = api::DecodePod(
        intern,
        R"({"metadata":{"name":"p","namespace":"ns"},"spec":{"containers":[{},{"resources":{"requests":{"cpu":")" +
            bad + R"("}}}]}})");
    if (of_json) continue;  // JSON trims spaces, as Go does
    EXPECT_EQ(ErrorOfPod(PodThatRequests(bad)), of_json.error().message);
  }
  EXPECT_NE(ErrorOfPod(PodThatRequests(" 1")), "");
}

TEST(Hostile, WrongWireTypesAreErrors) {
  const std::string number_as_spec = MessageOf([](pbf_writer& w) { w.add_int32(fields::Pod::kSpec, 7); });
  EXPECT_EQ(ErrorOfPod(WithMetadata(number_as_spec)),
            "pod \"ns/p\": malformed protobuf: expected a field with a length");
  const std::string priority = MessageOf([](pbf_writer& w) { w.add_string(fields::PodSpec::kPriority, "high"); });
  const std::string text_as_priority = MessageOf([&](pbf_writer& w) { w.add_message(fields::Pod::kSpec, priority); });
  EXPECT_EQ(ErrorOfPod(WithMetadata(text_as_priority)), "pod \"ns/p\": spec: malformed protobuf: expected a number");
}

TEST(Hostile, AHugeLengthIsAnError) {
  const std::string huge("\x12\xff\xff\xff\xff\x0f", 6);  // a spec of 4 GiB
  EXPECT_EQ(ErrorOfPod(WithMetadata(huge)), "pod \"ns/p\": malformed protobuf: end of buffer exception");
}

TEST(Hostile, UnknownFieldsAreSkipped) {
  const std::string unknown = MessageOf([](pbf_writer& w) {
    w.add_int64(1000, -1);
    w.add_fixed32(1001, 1);
    w.add_fixed64(1002, 1);
    w.add_string(1003, "x");
  });
  EXPECT_EQ(ErrorOfPod(WithMetadata(unknown)), "");
}

// Fields of one number need not follow each other in protobuf.
TEST(Hostile, ScatteredFieldsAreOneList) {
  const auto container = [](pbf_writer& w, const char* image) {
    w.add_message(fields::PodSpec::kContainers,
                  MessageOf([&](pbf_writer& c) { c.add_string(fields::Container::kImage, image); }));
  };
  const std::string spec = MessageOf([&](pbf_writer& w) {
    container(w, "a");
    w.add_string(fields::PodSpec::kNodeName, "n");
    container(w, "b");
  });
  const std::string message = WithMetadata(MessageOf([&](pbf_writer& w) { w.add_message(fields::Pod::kSpec, spec); }));
  const auto json = ToJson(*FindKind("/api/v1/pods"), message);
  ASSERT_TRUE(json);
  api::InternTables intern;
  const auto direct = DecodePodMessage(intern, message);
  const auto by_way_of_json = api::DecodePod(intern, *json);
  ASSERT_TRUE(direct && by_way_of_json);
  EXPECT_EQ((*direct)->abi.images->containers.n, 2U);
  EXPECT_EQ(Differences(**direct, **by_way_of_json), "");
}

// Every beginning of every recorded object.
TEST(Hostile, TruncatedObjectsDoNotCrash) {
  std::ifstream in(BERTH_TEST_SOURCE_DIR "/tests/data/protobuf/objects.bin", std::ios::binary);
  const std::string file(std::istreambuf_iterator<char>(in), {});
  api::InternTables intern;
  size_t refused = 0;
  for (const Case& one : CasesOf(file)) {
    for (size_t n = 0; n < one.envelope.size(); n += 1 + n / 40) {
      const std::string cut(one.envelope.substr(0, n));  // a copy, so that sanitizers see its end
      refused += OpenEnvelope(cut) ? 0 : 1;
    }
    const std::string_view whole = OpenEnvelope(one.envelope)->message;
    for (size_t n = 0; n < whole.size(); n += 1 + n / 40) {
      const std::string cut(whole.substr(0, n));
      for (const char* path : {"/api/v1/pods", "/api/v1/nodes", "/apis/resource.k8s.io/v1/resourceslices"}) {
        refused += ToJson(*FindKind(path), cut) ? 0 : 1;
      }
      refused += DecodePodMessage(intern, cut, api::KeepManifest::kYes) ? 0 : 1;
      refused += DecodeNodeMessage(intern, cut) ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 1000U);
}

TEST(Hostile, AnObjectWhoseJsonWouldBeTooLargeIsAnError) {
  const auto json_of = [](size_t n_labels) {
    const std::string each(size_t{1} << 20, '\x01');  // six bytes each in JSON
    const std::string metadata = MessageOf([&](pbf_writer& w) {
      for (size_t i = 0; i < n_labels; ++i)
        w.add_message(fields::ObjectMeta::kLabels, MapEntryOf(std::to_string(i), each));
    });
    return ToJson(*FindKind("/api/v1/pods"),
                  MessageOf([&](pbf_writer& w) { w.add_message(fields::Pod::kMetadata, metadata); }));
  };
  EXPECT_TRUE(json_of(1));
  const auto json = json_of(30);
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error().message, "the object is too large");
}

// The last member of an object, too.
TEST(Hostile, AnObjectThatGetsTooLargeWithItsLastTextIsAnError) {
  const std::string text(size_t{11} << 20, '\x01');                                     // six bytes each in JSON
  const std::string status = MessageOf([&](pbf_writer& w) { w.add_string(3, text); });  // message
  const auto json =
      ToJson(*FindKind("/api/v1/pods"), MessageOf([&](pbf_writer& w) { w.add_message(fields::Pod::kStatus, status); }));
  ASSERT_FALSE(json);
  EXPECT_EQ(json.error().message, "the object is too large");
}

// Different bytes that are not UTF-8 are the same text in JSON. The last entry counts, as for equal keys.
TEST(Hostile, KeysThatAreTheSameInJsonAreOneMember) {
  const std::string metadata = MessageOf([&](pbf_writer& w) {
    for (const auto& [key, value] : {std::pair("b", "0"), {"a\xFE", "1"}, {"a\xFF", "2"}, {"a\xEF\xBF\xBD", "3"}}) {
      w.add_message(fields::ObjectMeta::kLabels, MapEntryOf(key, value));
    }
  });
  const auto json = ToJson(*FindKind("/api/v1/pods"),
                           MessageOf([&](pbf_writer& w) { w.add_message(fields::Pod::kMetadata, metadata); }));
  ASSERT_TRUE(json);
  EXPECT_THAT(*json, testing::HasSubstr("\"labels\":{\"a\uFFFD\":\"3\",\"b\":\"0\"}"));
}

std::string ErrorOfRaw(const std::string& raw) {
  constexpr uint32_t kClaimSpec = 2, kDevices = 1, kConfig = 3, kKind = 2, kOpaque = 1, kParameters = 2;
  const auto in = [](uint32_t field, const std::string& message) {
    return MessageOf([&](pbf_writer& w) { w.add_message(field, message); });
  };
  const std::string extension = in(fields::RawExtension::kRaw, raw);
  const std::string config = in(kKind, in(kOpaque, in(kParameters, extension)));
  const auto json =
      ToJson(*FindKind("/apis/resource.k8s.io/v1/resourceclaims"), in(kClaimSpec, in(kDevices, in(kConfig, config))));
  return json ? "" : json.error().message;
}

// It would become members of the object around it.
TEST(Hostile, RawBytesAreOneJsonValue) {
  for (const char* good : {"", "null", "7", R"({"a":1,"a":[2]})", " {}\n"}) EXPECT_EQ(ErrorOfRaw(good), "") << good;
  for (const char* bad : {"{", "7,8", R"({}},"kind":"x")", "\x80", "{\"a\":1} x", "\xEF\xBB\xBF{}", " "}) {
    EXPECT_THAT(ErrorOfRaw(bad), testing::StartsWith("parameters: ")) << bad;
  }
}

}  // namespace
}  // namespace berth::protobuf
