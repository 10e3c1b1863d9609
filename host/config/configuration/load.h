// The entry point of host/config/configuration: it turns texts into a completed and checked configuration, and reports
// every mistake with its position. Callers: both programs, at start and at each reload. Thread: any; nothing is kept
// between calls.
//
//   LoadResult r = Load({{"berth.yaml", text}}, {});
//   for (const Issue& issue : r.errors) std::cerr << issue.Text() << "\n";
//   if (r.ok()) std::cout << PrintV1(r.scheduler);
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codec/fields/issue.h"
#include "codec/yaml/yaml_documents.h"
#include "config/configuration/args_validator.h"
#include "config/configuration/berth_configuration.h"
#include "config/configuration/configuration.h"
#include "config/configuration/expand.h"
#include "config/configuration/feature_gates.h"

namespace berth::config {

struct Source {
  std::string name;  // shown in errors; a file's path
  std::string text;  // YAML or JSON, at most 1 MiB
};

// The documents of one source, each value with its position, and why the text could not be read to its end.
struct ParsedSource {
  std::string name;  // Source::name
  std::vector<yaml::YamlDocument> documents;
  std::optional<yaml::YamlFault> fault;  // behind the documents
};

struct LoadOptions {
  FeatureGates gates;
  // Checks args; null = InTreeArgsValidator.
  ArgsValidator* args_validator = nullptr;
  // Knows which plugins exist. When it is set, profiles are expanded, and faults of the expansion are errors too.
  PointResolver resolver;
  // Why a plugin that a profile enables is not available; "" = it is, or the resolver reports it. named: the file
  // itself names the plugin, as opposed to the defaults. The reason is reported at the plugin's position, once per
  // profile.
  std::function<std::string(const std::string& plugin, bool named)> unavailable;
  // Why no extender can be called at this urlPrefix, "" = one can; contains no secret of it. Unset: no check.
  std::function<std::string(const std::string& url_prefix)> unreachable;
  // Runs before validation: applies the flags that override the file (--leader-elect...).
  std::function<void(Configuration&)> overlay;
};

struct LoadResult {
  Configuration scheduler;
  BerthConfiguration berth;
  std::vector<ExpandedProfile> profiles;  // of scheduler.profiles, in order; only with a resolver
  std::vector<fields::Issue> errors;      // in the order of sources and lines
  std::vector<fields::Issue> warnings;
  bool ok() const { return errors.empty(); }
};

// Reads KubeSchedulerConfiguration (v1, v1beta3, v1beta2) and BerthConfiguration documents, at most one of each in all
// sources. Absent fields get their defaults: without sources the result is kube-scheduler's default configuration.
LoadResult Load(const std::vector<Source>& sources, const LoadOptions& options);

// The two halves of Load. A caller that completes one configuration several times, each time with other options, parses
// it once.
std::vector<ParsedSource> Parse(const std::vector<Source>& sources);
LoadResult Complete(const std::vector<ParsedSource>& sources, const LoadOptions& options);

}  // namespace berth::config
