// Errors and logs of broken kubeconfigs contain no secrets.
#include <gmock/gmock.h>

#include <random>

#include "codec/text/base64.h"
#include "sandbox.h"
#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kMarker = "hunter2+/hunter2";  // does not look like the name of a field

class SecretsTest : public Sandbox {
 protected:
  void SetUp() override {
    log::Options options;
    options.verbosity = 10;
    ASSERT_TRUE(log::Init(options));
  }
  void TearDown() override { ASSERT_TRUE(log::Init({})); }

  // Loads a kubeconfig and uses the result; true if it could be loaded.
  bool CheckQuiet(const std::string& path) {
    log::Capture capture;
    const auto options = Load(path);
    std::string said = options ? "" : options.error().message;
    if (options && options->authorization) {
      AwaitReady(*options);
      if (const auto header = options->authorization(); !header) said += header.error().message;
    }
    if (options && options->tls.identity) {
      if (const auto identity = options->tls.identity(); !identity) said += identity.error().message;
    }
    for (const std::string& line : capture.Lines()) said += line + "\n";
    EXPECT_THAT(said, Not(HasSubstr("hunter2"))) << Read("k.yaml");
    return options.has_value();
  }
};

TEST_F(SecretsTest, BadFields) {
  const std::string pem = std::string("      ") + "client-key: |\n        -----BEGIN PRIVATE KEY-----\n        " +
                          kMarker + "\n        -----END PRIVATE KEY-----\n      client-certificate: gone\n";
  const std::string long_name(300, 'x');
  const std::string marker = kMarker;
  const std::string cases[] = {
      "      token: [" + marker + "]\n",
      "      token: " + marker + ": x\n",
      "      token: \"" + marker + "\n",
      "      token: !!int " + marker + "\n",
      "      token: *" + marker + "\n",
      "      token: \"" + marker + "\\q\"\n",
      "      " + marker + "\n",
      "      " + marker + ": token\n",
      "      token: \"" + marker + "\\n\"\n",
      "      token: " + marker + "\n      username: " + marker + "\n      password: " + marker + "\n",
      "      password: {" + marker + ": " + marker + "}\n",
      "      password: &a {b: " + marker + "}\n      *a : x\n",
      "      client-key-data: " + marker + "!\n",
      "      client-certificate-data: " + text::EncodeBase64(marker) +
          "\n      client-key-data: " + text::EncodeBase64(marker) + "\n",
      "      tokenFile: " + marker + long_name + "\n",
      "      as: " + marker + "\n      as-user-extra: {a: [" + marker + "]}\n",
      "      auth-provider: {name: gcp, config: {token: " + marker + "}}\n",
      "      exec: {command: gone, apiVersion: " + marker + ", args: [" + marker +
          "], env: [{name: A, value: " + marker + "}], interactiveMode: " + marker + "}\n",
      "      exec: {command: gone, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, args: [" +
          marker + "], env: [{name: A, value: " + marker + "}]}\n",
      pem,
  };
  for (const std::string& fields : cases) CheckQuiet(Kubeconfig("      server: https://h\n", fields));
  for (const char* server : {"https://u:%@h", "https://u:%@h:x", "u:%@h", "https://h h?t=%", "ftp://h?token=%"}) {
    std::string url = server;
    url.replace(url.find('%'), 1, marker);
    EXPECT_FALSE(CheckQuiet(Kubeconfig("      server: " + url + "\n"))) << url;
    EXPECT_FALSE(CheckQuiet(Kubeconfig("      server: https://h\n      proxy-url: " + url + "x\n"))) << url;
  }
  CheckQuiet(Write("k.yaml", "{\"users\": [{\"user\": {\"token\": \"" + marker + "\" \"" + marker + "\"}}]}"));
  CheckQuiet(Write("k.yaml", "{\"token\": \"" + marker + "\x01\"}"));
}

TEST_F(SecretsTest, FilesWithOtherContent) {
  Write("token", std::string(kMarker) + "\x01");
  Write("key", kMarker);
  EXPECT_FALSE(CheckQuiet(Kubeconfig("      server: https://h\n", "      tokenFile: token\n")));
  EXPECT_FALSE(
      CheckQuiet(Kubeconfig("      server: https://h\n", "      client-certificate: key\n      client-key: key\n")));
  EXPECT_FALSE(CheckQuiet(Kubeconfig("      server: https://h\n      certificate-authority: key\n")));
  EXPECT_FALSE(CheckQuiet(Path("key")));
}

// Drops, doubles, and swaps random characters of a valid kubeconfig.
TEST_F(SecretsTest, TypingMistakes) {
  const std::string marker = kMarker;
  const std::string good =
      "      token: " + marker + "\n      password: '" + marker + "'\n      client-key-data: \"" + marker + "\"\n";
  Kubeconfig("      server: https://h\n", good);
  const std::string text = Read("k.yaml");
  std::mt19937 random(1);
  constexpr int kLoads = 500;
  int loaded = 0;
  for (int i = 0; i < kLoads; ++i) {
    std::string wrong = text;
    for (int slips = 1 + static_cast<int>(random() % 2); slips > 0; --slips) {
      const size_t at = random() % wrong.size();
      constexpr std::string_view kSlips = ":'\"{}[],*&!|>-?#%@ \n`";
      switch (random() % 3) {
        case 0: wrong.erase(at, 1); break;
        case 1: wrong.insert(at, 1, kSlips[random() % kSlips.size()]); break;
        default: wrong[at] = kSlips[random() % kSlips.size()];
      }
    }
    loaded += CheckQuiet(Write("k.yaml", wrong));
    if (HasFailure()) return;
  }
  EXPECT_GT(loaded, 0);
  EXPECT_LT(loaded, kLoads);
}

}  // namespace
}  // namespace berth::credentials
