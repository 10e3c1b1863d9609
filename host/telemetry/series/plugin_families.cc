#include "telemetry/series/plugin_families.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace berth::series {

bool PluginFamilies::Disabled(std::string_view name) const { return gate_ != nullptr && gate_->Disabled(name); }

void PluginFamilies::Share(Definition definition) {
  const base::MutexLock lock(mutex_);
  const std::string name = definition.name;
  auto family = std::make_unique<BoundedFamily>(name, std::move(definition), limits_);
  if (family->definition().labels.empty()) family->At({}, nullptr);
  entries_[name].definitions.push_back(std::move(family));
}

base::Result<BoundedFamily*> PluginFamilies::Define(std::string_view plugin, Definition definition, User user) {
  if (const std::string mistake = MistakeIn(definition, limits_); !mistake.empty()) return base::Fail(mistake);
  const std::string name = CustomName(plugin, definition.name);
  const base::MutexLock lock(mutex_);
  auto at = entries_.find(name);
  if (at != entries_.end() && at->second.plugin != plugin) {
    return base::Fail("name: " + name + " is a family of plugin " + base::Quoted(at->second.plugin));
  }
  if (at == entries_.end()) {
    if (FamiliesOf(plugin) >= limits_.families) ForgetUnused(plugin);
    if (FamiliesOf(plugin) >= limits_.families) {
      return base::Fail("the plugin has " + std::to_string(limits_.families) + " families, and may not have more");
    }
    at = entries_.emplace(name, Entry{std::string(plugin), {}}).first;
  }
  Entry& entry = at->second;
  BoundedFamily* family = FindDefinition(entry, definition);
  if (family == nullptr) {
    if (Uses(entry, user)) return base::Fail("name: the plugin has this family already, with another definition");
    family =
        entry.definitions.emplace_back(std::make_unique<BoundedFamily>(name, std::move(definition), limits_)).get();
  }
  family->AddUser(user);
  Prune(entry);
  return family;
}

BoundedFamily* PluginFamilies::Shared(std::string_view name, User user) {
  const base::MutexLock lock(mutex_);
  const auto at = entries_.find(name);
  if (at == entries_.end() || !at->second.plugin.empty()) return nullptr;
  BoundedFamily* family = at->second.definitions.front().get();
  family->AddUser(user);
  return family;
}

Found PluginFamilies::At(BoundedFamily& family, std::vector<std::string> values, User user) {
  if (Disabled(family.name())) return {nullptr, Lack::kDisabled};
  const std::vector<std::string>& names = family.definition().labels;
  if (gate_ != nullptr && values.size() == names.size()) {
    LabelValues labels;
    for (size_t i = 0; i < names.size(); ++i) labels[names[i]] = values[i];
    gate_->Constrain(family.name(), labels);
    for (size_t i = 0; i < names.size(); ++i) values[i] = labels[names[i]];
  }
  const base::MutexLock lock(mutex_);
  return family.At(std::move(values), user);
}

void PluginFamilies::Release(User user) {
  const base::MutexLock lock(mutex_);
  for (auto& [name, entry] : entries_) {
    for (const auto& family : entry.definitions) family->Release(user);
    Prune(entry);
  }
}

std::vector<FamilySamples> PluginFamilies::Collect() const {
  std::vector<FamilySamples> all;
  const base::MutexLock lock(mutex_);
  for (const auto& [name, entry] : entries_) {
    if (Disabled(name)) continue;
    const BoundedFamily& served = *entry.definitions.front();
    all.push_back({name, served.definition(), served.Samples()});
  }
  return all;
}

size_t PluginFamilies::FamiliesOf(std::string_view plugin) const {
  return static_cast<size_t>(
      std::count_if(entries_.begin(), entries_.end(), [&](const auto& one) { return one.second.plugin == plugin; }));
}

// Those of an earlier version of the library.
void PluginFamilies::ForgetUnused(std::string_view plugin) {
  std::erase_if(entries_, [&](const auto& one) {
    return one.second.plugin == plugin && !one.second.definitions.front()->used();
  });
}

BoundedFamily* PluginFamilies::FindDefinition(Entry& entry, const Definition& definition) {
  for (const auto& family : entry.definitions) {
    if (family->definition() == definition) return family.get();
  }
  return nullptr;
}

bool PluginFamilies::Uses(const Entry& entry, User user) {
  return std::any_of(entry.definitions.begin(), entry.definitions.end(),
                     [user](const auto& family) { return family->UsedBy(user); });
}

// One definition stays without users, so that its counters continue when an instance uses it again.
void PluginFamilies::Prune(Entry& entry) {
  auto& all = entry.definitions;
  const auto used = std::find_if(all.begin(), all.end(), [](const auto& family) { return family->used(); });
  if (used != all.end()) all.erase(all.begin(), used);
  if (all.size() > 1) {
    all.erase(std::remove_if(all.begin() + 1, all.end(), [](const auto& family) { return !family->used(); }),
              all.end());
  }
}

}  // namespace berth::series
