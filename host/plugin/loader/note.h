// The note of a library: its plugins and the ABI that it was built against, before any of its code runs.
// Fields: berth/entry.h. Ignores unknown fields. Thread: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "codec/json/value.h"
#include "plugin/loader/elf.h"
#include "plugin/loader/rule.h"

namespace berth::loader {

inline constexpr uint32_t kMostPlugins = 64;     // per library
inline constexpr size_t kMostSampleArgs = 4096;  // bytes of JSON without white space

struct NotedPlugin {
  std::string name;
  std::vector<std::string> points;  // Kubernetes' spelling: "preFilter"
  bool args = false;                // offers BERTH_LIBRARY_ARGS
  std::vector<std::string> needs;   // service ids
  json::Value sample_args;          // for trying the plugin without configured args; null: none
};

struct Note {
  uint32_t abi_major = 0, abi_minor = 0;
  uint32_t min_host = 0;
  std::string sdk, version;
  std::vector<std::string> draft;  // draft tables it uses: "reserve/1"
  std::vector<NotedPlugin> plugins;

  const NotedPlugin* Find(std::string_view plugin) const;
  std::vector<std::string> Names() const;
};

// Finds the note among a library's notes and parses it. Fails with BP-22 to BP-27; does not read the rest of a
// note of another ABI major.
tl::expected<Note, Finding> ReadNote(const ElfFacts& elf, uint32_t host_minor);

// Parses the JSON text alone. Fails with BP-24 to BP-27.
tl::expected<Note, Finding> ParseNote(std::string_view text, uint32_t host_minor);

}  // namespace berth::loader
