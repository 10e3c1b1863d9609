#include "cmd/berthctl/validate/strict_host.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "plugin/instance/instance.h"

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

}  // namespace

StrictHost::StrictHost(const berth_host& host, HostShape shape)
    : host_(host), shape_(std::move(shape)), shown_(Shaped(&host)) {
  auto* face = shown_.as<berth_host>();
  face->abi_minor = shape_.minor;
  face->service = &Service;
  shown_.Seal();
  Faces& faces = Faces::All();
  const base::MutexLock lock(faces.mutex);
  faces.by_host[face] = this;
}

StrictHost::~StrictHost() {
  Faces& faces = Faces::All();
  const base::MutexLock lock(faces.mutex);
  faces.by_host.erase(shown());
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

const void* StrictHost::Service(const berth_host* shown, const char* id) {
  StrictHost* self = nullptr;
  {
    Faces& faces = Faces::All();
    const base::MutexLock lock(faces.mutex);
    const auto at = faces.by_host.find(shown);
    if (at == faces.by_host.end()) return nullptr;
    self = at->second;
  }
  return self->Find(id);
}

const void* StrictHost::Find(const char* id) {
  if (!shape_.without.empty() && shape_.without == id) return nullptr;
  const void* table = host_.service(&host_, id);
  if (table == nullptr) return nullptr;
  const base::MutexLock lock(mutex_);
  auto at = tables_.find(id);
  if (at == tables_.end()) {
    at = tables_.emplace(id, Shaped(table)).first;
    at->second.Seal();
  }
  return at->second.data();
}

std::shared_ptr<const berth_host> StrictHosts::Decorate(const plugin::Instance& instance, const berth_host& host) {
  if (instance.name() != plugin_) return nullptr;
  auto strict = std::make_shared<StrictHost>(host, shape_);
  const berth_host* shown = strict->shown();
  return {std::move(strict), shown};
}

}  // namespace berth::validate
