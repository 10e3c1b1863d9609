#include "cmd/berthctl/validate/strict_host.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

namespace berth::validate {
namespace {

[[noreturn]] void Unknown() {
  constexpr std::string_view kText = "a function of a later host was called\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText.data(), kText.size());
  abort();
}

// The StrictHost of each berth_host that a plugin got.
struct Faces {
  base::Mutex mutex;
  std::map<const berth_host*, StrictHost*> by_host GUARDED_BY(mutex);
  static Faces& All() {
    static auto* const faces = new Faces;
    return *faces;
  }
};

// The host lets both be NULL; the fake host calls them.
berth_status Nothing(berth_plugin*) { return BERTH_SUCCESS; }
void NothingMore(berth_plugin*) {}

}  // namespace

StrictHost::~StrictHost() {
  if (shown_ == nullptr) return;
  Faces& faces = Faces::All();
  const base::MutexLock lock(faces.mutex);
  faces.by_host.erase(shown_->as<berth_host>());
}

StrictHost*& StrictHost::Next() {
  static StrictHost* next = nullptr;
  return next;
}

StrictHost::Entry StrictHost::AsEntry() {
  entry_ = *library_;
  entry_.create = &Create;
  Next() = this;
  prepare_ = nullptr;
  return &EntryOfNext;
}

const berth_entry* StrictHost::EntryOfNext(uint32_t) { return &Next()->entry_; }

berth_plugin* StrictHost::Create(const char* name, const berth_host* host) {
  StrictHost& self = *Next();
  self.Show(host);
  const berth_host* shown = self.shown_->as<berth_host>();
  berth_plugin* made = self.prepare_ ? self.prepare_(shown) : nullptr;
  if (made == nullptr) made = self.library_->create(name, shown);
  self.plugin_ = made;
  if (made != nullptr && made->activate == nullptr) made->activate = &Nothing;
  if (made != nullptr && made->deactivate == nullptr) made->deactivate = &NothingMore;
  return made;
}

Guarded StrictHost::Shaped(const void* table) const {
  uint32_t size = 0;
  std::memcpy(&size, table, sizeof size);
  const uint32_t whole = size + shape_.later_members * static_cast<uint32_t>(sizeof(void*));
  Guarded shaped(whole);
  std::memcpy(shaped.data(), table, size);
  std::memcpy(shaped.data(), &whole, sizeof whole);
  for (uint32_t at = size; at < whole; at += sizeof(void*)) {
    const auto unknown = &Unknown;
    std::memcpy(shaped.as<char>() + at, &unknown, sizeof unknown);
  }
  return shaped;
}

void StrictHost::Show(const berth_host* host) {
  real_ = host;
  shown_ = std::make_unique<Guarded>(Shaped(host));
  auto* face = shown_->as<berth_host>();
  face->abi_minor = shape_.minor;
  face->service = &Service;
  shown_->Seal();
  Faces& faces = Faces::All();
  const base::MutexLock lock(faces.mutex);
  faces.by_host[face] = this;
}

const void* StrictHost::Service(const berth_host* face, const char* id) {
  StrictHost* self = nullptr;
  {
    Faces& faces = Faces::All();
    const base::MutexLock lock(faces.mutex);
    const auto at = faces.by_host.find(face);
    if (at == faces.by_host.end()) return nullptr;
    self = at->second;
  }
  return self->Find(id);
}

const void* StrictHost::Find(const char* id) {
  const void* table = real_->service(real_, id);
  if (table == nullptr) return nullptr;
  const base::MutexLock lock(mutex_);
  auto at = tables_.find(id);
  if (at == tables_.end()) {
    at = tables_.emplace(id, Shaped(table)).first;
    at->second.Seal();
  }
  return at->second.data();
}

}  // namespace berth::validate
