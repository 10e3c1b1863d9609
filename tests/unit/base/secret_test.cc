#include "base/secret.h"

#include <gtest/gtest.h>

#include <sstream>
#include <type_traits>

namespace berth::base {
namespace {

std::string Streamed(const auto& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

// A printer that does not handle a secret explicitly does not compile, or prints no secret.
static_assert(!std::is_convertible_v<Secret, std::string> && !std::is_convertible_v<Secret, std::string_view>);
static_assert(!std::is_convertible_v<SecretUrl, std::string> && !std::is_convertible_v<SecretUrl, std::string_view>);

TEST(Secret, IsShownAsAPlaceholderAndComparedByItsValue) {
  const Secret secret = "hunter2";
  EXPECT_EQ(Streamed(secret), kRedacted);
  EXPECT_EQ(secret.Shown(), kRedacted);
  EXPECT_EQ(secret.Reveal(), "hunter2");
  EXPECT_EQ(secret, Secret(std::string("hunter2")));
  EXPECT_NE(secret, Secret("hunter3"));
  EXPECT_TRUE(Secret().empty());
  EXPECT_EQ(Secret().Shown(), "");
}

TEST(SecretUrl, IsShownWithoutAPossiblePassword) {
  const SecretUrl url = "https://me:hunter2@h/p?token=hunter2";
  EXPECT_EQ(url.Shown(), "https://xxxxx@h/p?xxxxx");
  EXPECT_EQ(Streamed(url), url.Shown());
  EXPECT_EQ(SecretUrl("https://h:1/p").Shown(), "https://h:1/p");
  EXPECT_EQ(SecretUrl("https://h/p?a=b@c").Shown(), "https://xxxxx@c");
  EXPECT_EQ(SecretUrl("https://h/p#x").Shown(), "https://h/p?xxxxx");
  EXPECT_NE(url, SecretUrl("https://me:hunter3@h/p?token=hunter2"));
  EXPECT_EQ(SecretUrl().Shown(), "");
}

}  // namespace
}  // namespace berth::base
