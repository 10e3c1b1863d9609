// The args of the validated plugin: those of the subject, completed as the host completes them.
// Thread: main, in the child. Ownership: values.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "berth/testing/value.hpp"
#include "cmd/berthctl/validate/subject.h"
#include "codec/json/value.h"
#include "plugin/loader/library.h"

namespace berth::validate {

struct CompletedArgs {
  json::Value args;                 // null if the plugin takes none
  std::vector<std::string> errors;  // "scoringStrategy.type: Unsupported value: ...": errors in the given args
};

CompletedArgs CompleteArgs(const Subject& subject, const loader::Library& library);

sdk::testing::FakeValue ToFake(const json::Value& value);

// The plugin's own functions for args; nullptr if it has none.
const berth_args* ArgsTableOf(const loader::Library& library, const Subject& subject);

}  // namespace berth::validate
