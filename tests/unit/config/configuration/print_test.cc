#include "config/configuration/print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "codec/yaml/yaml_key_order.h"
#include "config_helpers.h"

namespace berth::config {
namespace {

using testing::IsEmpty;

constexpr const char* kGated =
    "GenericWorkload=true,GangScheduling=true,TopologyAwareWorkloadScheduling=true,StorageCapacityScoring=true,"
    "DRASchedulerFilterTimeout=false";

LoadResult LoadCase(const std::string& name) {
  LoadOptions options;
  options.resolver = TestResolver();
  if (name == "gated") {
    EXPECT_THAT(options.gates.Set(kGated), IsEmpty());
  }
  const std::string path = "tests/data/config/" + name + ".yaml";
  LoadResult result = Load({{path, ReadFile(path)}}, options);
  EXPECT_THAT(Lines(result.errors), IsEmpty()) << name;
  return result;
}

// The goldens are kube-scheduler's own output: see tests/data/config/README.md.
TEST(PrintV1, ByteForByteAsKubeScheduler) {
  for (const char* name : {"default", "gated", "seed001", "seed003-as-v1", "wyq", "multi-point", "only-three",
                           "profiles", "extenders", "args", "client", "client-more", "strings"}) {
    EXPECT_EQ(PrintV1(LoadCase(name).scheduler, Secrets::kShown),
              ReadFile(std::string("tests/data/config/") + name + ".golden.yaml"))
        << name;
  }
}

// Go's encoder writes the shortest digits that distinguish a float32 from its neighbors, followed by zeros.
TEST(PrintV1, QpsHasTheDigitsOfAFloat32) {
  const std::pair<const char*, const char*> cases[] = {
      {"2147483648", "  qps: 2147483600\n"}, {"0.1", "  qps: 0.1\n"},    {"-1", "  qps: -1\n"},
      {"16777217", "  qps: 16777216\n"},     {"1e30", "  qps: 1e+30\n"}, {"1e-7", "  qps: 1e-07\n"}};
  for (const auto& [written, printed] : cases) {
    const std::string text = PrintV1(LoadText(V1("clientConnection: {qps: " + std::string(written) + "}\n")).scheduler);
    EXPECT_THAT(text, testing::HasSubstr(printed)) << written;
  }
}

TEST(PrintV1, ReadsBackAsTheSame) {
  for (const char* name : {"default", "wyq", "multi-point", "profiles", "extenders", "args", "client", "seed000"}) {
    const std::string printed = PrintV1(LoadCase(name).scheduler, Secrets::kShown);
    const LoadResult again = LoadText(printed);
    EXPECT_THAT(Lines(again.errors), IsEmpty()) << name;
    EXPECT_EQ(PrintV1(again.scheduler, Secrets::kShown), printed) << name;
  }
}

std::string PointsText(std::vector<ExpandedProfile> profiles) {
  std::sort(profiles.begin(), profiles.end(), [](auto& a, auto& b) { return a.scheduler_name < b.scheduler_name; });
  std::string text;
  for (const ExpandedProfile& profile : profiles) {
    text += "profile " + profile.scheduler_name + "\n";
    for (size_t i = 0; i < kPointCount; ++i) {
      const Point point = static_cast<Point>(i);
      const std::string names = Shown(profile, point);
      text += std::string(PointName(point)) + ":" + (names.empty() ? "" : " ") + names + "\n";
    }
  }
  return text;
}

TEST(Expand, AsKubeSchedulersFrameworkListsIt) {
  for (const char* name :
       {"default", "gated", "seed001", "seed003-as-v1", "wyq", "multi-point", "only-three", "profiles"}) {
    EXPECT_EQ(PointsText(LoadCase(name).profiles),
              ReadFile(std::string("tests/data/config/") + name + ".points.golden.txt"))
        << name;
  }
}

// Converting an old file once and keeping it as v1 must not change which plugins run.
TEST(PrintV1, OfAnOldFileRunsTheSamePlugins) {
  LoadOptions options;
  options.resolver = TestResolver();
  for (const char* path : {"tests/data/config/seed000.yaml", "config/my-scheduler.yaml"}) {
    const LoadResult old = Load({{path, ReadFile(path)}}, options);
    const LoadResult converted = LoadText(PrintV1(old.scheduler), options);
    EXPECT_THAT(Lines(converted.errors), IsEmpty()) << path;
    EXPECT_EQ(PointsText(converted.profiles), PointsText(old.profiles)) << path;
  }
}

TEST(PrintExpanded, PrintsTheDumpOf123) {
  const std::string dump = ReadFile("tests/data/config/seed000.yaml");
  const LoadResult r = LoadText(dump);
  ASSERT_THAT(Lines(r.errors), IsEmpty());
  EXPECT_EQ(PrintExpanded(r.scheduler, ApiVersion::kV1beta2, ResolverFor(r.scheduler)), dump);
}

TEST(PrintExpanded, V1IsReadBackAsTheSame) {
  const std::string text =
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
      "- schedulerName: one\n  plugins:\n    multiPoint: {disabled: [{name: ImageLocality}]}\n    score: {disabled: "
      "[{name: '*'}]}\n"
      "- {schedulerName: other}\n";
  const LoadResult r = Load({{"f.yaml", text}}, {});
  ASSERT_TRUE(r.ok());
  const std::string once = PrintExpanded(r.scheduler, ApiVersion::kV1, ResolverFor(r.scheduler));
  const LoadResult again = Load({{"f.yaml", once}}, {});
  ASSERT_TRUE(again.ok()) << again.errors.front().Text();
  EXPECT_EQ(PrintExpanded(again.scheduler, ApiVersion::kV1, ResolverFor(again.scheduler)), once);
}

TEST(PrintExpanded, V1ShowsEveryPoint) {
  const LoadResult r = LoadCase("seed001");
  const std::string text = PrintExpanded(r.scheduler, ApiVersion::kV1, ResolverFor(r.scheduler));
  EXPECT_THAT(text, testing::HasSubstr(
                        "    multiPoint:\n      disabled:\n      - name: '*'\n        weight: 0\n    permit: {}\n    "
                        "placementGenerate: {}\n    placementScore:\n"
                        "      enabled:\n      - name: NodeResourcesFit\n        weight: 1\n    postBind: {}\n"));
  EXPECT_THAT(text, testing::HasSubstr("    score:\n      enabled:\n      - name: Priority\n        weight: 1\n"));
  EXPECT_THAT(
      text, testing::HasSubstr(
                "      - name: NodeDeclaredFeatures\n        weight: 0\n      - name: Priority\n        weight: 0\n"));
  EXPECT_THAT(PrintExpanded(r.scheduler, ApiVersion::kV1beta2, ResolverFor(r.scheduler)),
              testing::Not(testing::AnyOf(testing::HasSubstr("DynamicResources"), testing::HasSubstr("preEnqueue"),
                                          testing::HasSubstr("ignorePreferredTermsOfExistingPods"))));
}

// A fuzzer found this: Go's comparison of these keys has a cycle, and a second print differed from the first.
TEST(Print, KeysWithoutATotalOrder) {
  const std::string args = "{a10: x, a2: y, a02: y, a002: y, a1MostAllocated: 1}";
  const std::string turned = "{a1MostAllocated: 1, a002: y, a02: y, a2: y, a10: x}";
  auto print = [](const std::string& text) {
    const LoadResult read = Load({{"berth.yaml",
                                   "apiVersion: kubescheduler.config.k8s.io/v1\n"
                                   "kind: KubeSchedulerConfiguration\n"
                                   "profiles:\n- pluginConfig:\n  - {name: Mine, args: " +
                                       text + "}\n"}},
                                 {});
    EXPECT_TRUE(read.ok());
    return PrintV1(read.scheduler);
  };
  EXPECT_EQ(print(args), print(turned));
}

// cmd/mutants found this: kube-scheduler escapes all of a text that begins with a byte order mark.
// The text is that of kube-scheduler for args that it does not know.
TEST(Print, WholeNumbersOfArgsKeepTheirDigits) {
  const auto printed = [](const std::string& number) {
    const LoadResult read = LoadText(V1("profiles:\n- pluginConfig:\n  - {name: Mine, args: {number: " + number +
                                        "}}\n  plugins: {score: {enabled: [{name: Mine}]}}\n"));
    EXPECT_TRUE(read.ok()) << number;
    const std::string text = PrintV1(read.scheduler);
    const std::string before = "- args:\n      number: ";
    const size_t at = text.find(before) + before.size();
    return text.substr(at, text.find('\n', at) - at);
  };
  const std::pair<const char*, const char*> cases[] = {
      {"9223372036854775807", "9223372036854775807"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775808", "9223372036854775808"},
      {"9223372036854775809", "9223372036854775809"},
      {"18446744073709551615", "18446744073709551615"},
      {"18446744073709551616", "1.8446744073709552e+19"},
      {"-9223372036854775809", "-9.223372036854776e+18"},
      {"1e19", "10000000000000000000"},
      {"1e20", "1e+20"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(printed(number), text) << number;
}

TEST(Print, TextsAfterAByteOrderMark) {
  const auto printed = [](const std::string& text) {
    const LoadResult read = LoadText(V1("profiles:\n- pluginConfig:\n  - {name: Mine, args: {t: " + text +
                                        "}}\n  plugins: {score: {enabled: [{name: Mine}]}}\n"));
    EXPECT_TRUE(read.ok()) << text;
    const std::string all = PrintV1(read.scheduler);
    const std::string before = "- args:\n      t: ";
    const size_t at = all.find(before) + before.size();
    return all.substr(at, all.find('\n', at) - at);
  };
  EXPECT_EQ(printed(R"("\uFEFF- 3")"), R"("\uFEFF\x2D\x20\x33")");
  EXPECT_EQ(printed(R"("\uFEFF中\U0001F600")"), R"("\uFEFF\u4E2D\U0001F600")");
  EXPECT_EQ(printed(R"("- 3\uFEFFa")"), R"("- 3\uFEFFa")");
}

TEST(KeyLess, NumbersByValueLettersLast) {
  const char* sorted[] = {"", "_z", "1", "9", "10", "A", "Z", "a2", "a02", "a10", "a100", "b", "b.c", "ba"};
  for (size_t i = 0; i + 1 < std::size(sorted); ++i) {
    EXPECT_TRUE(yaml::KeyLess(sorted[i], sorted[i + 1])) << sorted[i] << " " << sorted[i + 1];
    EXPECT_FALSE(yaml::KeyLess(sorted[i + 1], sorted[i])) << sorted[i] << " " << sorted[i + 1];
  }
  EXPECT_FALSE(yaml::KeyLess("a", "a"));
}

TEST(Print, IsFast) {
  const LoadResult r = LoadCase("default");
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) PrintV1(r.scheduler);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

}  // namespace
}  // namespace berth::config
