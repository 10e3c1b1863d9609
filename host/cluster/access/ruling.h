// The question to an authorizer, and its answer. Source: k8s.io/apiserver
// pkg/authorization/authorizer/interfaces.go. Requests are never resource requests here: the scheduler's
// RequestInfoFactory has no API prefixes. Thread: values.
#pragma once

#include <cstdint>
#include <string>

#include "cluster/access/user.h"

namespace berth::access {

struct Attributes {
  User user;
  std::string path;  // decoded
  std::string verb;  // the method in lower case
};

enum class Decision : uint8_t { kDeny, kAllow, kNoOpinion };

struct Ruling {
  Decision decision = Decision::kNoOpinion;
  std::string reason = {};
  std::string error = {};
};

}  // namespace berth::access
