// Keeps secrets out of errors and logs: everything that quotes an input of this folder passes through here first.
// Thread: any; pure functions.
#pragma once

#include <string>
#include <string_view>

#include "base/secret.h"

namespace berth::kubeconfig {

using base::ShownUrl;

// A path as it may be shown: the path, or what it is instead when it cannot be one. People do paste keys and tokens
// into fields that want a file's name; such text has line breaks, or is longer than a name may be.
std::string ShownPath(const std::string& path);

// A field's name when it looks like one, else a description. A slipped colon can make a name of a secret.
std::string ShownName(const std::string& name);

// Why a parser refused a text, less the parts where parsers quote that text.
std::string ShownReason(std::string_view reason);

// Text of another program without control characters but white space, which could confuse a terminal: they become
// "U+001B".
std::string WithoutControls(std::string_view text);

}  // namespace berth::kubeconfig
