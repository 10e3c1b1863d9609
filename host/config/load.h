// The door of host/config: texts in, completed and checked configuration out, every mistake at its place.
// Callers: both programs, at start and at each reload. Thread: any; nothing is kept between calls.
//
//   LoadResult r = Load({{"berth.yaml", text}}, {});
//   for (const Issue& issue : r.errors) std::cerr << issue.Text() << "\n";
//   if (r.ok()) std::cout << PrintV1(r.scheduler);
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/args_judge.h"
#include "config/berth_configuration.h"
#include "config/configuration.h"
#include "config/expand.h"
#include "config/feature_gates.h"
#include "config/issue.h"

namespace berth::config {

struct Source {
  std::string name;  // shown in errors; a file's path
  std::string text;  // YAML or JSON, at most 1 MiB
};

struct LoadOptions {
  FeatureGates gates;
  // Judges args; null = InTreeArgsJudge.
  ArgsJudge* judge = nullptr;
  // Tells which plugins exist; when set, profiles are expanded and what is wrong with that is an error too.
  PointResolver resolver;
  // Why a plugin that a profile enables cannot be had at all, "" = it can, or the resolver will tell. named: the file
  // itself names it, as opposed to the defaults. Told at the plugin's place, once per profile.
  std::function<std::string(const std::string& plugin, bool named)> unavailable;
  // Why no extender can ever be asked at this urlPrefix, "" = one can; holds no secret of it. Unset: nobody looks.
  std::function<std::string(const std::string& url_prefix)> unreachable;
  // Runs before validation: flags that go over the file (--leader-elect...).
  std::function<void(Configuration&)> overlay;
};

struct LoadResult {
  Configuration scheduler;
  BerthConfiguration berth;
  std::vector<ExpandedProfile> profiles;  // of scheduler.profiles, in order; only with a resolver
  std::vector<Issue> errors;              // in the order of sources and lines
  std::vector<Issue> warnings;
  bool ok() const { return errors.empty(); }
};

// Reads KubeSchedulerConfiguration (v1, v1beta3, v1beta2) and BerthConfiguration documents, at most one of each over
// all sources. What is not given has its defaults: without sources the result is kube-scheduler's default
// configuration.
LoadResult Load(const std::vector<Source>& sources, const LoadOptions& options);

}  // namespace berth::config
