// The plugins that a profile needs beside the one that is validated: a QueueSort plugin like PrioritySort and a Bind
// plugin like DefaultBinder. They are part of the program, so that validation needs no other library. Thread: any.
#pragma once

#include <memory>

#include "plugin/loader/library.h"

namespace berth::validate {

inline constexpr const char* kSorter = "ValidatorSort";
inline constexpr const char* kBinder = "ValidatorBinder";

// With both plugins. Throws std::runtime_error.
std::shared_ptr<const loader::Library> Companions();

}  // namespace berth::validate
