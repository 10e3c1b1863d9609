// Reads a plugin file into memory: consistent bytes of a trusted file. Callers: inspection and opening. Thread: any.
// Ownership: keeps nothing open.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/fd/file_descriptor.h"
#include "plugin/loader/rule.h"
#include "plugin/loader/trust.h"

namespace berth::loader {

inline constexpr size_t kLargestFile = size_t{512} << 20;

struct PluginFile {
  std::vector<std::byte> bytes;
  uint64_t device = 0, inode = 0;
};

// Fails with BP-1, BP-2 or BP-3. progress is called before and after the bytes are read, for tests that change the
// file.
tl::expected<PluginFile, Finding> ReadPluginFile(const std::string& path, const TrustRules& trust,
                                                 const std::function<void()>& progress = {});

}  // namespace berth::loader
