#include "os/crypto/signature.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace berth::crypto {
namespace {

using testing::HasSubstr;

std::string Data(const std::string& name) {
  std::ifstream file(BERTH_TEST_SOURCE_DIR "/tests/data/signatures/" + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::span<const std::byte> Bytes(const std::string& text) { return std::as_bytes(std::span(text)); }

// RFC 8032, 7.1, TEST 2: the public key, the message 0x72 and its signature.
TEST(Signature, VerifiesTheVectorOfTheRfc) {
  const auto unhex = [](std::string_view hex) {
    std::string bytes;
    for (size_t i = 0; i < hex.size(); i += 2) {
      bytes.push_back(static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
    }
    return bytes;
  };
  const std::string raw = unhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
  const std::string signature = unhex(
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
      "b00d"
      "291612bb0c00");
  Ed25519Key key;
  std::copy(Bytes(raw).begin(), Bytes(raw).end(), key.begin());
  EXPECT_TRUE(VerifiesEd25519(key, Bytes(std::string("\x72")), Bytes(signature)));
  EXPECT_FALSE(VerifiesEd25519(key, Bytes(std::string("\x73")), Bytes(signature)));
}

TEST(Signature, IsValidForOneKeyAndOneMessage) {
  const auto trusted = ReadEd25519Key(Data("trusted.pub.pem")), other = ReadEd25519Key(Data("other.pub.pem"));
  ASSERT_TRUE(trusted) << trusted.error().message;
  ASSERT_TRUE(other) << other.error().message;
  const std::string message = Data("message"), signature = Data("message.sig");
  ASSERT_EQ(signature.size(), kEd25519SignatureSize);
  EXPECT_TRUE(VerifiesEd25519(*trusted, Bytes(message), Bytes(signature)));
  EXPECT_FALSE(VerifiesEd25519(*other, Bytes(message), Bytes(signature)));
  EXPECT_FALSE(VerifiesEd25519(*trusted, Bytes(message + "."), Bytes(signature)));
  EXPECT_FALSE(VerifiesEd25519(*trusted, Bytes(message), Bytes(signature.substr(0, 63))));
  EXPECT_FALSE(VerifiesEd25519(*trusted, Bytes(message), {}));
  std::string flipped = signature;
  flipped[10] = static_cast<char>(flipped[10] ^ 1);
  EXPECT_FALSE(VerifiesEd25519(*trusted, Bytes(message), Bytes(flipped)));
}

TEST(Signature, KeysAreEd25519InPem) {
  EXPECT_THAT(ReadEd25519Key("").error().message, HasSubstr("must be a public key in PEM"));
  EXPECT_THAT(ReadEd25519Key("MCowBQYDK2VwAyEA").error().message, HasSubstr("must be a public key in PEM"));
  EXPECT_EQ(ReadEd25519Key(Data("rsa.pub.pem")).error().message, "must be an ed25519 key");
  EXPECT_THAT(ReadEd25519Key("-----BEGIN PRIVATE KEY-----\nMC4C\n").error().message, HasSubstr("is a private key"));
}

}  // namespace
}  // namespace berth::crypto
