// Which client certificates are accepted, whom they name, and Go's messages for the others. The openssl tool makes all
// certificates.
#include "client/http/client_trust.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "client/http/x509.h"

namespace berth::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::StartsWith;

constexpr const char* kMakeClients = R"(
set -e
cat >conf <<END
oid_section = oids
[oids]
kube_uid = 1.3.6.1.4.1.57683.2
[req]
distinguished_name = dn
[dn]
END
key() { openssl ecparam -name prime256v1 -genkey -noout -out "$1.key"; }
ca() {  # NAME SUBJECT
  key "$1"
  openssl req -config conf -x509 -new -key "$1.key" -subj "$2" -days 2 -addext basicConstraints=critical,CA:TRUE -addext subjectKeyIdentifier=hash -out "$1.crt"
}
issue() {  # NAME SUBJECT DAYS CA EXTENSIONS [OPTIONS]
  key "$1"
  openssl req -config conf -new -key "$1.key" -subj "$2" -out "$1.csr"
  printf "$5\n" >"$1.ext"
  openssl x509 -req -in "$1.csr" -CA "$4.crt" -CAkey "$4.key" -set_serial 77 -days "$3" -extfile "$1.ext" -out "$1.crt" $6
}
client="basicConstraints=CA:FALSE\nextendedKeyUsage=clientAuth"
ca ca /CN=kubernetes
ca other-ca /CN=other
ca old-ca /CN=kubernetes
issue alice "/CN=nobody/O=system:masters/O=dev/CN=alice" 2 ca "$client"
issue plain /CN=plain 2 ca "basicConstraints=CA:FALSE"
issue any /CN=any 2 ca "extendedKeyUsage=anyExtendedKeyUsage"
issue cipher /CN=cipher 2 ca "$client\nkeyUsage=critical,keyEncipherment"
issue server /CN=server 2 ca "extendedKeyUsage=serverAuth"
issue expired /CN=expired -1 ca "$client"
issue sha1 /CN=sha1 2 ca "$client" -sha1
issue critical /CN=critical 2 ca "$client\n1.2.3.4=critical,ASN1:NULL"
issue with-uid "/CN=bob/kube_uid=b-1" 2 ca "$client"
issue two-uids "/CN=bob/kube_uid=b-1/kube_uid=b-2" 2 ca "$client"
issue nameless "/O=dev" 2 ca "$client"
issue bare /CN=bare 2 old-ca "extendedKeyUsage=clientAuth\nauthorityKeyIdentifier=none\nsubjectKeyIdentifier=none"
issue middle /CN=middle 2 ca "basicConstraints=critical,CA:TRUE"
issue below /CN=below 2 middle "$client"
issue serving-ca /CN=serving-ca 2 ca "basicConstraints=critical,CA:TRUE\nextendedKeyUsage=serverAuth"
issue below-serving /CN=below-serving 2 serving-ca "$client"
issue late-ca /CN=late-ca -1 ca "basicConstraints=critical,CA:TRUE"
issue below-late /CN=below-late 2 late-ca "$client"
issue below-plain /CN=below-plain 2 plain "$client"
)";

class ClientTrustTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string pattern = (std::filesystem::temp_directory_path() / "berth-clients-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    std::ofstream(directory_ + "/make.sh") << kMakeClients;
    const int made = std::system(("cd '" + directory_ + "' && sh make.sh >make.log 2>&1").c_str());
    ASSERT_EQ(made, 0) << Pem("make.log");
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(directory_); }

  static std::string Pem(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(directory_ + "/" + file).rdbuf();
    return text.str();
  }
  static std::string Der(const std::string& name) {
    auto certificates = ReadCertificates(Pem(name + ".crt"));
    if (!certificates) ADD_FAILURE() << name << ": " << certificates.error().message;
    return DerOf(*certificates->front());
  }
  static std::shared_ptr<const ClientTrust> Trust(const std::vector<std::string>& cas) {
    std::string pem = "a line that is no certificate\n";
    for (const std::string& ca : cas) pem += Pem(ca + ".crt");
    auto trust = ClientTrust::Load(pem);
    if (!trust) ADD_FAILURE() << trust.error().message;
    return *trust;
  }
  // The common name, or the error.
  static std::string Verdict(const std::vector<std::string>& cas, const std::vector<std::string>& names) {
    std::vector<std::string> chain;
    for (const std::string& name : names) chain.push_back(Der(name));
    const auto name = Trust(cas)->Verify(chain);
    return name ? name->common_name : name.error().message;
  }

  static std::string directory_;
};
std::string ClientTrustTest::directory_;

