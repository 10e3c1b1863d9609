#include "swap/restart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::swap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

config::Configuration With(const std::string& url, const std::string& key) {
  config::Configuration configuration;
  config::Extender& extender = configuration.extenders.emplace_back();
  extender.url_prefix = url;
  extender.tls.emplace().key_data = key;
  return configuration;
}

TEST(NeedsRestart, ASecretThatChangedIsAChangeThoughNobodyShowsIt) {
  EXPECT_THAT(NeedsRestart(With("https://h", "a"), With("https://h", "a")), IsEmpty());
  EXPECT_THAT(NeedsRestart(With("https://h", "a"), With("https://h", "b")),
              ElementsAre("extenders: changes only with a restart"));
  EXPECT_THAT(NeedsRestart(With("https://a@h", "a"), With("https://b@h", "a")),
              ElementsAre("extenders: changes only with a restart"));
}

}  // namespace
}  // namespace berth::swap
