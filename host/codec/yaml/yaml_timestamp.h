// Recognizes the timestamps of go.yaml.in/yaml/v2, whose writer quotes strings that look like one. Thread: any.
#pragma once

#include <string_view>

namespace berth::yaml {

// "2001-12-14", "2001-12-14 21:59:43.1", "2001-12-14T21:59:43Z", "...t21:59:43+02:00"; one-digit fields are allowed.
bool IsTimestamp(std::string_view text);

}  // namespace berth::yaml
