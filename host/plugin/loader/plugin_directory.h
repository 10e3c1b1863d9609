// The contents of the plugin directories: every *.so, inspected, and whether the host can use it. Fits volumes of
// Kubernetes: ignores names that begin with a dot ("..data"), and follows symbolic links.
// Callers: start, each reload, and `berthctl plugin list`. Thread: any. Ownership: keeps nothing open or mapped.
#pragma once

#include <string>
#include <vector>

#include "berth/abi.h"
#include "plugin/loader/inspection.h"
#include "plugin/loader/trust.h"

namespace berth::loader {

struct Inventory {
  std::vector<std::string> directories;  // as they were given
  std::vector<Inspection> libraries;     // in the order of directories, then of file names
  std::vector<Inspection> bound;         // files elsewhere that bindings name: they offer only what is bound
  std::vector<Inspection> refused;       // including directories that cannot be read (BP-1)

  // By path, or by file name where only one library of the directories has it; nullptr otherwise.
  const Inspection* FindLibrary(const std::string& path_or_name) const;
};

// Searches the directories in the order given, without subdirectories. A file that is found twice counts once, by its
// first name.
Inventory ScanDirectories(const std::vector<std::string>& directories, const TrustRules& trust = {},
                          uint32_t host_minor = BERTH_ABI_MINOR);

// Inspects a file that is not in the inventory, and adds it to bound or to refused.
void AddBound(Inventory& inventory, const std::string& path, const TrustRules& trust = {},
              uint32_t host_minor = BERTH_ABI_MINOR);

}  // namespace berth::loader
