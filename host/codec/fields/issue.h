// Mistakes in a configuration and their positions: "file:line:column: path.to.field: reason". A run collects all of
// them. Thread: one collector, one thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/json/value.h"

namespace berth::fields {

struct Issue {
  std::string file;
  json::Mark mark;     // 0:0 when the position is unknown
  std::string path;    // "profiles[0].plugins.filter"; may be empty
  std::string reason;  // kube-scheduler's message, if it has one
  std::string Text() const;
};

// The position of the value at the path, or of the deepest part of the path that exists.
json::Mark Locate(const json::Value& root, std::string_view path);

std::vector<std::string> TextsOf(const std::vector<Issue>& issues);

// Collects the issues of one document. Borrows its tree.
class Issues {
 public:
  Issues(std::string file, const json::Value& root) : file_(std::move(file)), root_(root) {}

  void Add(std::string path, std::string reason);
  void AddAt(json::Mark mark, std::string path, std::string reason);
  bool empty() const { return issues_.empty(); }
  // The issues in the order of the document, without repetitions.
  std::vector<Issue> Take();

 private:
  std::string file_;
  const json::Value& root_;
  std::vector<Issue> issues_;
};

// The messages of k8s.io/apimachinery's field.Error (pkg/util/validation/field/errors.go). bad is shown as JSON.
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

}  // namespace berth::fields
