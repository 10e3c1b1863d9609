// The args that a plugin is validated with: what the user gave, or nothing, completed as the host completes them.
// Thread: main, in the child. Ownership: values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "berth/testing/value.hpp"
#include "json/value.h"
#include "loader/library.h"
#include "validate/subject.h"

namespace berth::validate {

struct CompletedArgs {
  json::Value args;                 // null when the plugin takes none
  std::vector<std::string> errors;  // "scoringStrategy.type: Unsupported value: ...": what is wrong with what was given
};

CompletedArgs CompleteArgs(const Subject& subject, const loader::Library& library);

sdk::testing::FakeValue ToFake(const json::Value& value);

// The plugin's own judge of args; nullptr when it has none.
const berth_args* JudgeOf(const loader::Library& library, const Subject& subject);

}  // namespace berth::validate