TEST_F(ClientTrustTest, NamesTheUserAndItsGroups) {
  const auto name = Trust({"ca"})->Verify({Der("alice")});
  ASSERT_TRUE(name.has_value()) << name.error().message;
  EXPECT_EQ(name->common_name, "alice") << "the last one, as in Go";
  EXPECT_THAT(name->organizations, ElementsAre("system:masters", "dev"));
  EXPECT_EQ(name->uid, "");
  EXPECT_EQ(name->uid_error, "");
  const auto left = name->expires - std::chrono::system_clock::now();
  EXPECT_GT(left, std::chrono::hours(47));
  EXPECT_LE(left, std::chrono::hours(48));
  EXPECT_THAT(name->sha256, MatchesRegex("[0-9a-f]{64}"));
}

TEST_F(ClientTrustTest, ReadsTheUid) {
  auto trust = Trust({"ca"});
  EXPECT_EQ(trust->Verify({Der("with-uid")})->uid, "b-1");
  EXPECT_EQ(trust->Verify({Der("two-uids")})->uid_error, "expected 1 UID, but found multiple: [b-1 b-2]");
  const auto nameless = trust->Verify({Der("nameless")});
  EXPECT_EQ(nameless->common_name, "");
  EXPECT_THAT(nameless->organizations, ElementsAre("dev"));
}

TEST_F(ClientTrustTest, AcceptsWhatGoAccepts) {
  struct Row {
    const char* name;
    std::vector<std::string> cas, chain;
    const char* want;
  };
  const Row rows[] = {
      {.name = "no extended key usage", .cas = {"ca"}, .chain = {"plain"}, .want = "plain"},
      {.name = "any extended key usage", .cas = {"ca"}, .chain = {"any"}, .want = "any"},
      {.name = "a key usage that cannot sign", .cas = {"ca"}, .chain = {"cipher"}, .want = "cipher"},
      {.name = "an intermediate of the client", .cas = {"ca"}, .chain = {"below", "middle"}, .want = "below"},
      {.name = "intermediates in any order",
       .cas = {"ca"},
       .chain = {"below", "other-ca", "middle", "ca"},
       .want = "below"},
      {.name = "a trusted intermediate", .cas = {"middle"}, .chain = {"below"}, .want = "below"},
      {.name = "the second of two CAs", .cas = {"other-ca", "ca"}, .chain = {"plain"}, .want = "plain"},
      {.name = "the first CA of a name", .cas = {"old-ca", "ca"}, .chain = {"bare"}, .want = "bare"},
      {.name = "the second CA of a name", .cas = {"ca", "old-ca"}, .chain = {"bare"}, .want = "bare"},
  };
  for (const Row& row : rows) EXPECT_EQ(Verdict(row.cas, row.chain), row.want) << row.name;
}

