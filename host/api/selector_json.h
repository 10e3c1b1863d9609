// Reads selectors from configuration values. Reports every wrong type to the sink with its path. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/draft_relations.h"
#include "api/selectors.h"
#include "codec/json/value.h"

namespace berth::api {

// Reads the values of one selector for a compiler. failed() is true after any error. Views are valid as long as the
// values.
class SelectorJson {
 public:
  explicit SelectorJson(const FieldErrorSink& sink) : sink_(sink) {}

  void Report(std::string_view path, std::string_view detail) {
    failed_ = true;
    sink_(path, detail);
  }
  bool failed() const { return failed_; }

  // Absent and null give "" or an empty array. Reports members of the object that are not in `known`.
  std::string_view Text(const json::Value& object, std::string_view name, const std::string& path);
  std::vector<std::string_view> Texts(const json::Value& object, std::string_view name, const std::string& path);
  const json::Array& Array(const json::Value& object, std::string_view name, const std::string& path);
  bool IsObject(const json::Value& value, const std::string& path, std::initializer_list<std::string_view> known);

  static std::string Child(const std::string& path, std::string_view name);
  static std::string Index(const std::string& path, size_t i) { return path + '[' + std::to_string(i) + ']'; }

 private:
  const FieldErrorSink& sink_;
  bool failed_ = false;
};

// Reads a metav1.LabelSelector into draft; null leaves draft nil. Checks only types.
void ReadSelector(SelectorJson& in, const json::Value& selector, SelectorPool& pool, SelectorDraft& draft);
// Reads a map of texts and appends it to pool.labels.
Range ReadLabelMap(SelectorJson& in, const std::string& path, const json::Value& map, SelectorPool& pool);

}  // namespace berth::api
