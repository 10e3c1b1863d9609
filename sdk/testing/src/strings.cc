#include "berth/testing/strings.hpp"

#include <cstring>

namespace berth::sdk::testing {

Strings& Strings::Global() {
  static Strings* const strings = new Strings;  // never freed: plugins may outlive main's statics
  return *strings;
}

Id Strings::Intern(std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
  return Add(text);
}

std::string_view Strings::Text(Id id) const {
  const std::lock_guard lock(mutex_);
  return id < texts_.size() ? texts_[id] : std::string_view();
}

Strings::Strings() {
  texts_.emplace_back();  // BERTH_ID_ABSENT
  Add("");                // kEmptyId
}

Id Strings::Add(std::string_view text) {
  const ShownBytes& bytes = memory_.emplace_back(text.size() + 1);
  std::memset(bytes.write(), 0, text.size() + 1);
  if (!text.empty()) std::memcpy(bytes.write(), text.data(), text.size());
  const Id id = static_cast<Id>(texts_.size());
  ids_.emplace(texts_.emplace_back(bytes.show(), text.size()), id);
  return id;
}

Id IdOf(std::string_view text) { return Strings::Global().Intern(text); }

std::string TextOf(Id id) { return std::string(Strings::Global().Text(id)); }

std::vector<std::string> TextsOf(const berth_str* texts, uint32_t n) {
  std::vector<std::string> copies;
  for (uint32_t i = 0; i < n; ++i) copies.emplace_back(View(texts[i]));
  return copies;
}

}  // namespace berth::sdk::testing
