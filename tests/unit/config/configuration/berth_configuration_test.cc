#include "config/configuration/berth_configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config_helpers.h"

namespace berth::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::string Berth(const std::string& body) {
  return "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n" + body;
}

TEST(BerthConfiguration, Defaults) {
  const LoadResult r = LoadText(Berth(""));
  ASSERT_TRUE(r.ok());
  EXPECT_THAT(r.berth.plugins, IsEmpty());
  EXPECT_FALSE(r.berth.security.require_digest);
  EXPECT_TRUE(r.berth.security.check_owner);
  EXPECT_THAT(r.berth.security.allowed_directories, IsEmpty());
  EXPECT_EQ(r.berth.faults.call_deadline, std::chrono::seconds(1));
  EXPECT_EQ(r.berth.faults.quarantine_after, 0);
  EXPECT_EQ(r.berth.faults.op_deadline, std::chrono::seconds(0));
  EXPECT_FALSE(r.berth.seed);
  EXPECT_EQ(r.berth.leader_election.on_loss, OnLoss::kExit);
  EXPECT_FALSE(r.berth.tracing);
}

TEST(BerthConfiguration, ReadsEverything) {
  const std::string digest(64, 'A');
  const LoadResult r = LoadText(
      Berth("plugins:\n- {name: ImageLocality, library: RunningImageLocality.so, plugin: RunningImageLocality, sha256: "
            "'sha256:" +
            digest + "'}\n- {name: X, library: /opt/x.so, sha256: " + std::string(64, 'b') +
            "}\nsecurity: {requireDigest: true, checkOwner: false, allowedDirectories: [/opt, /usr/lib/berth]}\n"
            "faults: {callDeadline: 250ms, quarantineAfter: 3, opDeadline: 10m}\nverbosity: 4\nseed: -5\n"
            "leaderElection: {onLoss: standby}\ndecisions: {attempts: 500, memory: 8Mi, detailedEvents: true, "
            "annotations: true}\n"
            "tracing: {endpoint: 'https://collector:4318', samplingRatePerMillion: 1000000}\n"));
  ASSERT_THAT(Lines(r.errors), IsEmpty());
  ASSERT_THAT(r.berth.plugins, SizeIs(2));
  EXPECT_EQ(r.berth.plugins[0].plugin, "RunningImageLocality");
  EXPECT_EQ(r.berth.plugins[0].sha256, std::string(64, 'a'));
  EXPECT_EQ(r.berth.plugins[1].plugin, "X");
  EXPECT_EQ(r.berth.decisions,
            (DecisionRules{.attempts = 500, .memory_bytes = 8 << 20, .detailed_events = true, .annotations = true}));
  EXPECT_EQ(r.berth.plugins[1].library, "/opt/x.so");
  EXPECT_THAT(r.berth.security.allowed_directories, ElementsAre("/opt", "/usr/lib/berth"));
  EXPECT_EQ(r.berth.faults.call_deadline, std::chrono::milliseconds(250));
  EXPECT_EQ(r.berth.faults.quarantine_after, 3);
  EXPECT_EQ(r.berth.faults.op_deadline, std::chrono::minutes(10));
  EXPECT_EQ(r.berth.seed, -5);
  EXPECT_EQ(r.berth.leader_election.on_loss, OnLoss::kStandby);
  EXPECT_EQ(r.berth.verbosity, 4);
  ASSERT_TRUE(r.berth.tracing);
  EXPECT_EQ(r.berth.tracing->endpoint, "https://collector:4318");
  EXPECT_EQ(r.berth.tracing->sampling_rate_per_million, 1'000'000);
}

TEST(BerthConfiguration, ReadsKeysOfSignatures) {
  const std::string key = "MCowBQYDK2VwAyEANuiGJzUXJlEuwiBoIJ9RSOkRgMU/Ml3paKA9JJRp5Co=";  // tests/data/signatures
  const std::string pem = "  - |\n    -----BEGIN PUBLIC KEY-----\n    " + key + "\n    -----END PUBLIC KEY-----\n";
  const LoadResult r = LoadText(Berth("security:\n  signatureKeys:\n" + pem));
  ASSERT_THAT(Lines(r.errors), IsEmpty());
  ASSERT_THAT(r.berth.security.signature_keys, SizeIs(1));
  EXPECT_EQ(r.berth.security.signature_keys[0][0], std::byte{0x36});
  EXPECT_THAT(
      ErrorsOf(Berth("security:\n  signatureKeys:\n" + pem + "  - " + key + "\n  - '-----BEGIN PRIVATE KEY-----'\n")),
      ElementsAre("f.yaml:9:5: security.signatureKeys[1]: Invalid value: must be a public key in PEM (-----BEGIN "
                  "PUBLIC KEY-----)",
                  "f.yaml:10:5: security.signatureKeys[2]: Invalid value: is a private key; only its public part "
                  "belongs here"));
}

