// Opens plugin libraries: read, stage, hash, check, rehearse, map, handshake, in this order, so that no code of a
// library runs before every static check has passed. Independent of profiles. Thread: any number at once; one load at a
// time in the process. Ownership: mapped code belongs to the process; a Loader remembers what it opened, so that equal
// bytes are mapped once.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "berth/abi.h"
#include "plugin/loader/library.h"
#include "plugin/loader/mapping.h"
#include "plugin/loader/name_index.h"
#include "plugin/loader/plugin_directory.h"
#include "plugin/loader/rehearsal.h"
#include "plugin/loader/staging.h"
#include "plugin/loader/trust.h"

namespace berth::loader {

// The most versions of one plugin that a process maps: each takes memory until the process ends.
inline constexpr size_t kMostGenerations = 32;

struct LoaderOptions {
  TrustRules trust;
  StagingOptions staging;
  Rehearse rehearse;  // empty: none
  uint32_t host_minor = BERTH_ABI_MINOR;
};

// A library that this loader mapped, in use or not: hot swaps leave them behind.
struct RetainedLibrary {
  uint32_t generation;
  std::string path, sha256, build_id;
  uint64_t bytes;  // of the file; about the size of the mapping
  bool in_use;     // a Library of it exists
};

class Loader {
 public:
  explicit Loader(LoaderOptions options = {}) : options_(std::move(options)) {}

  // See ScanDirectories and, for each of bound_files, AddBound; with this loader's trust rules.
  Inventory Scan(const std::vector<std::string>& directories, const std::vector<std::string>& bound_files = {}) const;

  // sha256: 64 lower-case hex digits that the file must have; empty: any. Bytes that are mapped already are not loaded
  // again: the result is that of the first time, with the path given now. The error is "<path>: BP-7: ...".
  base::Result<std::shared_ptr<const Library>> Open(const std::string& path, const std::string& sha256 = {});
  base::Result<std::shared_ptr<const Library>> Open(const Offer& offer) { return Open(offer.library, offer.sha256); }

  std::vector<RetainedLibrary> Retained() const;  // by generation

 private:
  using Opened = tl::expected<std::shared_ptr<const Library::Code>, Finding>;
  Opened OpenFile(const std::string& path, const std::string& sha256) REQUIRES(LoadMutex());
  Opened Load(const std::string& path, Inspection inspection, Staged staged) REQUIRES(LoadMutex());
  Opened Introduce(const Mapping& mapping, Inspection inspection) const;

  LoaderOptions options_;
  mutable base::Mutex mutex_;
  std::map<std::string, Opened> opened_ GUARDED_BY(mutex_);  // by digest; including mapped code that was refused
};

}  // namespace berth::loader
