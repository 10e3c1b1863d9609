#include "os/crypto/digest.h"

#include <gtest/gtest.h>

#include <string>

namespace berth::crypto {
namespace {

std::span<const std::byte> Bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

// The vectors of FIPS 180-4's examples.
TEST(Sha256Hex, KnownAnswers) {
  EXPECT_EQ(Sha256Hex({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256Hex(Bytes("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(Bytes(std::string(1'000'000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Hex, BytesAfterANulCount) {
  EXPECT_NE(Sha256Hex(Bytes(std::string("a\0b", 3))), Sha256Hex(Bytes(std::string("a\0c", 3))));
}

TEST(IsSha256Hex, RequiresLowerCaseHex) {
  const std::string good = Sha256Hex({});
  EXPECT_TRUE(IsSha256Hex(good));
  EXPECT_FALSE(IsSha256Hex(""));
  EXPECT_FALSE(IsSha256Hex(good.substr(1)));
  EXPECT_FALSE(IsSha256Hex(good + "0"));
  EXPECT_FALSE(IsSha256Hex("sha256:" + good.substr(7)));
  EXPECT_FALSE(IsSha256Hex("E" + good.substr(1)));
  EXPECT_FALSE(IsSha256Hex("g" + good.substr(1)));
}

TEST(ReadSha256, AcceptsTheFormsThatUsersWrite) {
  const std::string good = Sha256Hex({}), capitals = "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855";
  for (const std::string& text : {good, "sha256:" + good, capitals, "sha256:" + capitals}) {
    EXPECT_EQ(ReadSha256(text), good) << text;
  }
}

TEST(ReadSha256, RejectsOtherTexts) {
  const std::string good = Sha256Hex({});
  for (const std::string& text :
       {std::string(), std::string("sha256:"), good.substr(1), good + "0", "sha256:sha256:" + good, "SHA256:" + good,
        " " + good, "g" + good.substr(1), "sha512:" + good}) {
    EXPECT_EQ(ReadSha256(text), std::nullopt) << text;
  }
}

TEST(DigestsEqual, ComparesLengthAndContent) {
  EXPECT_TRUE(DigestsEqual("abcd", "abcd"));
  EXPECT_TRUE(DigestsEqual("", ""));
  EXPECT_FALSE(DigestsEqual("abcd", "abce"));
  EXPECT_FALSE(DigestsEqual("abcd", "abc"));
  EXPECT_FALSE(DigestsEqual("abcd", ""));
}

}  // namespace
}  // namespace berth::crypto
