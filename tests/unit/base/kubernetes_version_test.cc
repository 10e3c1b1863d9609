#include "base/kubernetes_version.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::base {
namespace {

TEST(KubernetesVersion, ItsFormsAgree) {
  const std::string major_minor = kKubernetesMajorMinor;
  EXPECT_EQ(major_minor, std::string(kKubernetesMajor) + "." + kKubernetesMinor);
  EXPECT_TRUE(std::string(kKubernetesVersion).starts_with(major_minor + "."));
  EXPECT_EQ(kKubernetesGitVersion, std::string("v") + kKubernetesVersion);
  EXPECT_EQ(kKubernetesEmulationVersion, major_minor + ".0");
}

}  // namespace
}  // namespace berth::base
