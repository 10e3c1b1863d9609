// What stands in the plugin directories: every *.so, inspected, the good ones apart from the refused ones.
// Volumes of Kubernetes are understood: names that begin with a dot ("..data") are passed over, symbolic links
// followed. Called at start, by each reload and by `berthctl plugin list`, on any thread; nothing stays open or mapped.
#pragma once

#include <string>
#include <vector>

#include "berth/abi.h"
#include "loader/inspection.h"
#include "loader/trust.h"

namespace berth::loader {

struct Inventory {
  std::vector<std::string> directories;  // as they were given
  std::vector<Inspection> libraries;     // in the order of directories, then of file names
  std::vector<Inspection> bound;         // files elsewhere that bindings name: they offer nothing unless bound
  std::vector<Inspection> refused;       // also directories that cannot be read (BP-1)

  // By path, or by file name where only one library of the directories has it; nullptr otherwise.
  const Inspection* FindLibrary(const std::string& path_or_name) const;
};

// Directories are searched in the order given, not below; a file that is reached twice counts once, by the first name.
Inventory ScanDirectories(const std::vector<std::string>& directories, const TrustRules& trust = {},
                          uint32_t host_minor = BERTH_ABI_MINOR);

// Looks at a file by its path, unless that has been done: it becomes one of bound, or is refused.
void AddBound(Inventory& inventory, const std::string& path, const TrustRules& trust = {},
              uint32_t host_minor = BERTH_ABI_MINOR);

}  // namespace berth::loader
