#include "codec/json/tree_builder.h"

#include <algorithm>
#include <numeric>

namespace berth::json {
namespace {

// The indices of members that repeat the key of an earlier member, in document order.
std::vector<size_t> RepeatedKeys(const Object& members) {
  std::vector<size_t> order(members.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return members[a].first < members[b].first; });
  std::vector<size_t> repeated;
  for (size_t i = 1; i < order.size(); ++i) {
    if (members[order[i]].first == members[order[i - 1]].first) repeated.push_back(order[i]);
  }
  std::sort(repeated.begin(), repeated.end());
  return repeated;
}

// For small objects, which are the usual case, comparing every pair is cheaper than sorting.
bool HasRepeatedKey(const Object& members) {
  constexpr size_t kPairwise = 24;
  if (members.size() > kPairwise) return !RepeatedKeys(members).empty();
  for (size_t i = 1; i < members.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (members[i].first == members[j].first) return true;
    }
  }
  return false;
}

}  // namespace

bool TreeBuilder::Start(Value container, Mark mark) {
  if (static_cast<int>(frames_.size()) >= max_depth_) return false;
  container.set_mark(mark);
  frames_.push_back({std::move(container), {}, {}});
  return true;
}

void TreeBuilder::Key(std::string key, Mark mark) {
  frames_.back().key = std::move(key);
  frames_.back().key_mark = mark;
}

Value& TreeBuilder::Add(Value value) {
  if (frames_.empty()) return root_ = std::move(value);
  Frame& frame = frames_.back();
  if (frame.container.is_array()) return frame.container.mutable_array().emplace_back(std::move(value));
  value.set_key_mark(frame.key_mark);
  return frame.container.mutable_object().emplace_back(std::move(frame.key), std::move(value)).second;
}

Value TreeBuilder::TakeLast() {
  Value& container = frames_.back().container;
  Value last;
  if (container.is_array()) {
    last = std::move(container.mutable_array().back());
    container.mutable_array().pop_back();
  } else {
    last = std::move(container.mutable_object().back().second);
    container.mutable_object().pop_back();
  }
  return last;
}

Value& TreeBuilder::End() {
  Value container = std::move(frames_.back().container);
  frames_.pop_back();
  if (container.is_object()) DropRepeatedKeys(container.mutable_object());
  return Add(std::move(container));
}

void TreeBuilder::DropRepeatedKeys(Object& members) {
  if (!HasRepeatedKey(members)) return;
  const std::string prefix = Path();
  for (size_t index : RepeatedKeys(members)) {
    const std::string& key = members[index].first;
    duplicates_.push_back({prefix.empty() ? key : prefix + "." + key, key, members[index].second.key_mark()});
    const auto first = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.first == key; });
    first->second = std::move(members[index].second);
    members[index].second = Value();
  }
  const std::vector<size_t> repeated = RepeatedKeys(members);
  for (size_t i = repeated.size(); i-- > 0;) members.erase(members.begin() + static_cast<ptrdiff_t>(repeated[i]));
}

std::string TreeBuilder::Path() const {
  std::string path;
  for (const Frame& frame : frames_) {
    if (frame.container.is_array()) {
      path += "[" + std::to_string(frame.container.array().size()) + "]";
    } else {
      if (!path.empty()) path += ".";
      path += frame.key;
    }
  }
  return path;
}

}  // namespace berth::json
