#include "telemetry/metrics/version_metrics.h"

#include "base/kubernetes_version.h"
#include "telemetry/metrics/kube_families.h"

namespace berth::metrics {
namespace {

#if defined(__aarch64__)
constexpr const char* kPlatform = "linux/arm64";
#else
constexpr const char* kPlatform = "linux/amd64";
#endif

// Labels about a Go build are empty.
const Labels kBuild{{"major", base::kKubernetesMajor},
                    {"minor", base::kKubernetesMinor},
                    {"git_version", base::kKubernetesGitVersion},
                    {"git_commit", ""},
                    {"git_tree_state", ""},
                    {"build_date", ""},
                    {"go_version", ""},
                    {"compiler", "g++ " __VERSION__},
                    {"platform", kPlatform}};

}  // namespace

void AddVersionMetrics(Registry& registry, const std::vector<Feature>& features) {
  registry.Declare(VersionFamilies());
  registry.GaugeOf("kubernetes_build_info", kBuild).Set(1);
  registry
      .GaugeOf("version_info", {{"component", "kube"},
                                {"binary", base::kKubernetesMajorMinor},
                                {"emulation", base::kKubernetesMajorMinor},
                                {"min_compat", "1.35"}})
      .Set(1);
  for (const Feature& feature : features) {
    registry.GaugeOf("kubernetes_feature_enabled", {{"name", feature.name}, {"stage", feature.stage}})
        .Set(feature.enabled ? 1 : 0);
  }
}

}  // namespace berth::metrics
