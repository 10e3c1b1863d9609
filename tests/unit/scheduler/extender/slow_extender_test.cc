// DefaultPreemption with a slow HTTP extender: the nomination is kept, no plugin has a fault, and the victims are
// evicted once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/clock.h"
#include "codec/json/value.h"
#include "crash/watchdog/long_calls.h"
#include "raw_server.h"
#include "simulator/simulation/run.h"
#include "telemetry/log/capture.h"

namespace berth {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// URL and MORE are replaced. The deadline of a call is 1 s, and a call hangs after 2 s: the defaults.
constexpr const char* kConfig = R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
extenders: [{urlPrefix: "URL", preemptVerb: preempt, nodeCacheCapable: true, httpTimeout: 4s MORE}]
)";

constexpr const char* kCluster = R"(
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: high}
value: 1000
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "1", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: low}
spec: {nodeName: n1, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: high}
spec: {priorityClassName: high, containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}
)";

// Replies with the content of the request after a time, or never.
struct Slow {
  const char* name;
  milliseconds delay;
  bool never = false;
  bool ignorable = false;
};
void PrintTo(const Slow& slow, std::ostream* out) { *out << slow.name; }

class ASlowExtender : public testing::TestWithParam<Slow> {
 protected:
  ASlowExtender() {
    std::string pattern = testing::TempDir() + "/slow-extender-XXXXXX";
    directory_ = mkdtemp(pattern.data());
  }
  ~ASlowExtender() override { std::filesystem::remove_all(directory_); }

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ + "/" + name) << text;
    return directory_ + "/" + name;
  }

  // Checks the calls while the simulation runs, as the watchdog does, but does not end the process.
  class Watching {
   public:
    int hangs() const { return hangs_; }

   private:
    void Run(const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        std::this_thread::sleep_for(milliseconds(250));
        hangs_ += static_cast<int>(
            calls_
                .Look(base::RealClock().MonoNs(),
                      [](const plugin::CallSlot& slot) { return std::chrono::nanoseconds(slot.hang_after_ns.load()); })
                .size());
      }
      plugin::NoMoreLooks();
    }
    crash::LongCalls calls_{crash::LongCallsOptions()};
    std::atomic<int> hangs_{0};
    std::jthread thread_{[this](const std::stop_token& stop) { Run(stop); }};
  };

  // The attempts for pod "high", in order.
  std::vector<json::Value> Attempts() {
    std::string config = kConfig;
    config.replace(config.find("URL"), 3, server_.url());
    config.replace(config.find("MORE"), 4, GetParam().ignorable ? ", ignorable: true" : "");
    simulation::RunOptions options;
    options.config = Write("config.yaml", config);
    options.plugin_directories = {BERTH_PLUGIN_DIR};
    options.manifests = {Write("cluster.yaml", kCluster)};
    options.json = true;
    std::ostringstream out, err;
    EXPECT_EQ(simulation::RunSimulation(options, out, err), 0) << err.str();
    std::vector<json::Value> attempts;
    const auto read = json::Parse(out.str());
    if (!read) return attempts;
    for (const json::Value& attempt : read->Find("pods")->array()) {
      if (attempt.Find("pod")->string() == "default/high") attempts.push_back(attempt);
    }
    return attempts;
  }

  std::string directory_;
  std::atomic<int> asked_{0};
  http::RawServer server_{http::Answering([this](http::ServerConnection& to, const http::SeenRequest& request) {
    ++asked_;
    if (GetParam().never) return to.WaitForClose();
    std::this_thread::sleep_for(GetParam().delay);
    const auto sent = json::Parse(request.body);
    json::Value answer;
    answer.Set("NodeNameToMetaVictims", *sent->Find("NodeNameToMetaVictims"));
    to.WriteReply(200, json::Dump(answer));
  })};
};

size_t Victims(const json::Value& attempt) {
  const json::Value* victims = attempt.Find("victims");
  return victims == nullptr ? 0 : victims->array().size();
}

TEST_P(ASlowExtender, KeepsTheNominationAndCausesNoFault) {
  const log::Capture log;
  const Watching watching;
  const std::vector<json::Value> attempts = Attempts();
  EXPECT_EQ(watching.hangs(), 0);
  EXPECT_THAT(log.Messages(), Not(testing::Contains(HasSubstr("Plugin fault"))));
  ASSERT_FALSE(attempts.empty());
  if (GetParam().never && !GetParam().ignorable) {  // preemption has failed, so no pod was evicted
    for (const json::Value& attempt : attempts) EXPECT_EQ(Victims(attempt), 0u);
    return;
  }
  EXPECT_EQ(asked_, 1);
  ASSERT_EQ(attempts.size(), 2u);
  ASSERT_NE(attempts[0].Find("nominatedNode"), nullptr) << attempts[0].Find("message")->string();
  EXPECT_EQ(attempts[0].Find("nominatedNode")->string(), "n1");
  EXPECT_EQ(Victims(attempts[0]), 1u);
  EXPECT_EQ(attempts[1].Find("result")->string(), "Scheduled");
  EXPECT_EQ(Victims(attempts[1]), 0u);
}

INSTANTIATE_TEST_SUITE_P(Answers, ASlowExtender,
                         testing::Values(Slow{.name = "after1500ms", .delay = milliseconds(1500)},
                                         Slow{.name = "after3s", .delay = milliseconds(3000)},
                                         Slow{.name = "never", .never = true},
                                         Slow{.name = "neverAndIsIgnorable", .never = true, .ignorable = true}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace berth
