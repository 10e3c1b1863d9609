#include "cluster/access/ca_file.h"

#include <chrono>

#include "telemetry/log/log.h"

namespace berth::access {

base::Result<void> CaFile::Load() {
  files_ = {};
  const base::Result<std::string>& text = files_.Read(path_);
  if (!text) return tl::unexpected(text.error());
  const base::Result<bool> changed = bundle_.Set(*text);
  if (!changed) return tl::unexpected(changed.error());
  if (*changed) log::V(2, "Loaded a new CA Bundle and Verifier", {{"name", bundle_.name()}});
  return {};
}

void CaFile::Look() {
  if (!files_.HaveChanged()) return;
  const base::Result<void> loaded = Load();
  if (!loaded && loaded.error().message != error_) {
    log::Error("Unable to load the CA bundle, the old one stays in use",
               {{"name", bundle_.name()}, {"err", loaded.error().message}});
  }
  error_ = loaded ? "" : loaded.error().message;
}

void CaFile::Start() {
  looks_.emplace(std::chrono::seconds(1), [this] { Look(); });
}

}  // namespace berth::access
