// Lets the plugins check their args: each library with an args table completes and checks the args of its plugins. If a
// library is missing, the rules for in-tree args apply instead.
// Thread: one at a time. Ownership: refers to catalog and gates.
#pragma once

#include <string>

#include "api/intern_tables.h"
#include "config/configuration/args_validator.h"
#include "plugin/instance/services.h"
#include "policy/assembly/library_catalog.h"

namespace berth::assembly {

class LibraryArgsValidator final : public config::InTreeArgsValidator {
 public:
  // services: value/1 and selectors/1 are what a plugin may use while it checks them.
  LibraryArgsValidator(LibraryCatalog& catalog, plugin::Services& services, const config::FeatureGates& gates)
      : InTreeArgsValidator(gates), catalog_(catalog), services_(services) {}

  json::Value Complete(const std::string& plugin, json::Value args) override;
  void Check(const std::string& plugin, const json::Value& args, const Sink& sink) override;
  json::Value Sample(const std::string& plugin) override;

 private:
  // The plugin's own args table, and the library that contains it; null if it has none.
  const berth_args* ArgsTableOf(const std::string& plugin);

  LibraryCatalog& catalog_;
  plugin::Services& services_;
};

}  // namespace berth::assembly
