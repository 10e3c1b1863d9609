// The order in which go.yaml.in/yaml/v2 writes the keys of a map (sorter.go): letters after other characters, digits by
// their number ("a2" before "a10"). Thread: any.
#pragma once

#include <string_view>

namespace berth::yaml {

bool KeyLess(std::string_view a, std::string_view b);

}  // namespace berth::yaml
