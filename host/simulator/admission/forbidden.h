// The API server's error texts for a refusal by an admission plugin. Thread: any.
#pragma once

#include <string>

#include "base/result.h"
#include "codec/json/value.h"

namespace berth::admission {

inline tl::unexpected<base::Error> Forbidden(const json::Value& pod, const std::string& why) {
  const json::Value* name = pod.FindPath("metadata.name");
  return base::Fail("pods \"" + (name == nullptr ? "" : name->string()) + "\" is forbidden: " + why);
}

}  // namespace berth::admission
