// What is wrong with a configuration and where: "file:line:column: path.to.field: reason". All of it is collected, so
// that one run reports everything. Thread: one collector, one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace berth::config {

struct Issue {
  std::string file;
  json::Mark mark;     // 0:0 when the place is unknown
  std::string path;    // "profiles[0].plugins.filter"; may be empty
  std::string reason;  // in kube-scheduler's words where it has words for it
  std::string Text() const;
};

// Where in the document the value at the path stands, or the deepest part of the path that is there.
json::Mark Locate(const json::Value& root, std::string_view path);

std::vector<std::string> TextsOf(const std::vector<Issue>& issues);

// Gathers issues about one document. Holds a reference to its tree.
class Issues {
 public:
  Issues(std::string file, const json::Value& root) : file_(std::move(file)), root_(root) {}

  void Add(std::string path, std::string reason);
  void AddAt(json::Mark mark, std::string path, std::string reason);
  bool empty() const { return issues_.empty(); }
  // In the order of the document, without repetitions.
  std::vector<Issue> Take();

 private:
  std::string file_;
  const json::Value& root_;
  std::vector<Issue> issues_;
};

// Reasons as k8s.io/apimachinery's field.Error words them (pkg/util/validation/field/errors.go). bad is shown as JSON.
std::string Invalid(const json::Value& bad, std::string_view detail);
// For a bad value that must not be shown.
std::string InvalidUnquoted(std::string_view detail);
std::string Required(std::string_view detail = {});
std::string Duplicate(const json::Value& bad);
std::string Forbidden(std::string_view detail);
std::string Unsupported(const json::Value& bad, const std::vector<std::string>& supported);

// "path.child", or "child" at the root.
std::string Child(std::string_view path, std::string_view name);
std::string Index(std::string_view path, size_t index);

}  // namespace berth::config
