// The families that plugins define, by plugin, and the families of the host that plugins record into.
//
// A name has one definition as long as an instance uses it. Another definition, of another version of the library, is
// kept beside it and takes its place when its last user has gone.
//
// Thread: any; a lock is held for each function, and none for a record into a cell. Ownership: owns families and cells.
// A family lives as long as a user uses it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/thread_annotations.h"
#include "telemetry/series/bounded_family.h"
#include "telemetry/series/definition.h"

namespace berth::series {

using LabelValues = std::map<std::string, std::string>;  // by name of the label

// Which families are served, and which values their labels may have.
class Gate {
 public:
  virtual ~Gate() = default;
  virtual bool Disabled(std::string_view family) const = 0;
  // Replaces values that are not allowed.
  virtual void Constrain(std::string_view family, LabelValues& labels) const = 0;
};

// A family at one moment. name: the one on the page.
struct FamilySamples {
  std::string name;
  Definition definition;
  std::vector<Sample> samples;
};

class PluginFamilies {
 public:
  explicit PluginFamilies(const Limits& limits) : limits_(limits) {}
  PluginFamilies(const PluginFamilies&) = delete;

  // Before the first plugin. gate outlives the plugins.
  void SetGate(const Gate& gate) { gate_ = &gate; }
  // A family of the host. Without labels it has its series from now on.
  void Share(Definition definition);

  // The family of a plugin with this definition, which user uses from now on. The error names the field.
  base::Result<BoundedFamily*> Define(std::string_view plugin, Definition definition, User user);
  // A shared family, which user uses from now on; null: there is none of that name.
  BoundedFamily* Shared(std::string_view name, User user);
  // family: one that user uses.
  Found At(BoundedFamily& family, std::vector<std::string> values, User user);
  // user has gone.
  void Release(User user);

  std::vector<FamilySamples> Collect() const;  // those that are not disabled, by name

 private:
  struct Entry {
    std::string plugin;                                       // "": shared
    std::vector<std::unique_ptr<BoundedFamily>> definitions;  // the first is served
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  bool Disabled(std::string_view name) const;
  size_t FamiliesOf(std::string_view plugin) const REQUIRES(mutex_);
  void ForgetUnused(std::string_view plugin) REQUIRES(mutex_);
  static BoundedFamily* FindDefinition(Entry& entry, const Definition& definition);
  static bool Uses(const Entry& entry, User user);
  static void Prune(Entry& entry);

  const Limits limits_;
  const Gate* gate_ = nullptr;
  mutable base::Mutex mutex_;
  Entries entries_ GUARDED_BY(mutex_);  // by name on the page
};

}  // namespace berth::series
