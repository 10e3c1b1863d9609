#include "scheduler/framework/fit_error.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace berth::framework {

std::string FitError::Text() const {
  std::string text = "0/" + std::to_string(num_all_nodes) + " nodes are available:";
  if (!pre_filter_message.empty()) {
    text += " " + pre_filter_message + ".";
  } else {
    std::vector<std::string> parts;
    for (const auto& [reason, count] : histogram) parts.push_back(std::to_string(count) + " " + reason);
    std::sort(parts.begin(), parts.end());  // as strings with their counts: "10 x" before "2 y"
    if (!parts.empty()) text += " " + base::Join(parts, ", ") + ".";
  }
  if (!post_filter_message.empty()) text += " " + post_filter_message;
  return text;
}

}  // namespace berth::framework
