// Finds the library that offers a plugin name of a profile: by the notes of the libraries, or by a binding where the
// configuration has one. Built from an inventory; immutable. Thread: any.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plugin/loader/plugin_directory.h"

namespace berth::loader {

// A plugin name of the profiles bound to a library.
struct Binding {
  std::string name;
  std::string library;  // path, or file name within the plugin directories
  std::string plugin;   // inside the library; empty: the same name
  std::string sha256;   // 64 lower-case hex digits; empty: any
};

// The library and plugin of a name.
struct Offer {
  std::string library;  // path
  std::string plugin;   // inside the library
  std::string sha256;   // pinned; empty: any
  std::vector<std::string> points;
  bool args = false;  // the library checks this plugin's args
};

class NameIndex {
 public:
  static NameIndex Build(const Inventory& inventory, const std::vector<Binding>& bindings = {});

  // Whether a library offers the name, or a binding names it, even if Find fails.
  bool Knows(std::string_view name) const { return entries_.contains(name); }
  // Fails when no library offers the name, when several do and no binding chooses (BP-60), and when its binding names
  // no library (BP-61) or a file with another digest (BP-4).
  base::Result<Offer> Find(std::string_view name) const;
  std::vector<std::string> Names() const;  // for which Find succeeds, sorted
  // Whether a refused library offers the name, or has it as its file name. The error of Find says why it was refused.
  bool WasRefused(std::string_view name) const { return refused_.contains(name); }

 private:
  std::map<std::string, base::Result<Offer>, std::less<>> entries_;
  std::string directories_;
  std::map<std::string, std::string, std::less<>> refused_;  // name -> why the library that offers it was refused
};

}  // namespace berth::loader
