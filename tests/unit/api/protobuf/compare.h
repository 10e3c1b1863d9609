// Compares what both decoders make of one object of the API server. Thread: one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/result.h"

namespace berth::protobuf {

// One object in both encodings, as tests/conformance/cmd/protobufcases writes it.
struct Case {
  std::string_view envelope, json;
};
std::vector<Case> CasesOf(std::string_view file);

// The names of the fields that differ.
std::string Differences(const api::Pod& a, const api::Pod& b);
std::string Differences(const api::Node& a, const api::Node& b);

// Decodes pods and nodes both ways, and transcodes every kind. nullopt: there is no table of that kind. "": no
// difference.
std::optional<std::string> CompareEncodings(const Case& one);

}  // namespace berth::protobuf
