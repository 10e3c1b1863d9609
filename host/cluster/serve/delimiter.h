// The separator of names and values in the text of /flagz and /statusz. Thread: any.
#pragma once

#include <string>

namespace berth::serve {

// One of ":", ": ", "=", " ", at random: clients must not parse it. Source: delimiters in flagz/textserializer.go.
std::string Delimiter();

}  // namespace berth::serve
