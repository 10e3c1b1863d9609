// Go's names for versions, cipher suites and key exchanges.
#include "client/http/go_tls_names.h"

#include <gmock/gmock.h>

namespace berth::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(GoTlsNames, Versions) {
  EXPECT_EQ(TlsVersionOf("").value(), 0x0303);
  EXPECT_EQ(TlsVersionOf("VersionTLS10").value(), 0x0301);
  EXPECT_EQ(TlsVersionOf("VersionTLS13").value(), 0x0304);
  EXPECT_EQ(TlsVersionOf("TLS13").error().message, "unknown tls version \"TLS13\"");
}

TEST(GoTlsNames, DefaultCipherSuitesAreGos) {
  const auto choice = CipherSuitesOf({});
  EXPECT_EQ(choice->openssl,
            "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
            "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:"
            "ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA");
  EXPECT_THAT(choice->insecure, IsEmpty());
}

TEST(GoTlsNames, ChoosesCipherSuitesInGosOrder) {
  const auto choice =
      CipherSuitesOf({"TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305",
                      "TLS_RSA_WITH_RC4_128_SHA", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"});
  EXPECT_EQ(choice->openssl, "ECDHE-RSA-CHACHA20-POLY1305:AES128-SHA");
  EXPECT_THAT(choice->insecure, ElementsAre("TLS_RSA_WITH_AES_128_CBC_SHA", "TLS_RSA_WITH_RC4_128_SHA"));
  EXPECT_THAT(choice->unavailable, ElementsAre("TLS_RSA_WITH_RC4_128_SHA"));
  EXPECT_EQ(CipherSuitesOf({"TLS_AES_128_GCM_SHA256"})->openssl, "") << "TLS 1.3 only";
}

TEST(GoTlsNames, AnUnknownCipherSuiteIsAClearError) {
  EXPECT_EQ(CipherSuitesOf({"AES128-SHA"}).error().message, "Cipher suite AES128-SHA not supported or doesn't exist");
}

TEST(GoTlsNames, Curves) {
  EXPECT_EQ(CurvesOf({})->openssl, "X25519:P-256:P-384:P-521");
  EXPECT_EQ(CurvesOf({25, 23})->openssl, "P-256:P-521");
  EXPECT_THAT(CurvesOf({4588, 29})->unavailable, ElementsAre(4588));
}

TEST(GoTlsNames, AWrongCurveIsAClearError) {
  const auto error = [](const std::vector<int32_t>& ids) { return CurvesOf(ids).error().message; };
  EXPECT_EQ(error({0}), "curve preference 0 is out of range (must be 1-65535)");
  EXPECT_EQ(error({65536}), "curve preference 65536 is out of range (must be 1-65535)");
  EXPECT_EQ(error({23, 23}), "duplicate curve preference 23");
  EXPECT_EQ(error({7}), "curve preference 7 is not supported by the current Go version");
  EXPECT_THAT(error({4588}), HasSubstr("none of the key exchanges"));
}

}  // namespace
}  // namespace berth::http