TEST(BerthConfiguration, LeaderElectionHasTwoReactionsToALoss) {
  EXPECT_TRUE(LoadText(Berth("leaderElection: {onLoss: exit}\n")).ok());
  EXPECT_THAT(
      ErrorsOf(Berth("leaderElection: {onLoss: retry, leaderElect: true}\n")),
      ElementsAre("f.yaml:3:26: leaderElection.onLoss: Unsupported value: \"retry\": supported values: \"exit\", "
                  "\"standby\"",
                  "f.yaml:3:33: leaderElection.leaderElect: unknown field \"leaderElect\""));
}

TEST(BerthConfiguration, RejectsLimitsOfDecisionsThatCannotWork) {
  const std::string memory = "must be a quantity of bytes above zero, such as 64Mi";
  EXPECT_THAT(ErrorsOf(Berth("decisions: {attempts: -1, memory: none, nodes: 5}\n")),
              ElementsAre("f.yaml:3:23: decisions.attempts: Invalid value: -1: must be from 0 to 100000",
                          "f.yaml:3:35: decisions.memory: Invalid value: \"none\": " + memory,
                          "f.yaml:3:41: decisions.nodes: unknown field \"nodes\""));
  EXPECT_THAT(ErrorsOf(Berth("decisions: {detailedEvents: maybe}\n")),
              ElementsAre(StartsWith("f.yaml:3:29: decisions.detailedEvents: ")));
  EXPECT_THAT(ErrorsOf(Berth("decisions: {annotations: true, attempts: 0}\n")),
              ElementsAre("f.yaml:3:26: decisions.annotations: Invalid value: true: needs decisions.attempts above 0"));
  EXPECT_THAT(
      ErrorsOf(Berth("decisions: {detailedEvents: true, attempts: 0}\n")),
      ElementsAre("f.yaml:3:29: decisions.detailedEvents: Invalid value: true: needs decisions.attempts above 0"));
  EXPECT_THAT(ErrorsOf(Berth("decisions: {memory: '0'}\n")),
              ElementsAre("f.yaml:3:21: decisions.memory: Invalid value: \"0\": " + memory));
}

TEST(BerthConfiguration, ErrorsHavePositions) {
  EXPECT_THAT(
      ErrorsOf(Berth(
          "plugins:\n- {library: a.so, sha256: xyz}\n- {name: B, library: ''}\n- {name: B, library: b.so}\n"
          "security: {requireDigest: true, allowedDirectories: [lib, 5]}\n"
          "faults: {callDeadline: 0s, quarantineAfter: -1, opDeadline: -1s}\nverbosity: -1\nseed: x\nplugin: []\n")),
      ElementsAre("f.yaml:4:3: plugins[0].name: Required value",
                  "f.yaml:4:27: plugins[0].sha256: Invalid value: \"xyz\": must be 64 hexadecimal digits, with or "
                  "without "
                  "\"sha256:\" before",
                  "f.yaml:4:27: plugins[0].sha256: Required value: security.requireDigest is true",
                  "f.yaml:5:3: plugins[1].sha256: Required value: security.requireDigest is true",
                  "f.yaml:5:22: plugins[1].library: Required value",
                  "f.yaml:6:3: plugins[2].sha256: Required value: security.requireDigest is true",
                  "f.yaml:6:10: plugins[2].name: Duplicate value: \"B\"",
                  "f.yaml:7:54: security.allowedDirectories[0]: Invalid value: \"lib\": must be an absolute path",
                  "f.yaml:7:59: security.allowedDirectories[1]: Invalid value: 5: must be an absolute path",
                  "f.yaml:8:24: faults.callDeadline: Invalid value: \"0s\": must be greater than zero",
                  "f.yaml:8:45: faults.quarantineAfter: Invalid value: -1: must be non-negative",
                  "f.yaml:8:61: faults.opDeadline: Invalid value: \"-1s\": must be non-negative",
                  "f.yaml:9:12: verbosity: Invalid value: -1: must be non-negative",
                  "f.yaml:10:7: seed: Invalid value: \"x\": expected int64, got string",
                  "f.yaml:11:1: plugin: unknown field \"plugin\" (did you mean \"plugins\"?)"));
}

}  // namespace
}  // namespace berth::config
