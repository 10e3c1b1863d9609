// Decoding 5,000 pods of 2.6 kB of JSON (and with 0.9 kB of managed fields more) from both encodings, each with a name
// of its own. The pods are released after each round. argument: whether they have managed fields.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "api/protobuf/envelope.h"
#include "api/protobuf/pod_and_node.h"
#include "counting_new.h"
#include "still_engine.h"

namespace berth::bench {
namespace {

constexpr size_t kPods = 5000;
constexpr char kFile[] = BERTH_BENCH_SOURCE_DIR "/tests/data/protobuf/typical_pod.bin";

// The parts of the file, each behind four bytes of length: envelope and JSON without managed fields, and with them.
std::vector<std::string> Parts() {
  std::ifstream in(kFile, std::ios::binary);
  std::string file(std::istreambuf_iterator<char>(in), {});
  std::vector<std::string> parts;
  for (size_t at = 0; at + 4 <= file.size();) {
    size_t size = 0;
    for (size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(file[at + i]);
    parts.push_back(file.substr(at + 4, size));
    at += 4 + size;
  }
  if (parts.size() != 4) std::abort();
  return parts;
}

// Numbers of five digits do not change a length in protobuf.
std::vector<std::string> Numbered(const std::string& text) {
  std::vector<std::string> pods;
  for (size_t i = 0; i < kPods; ++i) {
    std::string& pod = pods.emplace_back(text);
    char number[8];
    std::snprintf(number, sizeof number, "%05zu", i);
    for (const std::string place : {"-5d4f8c7b9-00000", "-4000-8000-000000000000"}) {
      const size_t at = pod.find(place);
      if (at == std::string::npos) std::abort();
      pod.replace(at + place.size() - 5, 5, number);
    }
  }
  return pods;
}

template <class Decode>
void DecodePods(benchmark::State& state, size_t part, Decode decode) {
  const std::vector<std::string> texts = Numbered(Parts()[part]);
  api::InternTables intern;
  std::vector<api::PodRef> pods(kPods);
  uint64_t allocations = 0, bytes = 0;
  for (auto _ : state) {
    const uint64_t before = Allocations(), bytes_before = AllocatedBytes();
    for (size_t i = 0; i < kPods; ++i) pods[i] = OrDie(decode(intern, texts[i]));
    allocations += Allocations() - before;
    bytes += AllocatedBytes() - bytes_before;
    state.PauseTiming();
    pods.assign(kPods, {});
    state.ResumeTiming();
  }
  const auto decoded = static_cast<double>(kPods) * static_cast<double>(state.iterations());
  state.counters["allocations_per_pod"] = static_cast<double>(allocations) / decoded;
  state.counters["allocated_bytes_per_pod"] = static_cast<double>(bytes) / decoded;
  state.counters["bytes_on_the_wire"] = static_cast<double>(texts.front().size());
}

void DecodePodsOfJson(benchmark::State& state) {
  DecodePods(state, state.range(0) == 0 ? 1 : 3,
             [](api::InternTables& intern, const std::string& text) { return api::DecodePod(intern, text); });
}
BENCHMARK(DecodePodsOfJson)->ArgName("managed")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void DecodePodsOfProtobuf(benchmark::State& state) {
  DecodePods(state, state.range(0) == 0 ? 0 : 2, [](api::InternTables& intern, const std::string& text) {
    return protobuf::DecodePodMessage(intern, OrDie(protobuf::OpenEnvelope(text)).message);
  });
}
BENCHMARK(DecodePodsOfProtobuf)->ArgName("managed")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::bench
