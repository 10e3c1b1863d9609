// Definitions of metrics with one mistake each, and its error text. Both the host and the fake host of the SDK must
// refuse them, with the same text.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace berth {

struct MetricMistake {
  std::string name = "ok_total";
  bool histogram = false;
  std::string help = "Help.";
  std::vector<std::string> labels = {};
  std::vector<double> buckets = {};
  std::string want;
};

inline std::vector<MetricMistake> MetricMistakes() {
  const std::vector<std::string> nine{"a", "b", "c", "d", "e", "f", "g", "h", "i"};
  std::vector<double> many(33);
  for (size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  const double infinity = std::numeric_limits<double>::infinity();
  return {
      {.name = "", .want = "name: \"\" must consist of letters, digits, and _, without a digit first"},
      {.name = "1st", .want = "name: \"1st\" must consist of letters, digits, and _, without a digit first"},
      {.name = "a-b", .want = "name: \"a-b\" must consist of letters, digits, and _, without a digit first"},
      {.name = "a:b", .want = "name: \"a:b\" must consist of letters, digits, and _, without a digit first"},
      {.name = "x_count", .want = "name: \"x_count\" must not end with _count, as series of a histogram do"},
      {.name = std::string(101, 'a'), .want = "name: has more than 100 bytes"},
      {.help = "", .want = "help: must not be empty"},
      {.help = "caf\xe9", .want = "help: must be UTF-8"},
      {.help = std::string(1001, 'a'), .want = "help: has more than 1000 bytes"},
      {.labels = nine, .want = "labels: has more than 8 names"},
      {.labels = {"a", "b c"},
       .want = "labels[1]: \"b c\" must consist of letters, digits, and _, without a digit first"},
      {.labels = {"le"}, .want = "labels[0]: \"le\" is reserved by Prometheus"},
      {.labels = {"__name__"}, .want = "labels[0]: \"__name__\" is reserved by Prometheus"},
      {.labels = {"a", "b", "a"}, .want = "labels[2]: \"a\" is there twice"},
      {.buckets = {1}, .want = "buckets: only a histogram has buckets"},
      {.histogram = true, .want = "buckets: must not be empty for a histogram"},
      {.histogram = true, .buckets = {1, 1}, .want = "buckets: must ascend"},
      {.histogram = true, .buckets = {1, infinity}, .want = "buckets: must be finite; the host adds +Inf"},
      {.histogram = true, .buckets = {1, NAN}, .want = "buckets: must be finite; the host adds +Inf"},
      {.histogram = true, .buckets = many, .want = "buckets: has more than 32 bounds"},
  };
}

}  // namespace berth
