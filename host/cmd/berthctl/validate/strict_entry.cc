#include "cmd/berthctl/validate/strict_entry.h"

namespace berth::validate {
namespace {

// Berth's host lets both be NULL; the fake host calls them.
berth_status Nothing(berth_plugin*) { return BERTH_SUCCESS; }
void NothingMore(berth_plugin*) {}

}  // namespace

StrictEntry*& StrictEntry::Next() {
  static StrictEntry* next = nullptr;
  return next;
}

StrictEntry::Entry StrictEntry::AsEntry() {
  entry_ = *library_;
  entry_.create = &Create;
  Next() = this;
  prepare_ = nullptr;
  return &EntryOfNext;
}

const berth_entry* StrictEntry::EntryOfNext(uint32_t) { return &Next()->entry_; }

berth_plugin* StrictEntry::Create(const char* name, const berth_host* host) {
  StrictEntry& self = *Next();
  const berth_host* shown = self.host_.emplace(*host, self.shape_).shown();
  berth_plugin* made = self.prepare_ ? self.prepare_(shown) : nullptr;
  if (made == nullptr) made = self.library_->create(name, shown);
  self.plugin_ = made;
  if (made != nullptr && made->activate == nullptr) made->activate = &Nothing;
  if (made != nullptr && made->deactivate == nullptr) made->deactivate = &NothingMore;
  return made;
}

}  // namespace berth::validate
