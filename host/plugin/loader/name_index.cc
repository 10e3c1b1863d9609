#include "plugin/loader/name_index.h"

#include <filesystem>

#include "base/text.h"
#include "os/crypto/digest.h"

namespace berth::loader {
namespace {

using base::Quoted;

Offer OfferOf(const Inspection& library, const NotedPlugin& plugin) {
  return {library.path, plugin.name, "", plugin.points, plugin.args};
}

// "binding of "Mine": BP-61: ..."
tl::unexpected<base::Error> Refuse(const Binding& binding, Rule rule, const std::string& text) {
  return base::Fail("binding of plugin " + Quoted(binding.name) + ": " + RuleId(rule) + ": " + text);
}

// Why a bound library is not among the usable ones.
std::string WhyMissing(const std::string& library, const Inventory& inventory) {
  for (const Inspection& refused : inventory.refused) {
    if (refused.path == library || std::filesystem::path(refused.path).filename() == library) {
      return "library " + Quoted(library) + " was refused: " + refused.Refusal();
    }
  }
  std::vector<std::string> same_name;
  for (const Inspection& one : inventory.libraries) {
    if (std::filesystem::path(one.path).filename() == library) same_name.push_back(one.path);
  }
  if (same_name.size() > 1)
    return "library " + Quoted(library) + " may be any of " + base::Join(same_name, ", ") + "; give its path";
  return "there is no library " + Quoted(library) + " in the plugin directories (" +
         base::Join(inventory.directories, ", ") + ")";
}

base::Result<Offer> Resolve(const Binding& binding, const Inventory& inventory) {
  const Inspection* library = inventory.FindLibrary(binding.library);
  if (library == nullptr) return Refuse(binding, Rule::kBinding, WhyMissing(binding.library, inventory));
  const std::string& wanted = binding.plugin.empty() ? binding.name : binding.plugin;
  const NotedPlugin* plugin = library->note->Find(wanted);
  if (plugin == nullptr) {
    return Refuse(binding, Rule::kBinding,
                  library->path + " holds no plugin " + Quoted(wanted) + "; it holds " +
                      base::Join(library->note->Names(), ", "));
  }
  if (!binding.sha256.empty() && !crypto::DigestsEqual(binding.sha256, library->sha256)) {
    return Refuse(binding, Rule::kDigest,
                  library->path + " has the SHA-256 " + library->sha256 + ", pinned is " + binding.sha256);
  }
  Offer offer = OfferOf(*library, *plugin);
  offer.sha256 = binding.sha256;
  return offer;
}

base::Result<Offer> Contested(const std::string& name, const std::string& first, const std::string& second) {
  return base::Fail("plugin " + Quoted(name) + ": " + RuleId(Rule::kOneOffer) + ": is offered by " + first +
                    " and by " + second + "; bind the name to one of them in BerthConfiguration");
}

}  // namespace

NameIndex NameIndex::Build(const Inventory& inventory, const std::vector<Binding>& bindings) {
  NameIndex index;
  index.directories_ = base::Join(inventory.directories, ", ");
  std::map<std::string, std::string> first_library;
  for (const Inspection& library : inventory.libraries) {
    for (const NotedPlugin& plugin : library.note->plugins) {
      const auto [first, is_first] = first_library.emplace(plugin.name, library.path);
      if (is_first) {
        index.entries_.emplace(plugin.name, OfferOf(library, plugin));
      } else if (index.entries_.at(plugin.name)) {  // of three libraries, the error names the first two
        index.entries_.at(plugin.name) = Contested(plugin.name, first->second, library.path);
      }
    }
  }
  for (const Inspection& refused : inventory.refused) {
    // Without a readable note, assume that the file is named after its plugin.
    if (!refused.note) index.refused_.emplace(std::filesystem::path(refused.path).stem(), refused.Refusal());
    if (!refused.note) continue;
    for (const NotedPlugin& plugin : refused.note->plugins) index.refused_.emplace(plugin.name, refused.Refusal());
  }
  for (const Binding& binding : bindings) index.entries_.insert_or_assign(binding.name, Resolve(binding, inventory));
  return index;
}

base::Result<Offer> NameIndex::Find(std::string_view name) const {
  if (const auto entry = entries_.find(name); entry != entries_.end()) return entry->second;
  const std::string start =
      "no library in the plugin directories (" + directories_ + ") offers a plugin " + Quoted(name);
  const auto refused = refused_.find(name);
  return base::Fail(refused == refused_.end() ? start : start + " and may be used: " + refused->second);
}

std::vector<std::string> NameIndex::Names() const {
  std::vector<std::string> names;
  for (const auto& [name, offer] : entries_) {
    if (offer) names.push_back(name);
  }
  return names;
}

}  // namespace berth::loader
