// The self-signed certificate, read by the openssl tool.
#include "os/crypto/self_signed.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace berth::crypto {
namespace {

using testing::HasSubstr;
using testing::Not;

class SelfSignedTest : public testing::Test {
 protected:
  SelfSignedTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "berth-self-signed-XXXXXX").string();
    EXPECT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  ~SelfSignedTest() override { std::filesystem::remove_all(directory_); }

  // The certificate, its CA and its key as cert.pem, ca.pem, key.pem.
  void Make(const SelfSignedNames& names,
            std::chrono::system_clock::time_point now = std::chrono::system_clock::now()) {
    const auto made = MakeSelfSigned(names, now);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    const size_t second = made->certificate_pem.find("-----BEGIN", 1);
    ASSERT_NE(second, std::string::npos);
    std::ofstream(directory_ + "/cert.pem") << made->certificate_pem.substr(0, second);
    std::ofstream(directory_ + "/ca.pem") << made->certificate_pem.substr(second);
    std::ofstream(directory_ + "/key.pem") << made->key_pem;
  }
  // What the openssl tool prints.
  std::string Openssl(const std::string& arguments) const {
    FILE* out = popen(("cd '" + directory_ + "' && openssl " + arguments + " 2>&1").c_str(), "r");
    std::string text;
    char piece[4096];
    while (const size_t n = fread(piece, 1, sizeof(piece), out)) text.append(piece, n);
    pclose(out);
    return text;
  }
  std::string directory_;
};

TEST_F(SelfSignedTest, IsSignedByItsCaForServers) {
  Make({.host = "localhost", .ips = {"127.0.0.1"}, .dns = {"localhost"}});
  EXPECT_EQ(Openssl("verify -x509_strict -purpose sslserver -CAfile ca.pem cert.pem"), "cert.pem: OK\n");
  EXPECT_THAT(Openssl("verify -purpose sslclient -CAfile ca.pem cert.pem"), Not(HasSubstr("OK")));
  EXPECT_EQ(Openssl("x509 -in cert.pem -pubkey -noout"), Openssl("pkey -in key.pem -pubout"));
  const std::string text = Openssl("x509 -in cert.pem -noout -text");
  EXPECT_THAT(text, testing::ContainsRegex("Subject: CN = localhost@[0-9]+\n"));
  EXPECT_THAT(text, testing::ContainsRegex("Issuer: CN = localhost-ca@[0-9]+\n"));
  EXPECT_THAT(text, HasSubstr("DNS:localhost, DNS:localhost, IP Address:127.0.0.1\n"));
}

TEST_F(SelfSignedTest, NamesAddressesOfBothFamilies) {
  Make({.host = "10.0.0.1", .ips = {"127.0.0.1", "fd00::7"}});
  EXPECT_THAT(Openssl("x509 -in cert.pem -noout -ext subjectAltName"),
              HasSubstr("IP Address:10.0.0.1, IP Address:127.0.0.1, IP Address:FD00:0:0:0:0:0:0:7\n"));
}

TEST_F(SelfSignedTest, IsValidForAYear) {
  Make({.host = "localhost", .ips = {}},
       std::chrono::system_clock::from_time_t(1'800'000'000));  // Jan 15 08:00:00 2027
  EXPECT_EQ(Openssl("x509 -in cert.pem -noout -dates"),
            "notBefore=Jan 15 07:00:00 2027 GMT\nnotAfter=Jan 15 07:00:00 2028 GMT\n");
  EXPECT_EQ(Openssl("x509 -in ca.pem -noout -dates"), Openssl("x509 -in cert.pem -noout -dates"));
}

TEST_F(SelfSignedTest, HasASerialNumberOfItsOwn) {
  Make({.host = "localhost", .ips = {}});
  const std::string first = Openssl("x509 -in cert.pem -noout -serial");
  EXPECT_NE(first, Openssl("x509 -in ca.pem -noout -serial"));
  Make({.host = "localhost", .ips = {}});
  EXPECT_NE(Openssl("x509 -in cert.pem -noout -serial"), first);
}

TEST_F(SelfSignedTest, AnAddressThatIsNoneIsAClearError) {
  const auto made = MakeSelfSigned({.host = "localhost", .ips = {"nowhere"}});
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().message, "one of the addresses is no IP address");
}

}  // namespace
}  // namespace berth::crypto
