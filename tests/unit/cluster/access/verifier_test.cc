// Real certificates, made by the openssl tool, through the verifier of http::ClientTrust.
#include "cluster/access/verifier.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "access_rig.h"
#include "cluster/access/authentication.h"

namespace berth::access {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kMakeCertificates = R"(
set -e
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }
ca() { key "$1"; openssl req -x509 -new -key "$1.key" -subj "/CN=$1" -days 2 -out "$1.crt"; }
ca trusted
ca other
key alice
openssl req -new -key alice.key -subj "/O=dev/O=ops/CN=alice" -out alice.csr
echo extendedKeyUsage=clientAuth >alice.ext
openssl x509 -req -in alice.csr -CA trusted.crt -CAkey trusted.key -set_serial 77 -days 2 -extfile alice.ext -outform DER -out alice.der
)";

std::string TextOf(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(TrustVerifier, AuthenticatesARealCertificate) {
  std::string name = std::filesystem::temp_directory_path() / "berth-verifier-XXXXXX";
  const std::filesystem::path folder = mkdtemp(name.data());
  std::ofstream(folder / "make.sh") << kMakeCertificates;
  const std::string command = "cd '" + folder.string() + "' && sh make.sh >make.log 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << TextOf(folder / "make.log");
  const http::Incoming request = WithCertificate(Get("/"), TextOf(folder / "alice.der"));

  CaBundle bundle("clients", MakeTrustVerifier);
  ASSERT_TRUE(bundle.Set(TextOf(folder / "trusted.crt")));
  const Authentication authentication(AuthenticationParts{.client_ca = &bundle});
  const AuthenticationResult alice = authentication.Authenticate(request);
  ASSERT_TRUE(alice.user) << alice.error;
  EXPECT_EQ(alice.user->name, "alice");
  EXPECT_THAT(alice.user->groups, ElementsAre("dev", "ops", "system:authenticated"));

  const std::vector<std::string> names = authentication.ClientCaNames();
  ASSERT_EQ(names.size(), 1u);
  EXPECT_THAT(names[0], HasSubstr("trusted"));

  ASSERT_TRUE(bundle.Set(TextOf(folder / "other.crt")));
  EXPECT_THAT(authentication.ClientCaNames(), ElementsAre(HasSubstr("other")));
  const AuthenticationResult refused = authentication.Authenticate(request);
  EXPECT_FALSE(refused.user);
  EXPECT_THAT(refused.error, testing::AllOf(HasSubstr("verifying certificate SN=77, "), HasSubstr("x509: ")));

  EXPECT_FALSE(bundle.Set("no certificate"));
  EXPECT_FALSE(authentication.Authenticate(request).user);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace berth::access
