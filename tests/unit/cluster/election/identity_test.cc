#include "cluster/election/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace berth::election {
namespace {

TEST(Identity, IsTheHostNameAndARandomUuid) {
  const std::string identity = NewIdentity("node-1");
  EXPECT_THAT(identity,
              testing::MatchesRegex("node-1_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
  EXPECT_NE(identity, NewIdentity("node-1"));
}

TEST(Identity, ContinuesThatOfTheProgramBefore) {
  const std::string before = NewIdentity("node-1");
  setenv(kIdentityVariable, before.c_str(), 1);
  EXPECT_EQ(TakeIdentity("node-1"), before);
  EXPECT_EQ(std::getenv(kIdentityVariable), nullptr);  // child processes do not get it
  EXPECT_NE(TakeIdentity("node-1"), before);
}

TEST(Identity, IsNewWhereTheVariableIsNotOfThisHost) {
  const std::string uuid = NewUuid();
  for (const std::string& text : {std::string(), "node-2_" + uuid, "node-1" + uuid, "node-1_" + uuid + "0",
                                  "node-1_" + uuid.substr(1), "node-1_" + std::string(36, 'a')}) {
    setenv(kIdentityVariable, text.c_str(), 1);
    EXPECT_NE(TakeIdentity("node-1"), text);
  }
}

}  // namespace
}  // namespace berth::election
