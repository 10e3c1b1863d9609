// Typed reading of selectors from configuration values; every wrong type goes to the sink with its path. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/draft_relations.h"
#include "api/selectors.h"
#include "json/value.h"

namespace berth::api {

// Reads one selector's values for a compiler; failed() once anything was reported. Views live as long as the values.
class SelectorJson {
 public:
  explicit SelectorJson(const FieldErrorSink& sink) : sink_(sink) {}

  void Report(std::string_view path, std::string_view detail) {
    failed_ = true;
    sink_(path, detail);
  }
  bool failed() const { return failed_; }

  // Absent and null give "" or an empty array. Members of object other than known are reported.
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

// A metav1.LabelSelector into draft; a value that is null leaves draft nil. Only types are judged.
void ReadSelector(SelectorJson& in, const json::Value& selector, SelectorPool& pool, SelectorDraft& draft);
// A map of texts at path, appended to pool.labels.
Range ReadLabelMap(SelectorJson& in, const std::string& path, const json::Value& map, SelectorPool& pool);

}  // namespace berth::api
