// Builds a Value from the events of a parser (JSON here, YAML in host/codec/yaml). It handles the depth limit,
// duplicate keys and marks. Thread: one builder, one thread. The builder owns the tree until Take().
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "codec/json/value.h"

namespace berth::json {

class TreeBuilder {
 public:
  explicit TreeBuilder(int max_depth = kMaxDepth) : max_depth_(max_depth) {}

  // False when the container would be nested deeper than max_depth; the tree is then unusable.
  bool StartObject(Mark mark) { return Start(Value(Object()), mark); }
  bool StartArray(Mark mark) { return Start(Value(Array()), mark); }
  // Names the next value; the innermost container is an object.
  void Key(std::string key, Mark mark);
  // Adds a scalar or a subtree. Returns the stored value; the reference is valid until the next call.
  Value& Add(Value value);
  // Removes and returns the last added value of the innermost container, which is not empty.
  Value TakeLast();
  // Closes the innermost container. Records repeated keys; the last value of a key stays.
  Value& End();

  bool InContainer() const { return !frames_.empty(); }
  // The path of the next value: "profiles[0].plugins".
  std::string Path() const;
  const std::vector<DuplicateKey>& duplicates() const { return duplicates_; }
  Value Take() { return std::move(root_); }

 private:
  struct Frame {
    Value container;
    std::string key;
    Mark key_mark;
  };

  bool Start(Value container, Mark mark);
  void DropRepeatedKeys(Object& members);

  int max_depth_;
  std::vector<Frame> frames_;
  Value root_;
  std::vector<DuplicateKey> duplicates_;
};

}  // namespace berth::json
