#include "config/options/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "parsed.h"
#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"

namespace berth::options {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// The standard output of a command line that ends the program without an error.
std::string Answer(const std::vector<std::string>& arguments) {
  SchedulerOptions options;
  std::ostringstream out, err;
  EXPECT_EQ(ParseOptions(arguments, "0.1.0", options, out, err), 0);
  EXPECT_EQ(err.str(), "");
  return out.str();
}

// The text after the last "Error: " of an invalid command line.
std::string Mistake(const std::vector<std::string>& arguments) {
  SchedulerOptions options;
  std::ostringstream out, err;
  EXPECT_EQ(ParseOptions(arguments, "0.1.0", options, out, err), 1);
  EXPECT_EQ(out.str(), "");
  return err.str().substr(err.str().rfind("Error: ") + 7);
}

TEST(ParseOptions, ReadsFlagsOfEveryGroup) {
  const SchedulerOptions o =
      Parsed({"--config=/c.yaml", "--write_config_to=/w.yaml", "--master", "https://m", "-v=4", "--vmodule=engine=5",
              "--leader-elect=false", "--leader-elect-lease-duration=1m", "--kube-api-qps=1000", "--kube-api-burst",
              "2000", "--kubeconfig=/k", "--feature-gates=A=true", "--feature-gates=B=false", "--secure-port=0",
              "--pod-max-in-unschedulable-pods-duration=30s"});
  EXPECT_EQ(o.config, "/c.yaml");
  EXPECT_EQ(o.write_config_to, "/w.yaml");
  EXPECT_EQ(o.master, "https://m");
  EXPECT_EQ(o.logging.verbosity, 4);
  EXPECT_EQ(o.logging.vmodule, "engine=5");
  EXPECT_FALSE(o.leader_election.leader_elect);
  EXPECT_EQ(o.leader_election.lease_duration, std::chrono::minutes(1));
  EXPECT_EQ(o.deprecated.kube_api_qps, 1000);
  EXPECT_EQ(o.deprecated.kube_api_burst, 2000);
  EXPECT_EQ(o.deprecated.kubeconfig, "/k");
  EXPECT_EQ(o.feature_gates, "A=true,B=false");
  EXPECT_EQ(o.serving.secure_port, 0);
  EXPECT_EQ(o.pod_max_in_unschedulable_pods_duration, std::chrono::seconds(30));
}

TEST(ParseOptions, HasFlagsOfBerth) {
  const SchedulerOptions none = Parsed({});
  EXPECT_EQ(none.admin_address, "127.0.0.1:10261");
  EXPECT_THAT(none.plugin_dirs, IsEmpty());
  EXPECT_EQ(none.seed, 0u);
  const SchedulerOptions o = Parsed({"--plugin-dir=/a,b", "--plugin-dir", "/c", "--berth-config=/b", "--state_dir=/s",
                                     "--admin-address=:0", "--seed=7"});
  EXPECT_THAT(o.plugin_dirs, ElementsAre("/a,b", "/c"));
  EXPECT_EQ(o.berth_config, "/b");
  EXPECT_EQ(o.state_dir, "/s");
  EXPECT_EQ(o.admin_address, ":0");
  EXPECT_EQ(o.seed, 7u);
  EXPECT_EQ(Parsed({"--admin-address="}).admin_address, "");
  EXPECT_EQ(none.decision_log, "");
  EXPECT_EQ(Parsed({"--decision-log=/var/log/decisions.jsonl"}).decision_log, "/var/log/decisions.jsonl");
}

TEST(ParseOptions, AnAddressHasAPort) {
  for (const char* bad : {"localhost", "localhost:", "127.0.0.1:65536", "127.0.0.1:http", ":-1"}) {
    EXPECT_EQ(Mistake({std::string("--admin-address=") + bad}),
              "invalid argument \"" + std::string(bad) +
                  "\" for \"--admin-address\" flag: it must be host:port with a port of 0 to 65535, or empty\n");
  }
}

TEST(ParseOptions, AnswersVersionAndHelp) {
  EXPECT_EQ(Answer({"--version"}), "berth-scheduler v0.1.0\n");
  EXPECT_EQ(Answer({"--version=raw"}), "berth-scheduler v0.1.0 (kube-scheduler v1.36.3)\n");
  EXPECT_THAT(Answer({"--help"}), HasSubstr("Leader election flags:"));
  EXPECT_THAT(Answer({"-h"}), HasSubstr("(default 127.0.0.1:10261)"));
  EXPECT_EQ(Mistake({"--version=v1.36.3"}),
            "invalid argument \"v1.36.3\" for \"--version\" flag: version \"v1.36.3\" must match major/minor/patch of "
            "default version \"v0.1.0\"\n");
  EXPECT_FALSE(Parsed({"--version=v0.1.0-rc.1"}).Changed("config"));
}

TEST(ParseOptions, RejectsAnInvalidVmodule) {
  EXPECT_THAT(Mistake({"--vmodule=x"}), HasSubstr("invalid argument \"x\" for \"--vmodule\" flag: vmodule: \"x\""));
}

TEST(ParseOptions, NamesSetFlagsWithoutEffect) {
  EXPECT_THAT(Parsed({"--leader-elect=false", "--kubeconfig=/k", "-v=2", "--config=/c"}).unserved, IsEmpty());
  EXPECT_THAT(Parsed({"--http2-max-streams-per-connection=9", "--logging-format=json"}).unserved,
              ElementsAre("http2-max-streams-per-connection"));
  // Berth does what these flags request.
  EXPECT_THAT(Parsed({"--disable-http2-serving", "--profiling=false", "--logging-format=text"}).unserved, IsEmpty());
  EXPECT_THAT(Parsed({"--secure-port=10259", "--bind-address=::1", "--cert-dir=/a", "--tls-cert-file=/b",
                      "--tls-private-key-file=/c", "--tls-cipher-suites=D", "--tls-curve-preferences=29",
                      "--tls-min-version=VersionTLS13", "--tls-sni-cert-key=/e,/f", "--permit-port-sharing",
                      "--permit-address-sharing"})
                  .unserved,
              IsEmpty());
}

TEST(ParseOptions, FlagsOfAuthenticationAndAuthorizationHaveAnEffect) {
  EXPECT_THAT(
      Parsed({"--authentication-kubeconfig=/a", "--authentication-skip-lookup",
              "--authentication-token-webhook-cache-ttl=1s", "--authentication-tolerate-lookup-failure=false",
              "--client-ca-file=/b", "--requestheader-allowed-names=c", "--requestheader-client-ca-file=/d",
              "--requestheader-extra-headers-prefix=e", "--requestheader-group-headers=f",
              "--requestheader-uid-headers=g", "--requestheader-username-headers=h", "--authorization-kubeconfig=/i",
              "--authorization-always-allow-paths=/j", "--authorization-webhook-cache-authorized-ttl=2s",
              "--authorization-webhook-cache-unauthorized-ttl=3s"})
          .unserved,
      IsEmpty());
}

TEST(LogFlags, LogsAllFlagsAndWarnsOnce) {
  const SchedulerOptions o = Parsed({"--kubeconfig=a\"b", "--http2-max-streams-per-connection=9"});
  ASSERT_TRUE(log::Init({"test", 0, "", false}));
  log::Capture quiet;
  LogFlags(o);
  EXPECT_THAT(quiet.Messages(), ElementsAre("\"Flags are accepted, but Berth does not have what they ask for\" "
                                            "flags=[\"http2-max-streams-per-connection\"]"));
  log::SetVerbosity(1);
  log::Capture loud;
  LogFlags(o);
  EXPECT_THAT(loud.Messages(), Contains("FLAG: --kubeconfig=\"a\\\"b\""));
  EXPECT_THAT(loud.Messages(), Contains("FLAG: --leader-elect-lease-duration=\"15s\""));
  EXPECT_EQ(loud.Messages().size(), o.states.size() + 1);
  log::SetVerbosity(0);
}

TEST(LogFlags, ShowsNoPasswordOfMaster) {
  const SchedulerOptions o = Parsed({"--master=https://me:hunter2@h:1/p?token=hunter2"});
  EXPECT_EQ(o.master, "https://me:hunter2@h:1/p?token=hunter2");
  log::SetVerbosity(1);
  log::Capture loud;
  LogFlags(o);
  log::SetVerbosity(0);
  EXPECT_THAT(loud.Messages(), Contains("FLAG: --master=\"https://xxxxx@h:1/p\""));
}

}  // namespace
}  // namespace berth::options
