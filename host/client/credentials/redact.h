// Removes secrets from errors and logs: every text that quotes an input of this folder passes through these functions.
// Thread: any; pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/secret.h"

namespace berth::credentials {

using base::ShownUrl;

// The path, or a description when it cannot be a path. Users sometimes paste keys and tokens into fields for file
// names; such a text has line breaks, or is longer than a file name can be.
std::string ShownPath(const std::string& path);

// The name if it looks like a field name, else a description. A misplaced colon can turn a secret into a field name.
std::string ShownName(const std::string& name);

// The error of a parser without the parts that quote the text.
std::string ShownReason(std::string_view reason);

// The text of another program without control characters except white space, because they can confuse a terminal: they
// become "U+001B".
std::string WithoutControls(std::string_view text);

}  // namespace berth::credentials
