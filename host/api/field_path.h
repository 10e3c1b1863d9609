// The path of a field in an object, for errors. Thread: any.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace berth::api {

// One part of a path: a name, an index into a list, or both ("matchExpressions[0]"). Each part lives on the stack of a
// check and must outlive the parts that Child makes of it. Only an error composes the text, so a check that finds no
// error allocates nothing.
struct FieldPath {
  const FieldPath* parent = nullptr;  // borrowed; nullptr: this part is the first one
  std::string_view name;              // "": none
  std::optional<size_t> index;

  FieldPath Child(std::string_view child) const& { return {this, child, std::nullopt}; }
  FieldPath Child(std::string_view list, size_t i) const& { return {this, list, i}; }
  FieldPath Child(std::string_view child) && = delete;
  FieldPath Child(std::string_view list, size_t i) && = delete;

  // "nodeSelectorTerms[0].matchExpressions[1].key"
  std::string Text() const {
    std::string text = parent != nullptr ? parent->Text() : "";
    if (!text.empty() && !name.empty()) text += '.';
    text += name;
    if (index) text.append("[").append(std::to_string(*index)).append("]");
    return text;
  }
};

}  // namespace berth::api