TEST_F(ClientTrustTest, RejectsWithGosMessages) {
  struct Row {
    const char* name;
    std::vector<std::string> cas, chain;
    const char* want;
  };
  const char* const unknown = "x509: certificate signed by unknown authority";
  const Row rows[] = {
      {.name = "of another CA", .cas = {"other-ca"}, .chain = {"alice"}, .want = unknown},
      {.name = "of a CA of the same name", .cas = {"old-ca"}, .chain = {"alice"}, .want = unknown},
      {.name = "without its intermediate", .cas = {"ca"}, .chain = {"below"}, .want = unknown},
      {.name = "brings its own CA", .cas = {"ca"}, .chain = {"other-ca"}, .want = unknown},
      {.name = "for servers",
       .cas = {"ca"},
       .chain = {"server"},
       .want = "x509: certificate specifies an incompatible key usage"},
      {.name = "of an intermediate for servers",
       .cas = {"ca"},
       .chain = {"below-serving", "serving-ca"},
       .want = "x509: certificate specifies an incompatible key usage"},
      {.name = "of a certificate that is no CA", .cas = {"ca"}, .chain = {"below-plain", "plain"}, .want = unknown},
      {.name = "expired",
       .cas = {"ca"},
       .chain = {"expired"},
       .want = "x509: certificate has expired or is not yet valid: current time "},
      {.name = "of an expired intermediate",
       .cas = {"ca"},
       .chain = {"below-late", "late-ca"},
       .want = "x509: certificate has expired or is not yet valid: current time "},
      {.name = "signed with SHA-1", .cas = {"ca"}, .chain = {"sha1"}, .want = unknown},
      {.name = "an unknown critical extension",
       .cas = {"ca"},
       .chain = {"critical"},
       .want = "x509: unhandled critical extension"},
  };
  for (const Row& row : rows) EXPECT_THAT(Verdict(row.cas, row.chain), StartsWith(row.want)) << row.name;
}

TEST_F(ClientTrustTest, NamesTheTimesOfACertificateThatIsNotValid) {
  auto trust = Trust({"ca"});
  const std::string der = Der("alice");
  const auto at = [&](std::chrono::hours from_now) {
    const auto name = trust->Verify({der}, std::chrono::system_clock::now() + from_now);
    return name ? name->common_name : name.error().message;
  };
  const std::string when = "[0-9T:-]+Z";
  const std::string begin = "x509: certificate has expired or is not yet valid: current time " + when;
  EXPECT_THAT(at(std::chrono::hours(-2)), MatchesRegex(begin + " is before " + when));
  EXPECT_EQ(at(std::chrono::hours(0)), "alice");
  EXPECT_THAT(at(std::chrono::hours(72)), MatchesRegex(begin + " is after " + when));
}

TEST_F(ClientTrustTest, BytesThatAreNoCertificateAreRejected) {
  auto trust = Trust({"ca"});
  EXPECT_EQ(trust->Verify({"nonsense"}).error().message, "x509: malformed certificate");
  EXPECT_EQ(trust->Verify({Der("alice"), "nonsense"}).error().message, "x509: malformed certificate");
  EXPECT_EQ(trust->Verify({Der("alice") + "x"}).error().message, "x509: malformed certificate");
  EXPECT_FALSE(trust->Verify({}).has_value());
}

TEST_F(ClientTrustTest, ABundleWithoutCertificatesIsAClearError) {
  const char* const none = "data does not contain any valid RSA or ECDSA certificates";
  EXPECT_EQ(ClientTrust::Load("").error().message, none);
  EXPECT_EQ(ClientTrust::Load(Pem("ca.key")).error().message, none);
  EXPECT_EQ(ClientTrust::Load("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").error().message,
            "x509: malformed certificate");
  EXPECT_EQ(ClientTrust::Load("-----BEGIN CERTIFICATE-----\n????\n-----END CERTIFICATE-----\n").error().message, none);
}

TEST_F(ClientTrustTest, IdentifiesACertificateAsUpstream) {
  EXPECT_THAT(CertificateIdentifier(Der("alice")), MatchesRegex("SN=77, SKID=[0-9A-F:]{59}, AKID=[0-9A-F:]{59}"));
  EXPECT_EQ(CertificateIdentifier("nonsense"), "");
}

}  // namespace
}  // namespace berth::http
