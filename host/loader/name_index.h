// From a plugin's name in a profile to the library that offers it: by the libraries' notes, or by a binding where the
// configuration gives one. Built from an inventory; immutable; any thread may read it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "loader/plugin_directory.h"

namespace berth::loader {

// A plugin name of the profiles bound to a library.
struct Binding {
  std::string name;
  std::string library;  // path, or file name within the plugin directories
  std::string plugin;   // inside the library; empty: the same name
  std::string sha256;   // 64 lower-case hex digits; empty: any
};

// Where a name leads.
struct Offer {
  std::string library;  // path
  std::string plugin;   // inside the library
  std::string sha256;   // pinned; empty: any
  std::vector<std::string> points;
  bool args = false;  // the library judges this plugin's args
};

class NameIndex {
 public:
  static NameIndex Build(const Inventory& inventory, const std::vector<Binding>& bindings = {});

  // Is the name offered or bound at all, even if in vain?
  bool Knows(std::string_view name) const { return entries_.contains(name); }
  // Fails when nobody offers the name, when several do and no binding chooses (BP-60), and when its binding leads
  // nowhere (BP-61) or to a file of another digest (BP-4).
  base::Result<Offer> Find(std::string_view name) const;
  std::vector<std::string> Names() const;  // those that Find answers, sorted
  // Is there a library that offered the name, or goes by it, were it not refused? Find says why it was.
  bool WasRefused(std::string_view name) const { return refused_.contains(name); }

 private:
  std::map<std::string, base::Result<Offer>, std::less<>> entries_;
  std::string directories_;
  std::map<std::string, std::string, std::less<>> refused_;  // name -> why the library that offers it was refused
};

}  // namespace berth::loader
