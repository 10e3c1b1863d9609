// What an API server sends in protobuf. The first byte chooses how the rest is read: as an object of a kind, as a node,
// or as a list, a watch event, and a stream of frames. It must be refused with a reason, or give the same pod every
// time and valid JSON. No memory of it may stay, and libFuzzer's limit of memory holds.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/protobuf/envelope.h"
#include "api/protobuf/pod_and_node.h"
#include "api/protobuf/transcode.h"
#include "base/result.h"
#include "client/requests/frame_framer.h"
#include "codec/json/value.h"
#include "require.h"
#include "words.h"

namespace {

using berth::api::InternTables;
using berth::api::Pod;
namespace protobuf = berth::protobuf;

void RequireSame(const Pod& a, const Pod& b) {
  Require(a.key() == b.key() && a.uid() == b.uid() && a.phase() == b.phase(), "the same names");
  Require(a.abi.labels == b.abi.labels && a.abi.images == b.abi.images && a.abi.resources == b.abi.resources,
          "the same contents (1)");
  Require(a.abi.ports == b.abi.ports && a.abi.tolerations == b.abi.tolerations && a.abi.gates == b.abi.gates,
          "the same contents (2)");
  Require(a.abi.controller == b.abi.controller && a.abi.claims == b.abi.claims, "the same contents (3)");
  Require(a.abi.priority == b.abi.priority && a.abi.has == b.abi.has, "the same numbers");
}

void CheckPod(InternTables& intern, std::string_view message) {
  const auto pod = protobuf::DecodePodMessage(intern, message, berth::api::KeepManifest::kYes);
  if (!pod) return Require(!pod.error().message.empty(), "what is refused has a reason");
  const auto again = protobuf::DecodePodMessage(intern, message);
  Require(again.has_value(), "accepted once, accepted again");
  RequireSame(**pod, **again);
  Require(static_cast<bool>((*pod)->manifest), "a manifest is kept");
}

void CheckKind(const protobuf::KindType& kind, std::string_view message) {
  const auto json = protobuf::ToJson(kind, message);
  if (!json) return Require(!json.error().message.empty(), "what is refused has a reason");
  Require(json->size() <= protobuf::kMaxJsonBytes + 7 * message.size() + 64, "the text is bounded");
  // Raw extensions are the server's JSON, and other texts of the server may repeat a key.
  if (kind.api_version.starts_with("resource.k8s.io")) return;
  const auto value = berth::json::Parse(*json);
  Require(value.has_value(), "what is transcoded is JSON");
  Require(berth::json::TextAt(*value, "kind") == kind.kind, "it has its kind");
}

std::vector<std::string> Frame(std::string_view stream, size_t piece) {
  berth::requests::FrameFramer framer(200);
  std::vector<std::string> frames;
  bool fine = true;
  while (fine && !stream.empty()) {
    const std::string_view part = stream.substr(0, piece);
    fine = framer.Feed(part, [&](std::string_view frame) {
      frames.emplace_back(frame);
      return true;
    });
    stream.remove_prefix(part.size());
  }
  return frames;
}

void CheckEnvelopes(InternTables& intern, std::string_view body) {
  (void)protobuf::ForEachItem(body, [&](std::string_view item) {
    CheckPod(intern, item);
    return berth::base::Result<void>();
  });
  if (const auto event = protobuf::OpenWatchFrame(body)) {
    (void)protobuf::BookmarkOf(event->message);
    (void)protobuf::StatusOf(event->message);
    (void)protobuf::IdentityOf(event->message);
  }
  const auto whole = Frame(body, body.size());
  for (const size_t piece : {size_t{1}, size_t{3}, size_t{60}}) {
    Require(Frame(body, piece) == whole, "cuts make no difference");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  InternTables& intern = Words();
  const std::string_view message(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto kinds = protobuf::AllKinds();
  const size_t choice = data[0] % (kinds.size() + 2);
  if (choice == kinds.size()) {
    CheckEnvelopes(intern, message);
  } else if (choice == kinds.size() + 1) {
    const auto node = protobuf::DecodeNodeMessage(intern, message);
    Require(node || !node.error().message.empty(), "what is refused has a reason");
  } else if (choice == 0) {
    CheckPod(intern, message);
  } else {
    CheckKind(kinds[choice], message);
  }
  RequireNothingLeft();
  return 0;
}
