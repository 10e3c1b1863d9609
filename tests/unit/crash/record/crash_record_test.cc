#include "crash/record/crash_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>

#include "api/pod.h"
#include "crash/stack/stack.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/policy_generation.h"
#include "scripted.h"

namespace berth::crash {
namespace {

using testing::Contains;
using testing::ContainsRegex;
using testing::HasSubstr;

struct ACrashRecord : testing::Test {
  StateDir place = *StateDir::Open("", nullptr);
  CrashRecord record{};

  std::shared_ptr<plugin::Instance> MakeInstance(plugin::Services& services) {
    plugin::InstanceSpec spec;
    spec.library = fixture::ScriptedLibrary();
    spec.name = spec.library_plugin = "A";
    spec.profile = "some-profile";
    auto instance = plugin::Instance::Create(std::move(spec), services);
    EXPECT_TRUE(instance);
    return *instance;
  }
};

[[gnu::noinline]] void TakeItsStack(CrashRecord& record) {
  TakeStack(record);
  asm volatile("");  // prevents a tail call
}

TEST_F(ACrashRecord, IsReadOnceUnchanged) {
  PrepareStacks();
  api::InternTables intern;
  plugin::Services services(intern);
  const auto instance = MakeInstance(services);
  Begin(record, SIGSEGV, 17);
  instance->CallUnhurried("Filter", [&] {
    Describe(record, plugin::CallOfThread());
    return BERTH_SUCCESS;
  });
  TakeItsStack(record);
  Write(record, place.fd(File::kRecord));
  const auto read = TakeRecord(place);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pid, getpid());
  EXPECT_EQ(read->thread, 17);
  EXPECT_EQ(WhatHappened(*read), "signal 11 (Segmentation fault)");
  EXPECT_THAT(WhereItHappened(*read), HasSubstr("A of profile some-profile, in Filter, library "));
  EXPECT_EQ(std::string(read->sha256.data()), instance->library().sha256());
  EXPECT_THAT(StackOf(*read), Contains(ContainsRegex("TakeItsStack.* in .*unit_crash_record")));
  EXPECT_FALSE(TakeRecord(place));
}

TEST_F(ACrashRecord, HasTheTimeOfACall) {
  Begin(record, 0, 1);
  record.waited_ns = 2'340'000'000;
  EXPECT_EQ(WhatHappened(record), "the call did not return for 2.3 s");
  EXPECT_EQ(WhereItHappened(record), "");
}

TEST_F(ACrashRecord, CutsLongTexts) {
  api::InternTables intern;
  plugin::Services services(intern);
  const auto instance = MakeInstance(services);
  const std::string what(1000, 'x');
  Begin(record, SIGABRT, 1);
  Describe(record, {instance.get(), what.c_str(), nullptr});
  EXPECT_THAT(WhereItHappened(record), HasSubstr("in " + std::string(127, 'x') + ","));
}

TEST_F(ACrashRecord, HasThePolicyAndTheProfileOfThePod) {
  api::InternTables intern;
  plugin::Services services(intern);
  const auto instance = MakeInstance(services);
  const auto pod = [&](const std::string& profile) {
    return *api::DecodePod(
        intern, R"({"metadata":{"name":"x","namespace":"n","uid":"u"},"spec":{"schedulerName":")" + profile + R"("}})");
  };
  plugin::SetPublishedGeneration(7);
  Begin(record, SIGSEGV, 1);
  const api::PodRef own = pod("some-profile");
  Describe(record, {instance.get(), "Less", own.get()});
  Write(record, place.fd(File::kRecord));
  const auto read = TakeRecord(place);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->policy_generation, 7u);
  EXPECT_STREQ(read->pod_profile.data(), "some-profile");
  EXPECT_THAT(WhereItHappened(*read), ContainsRegex("in Less of pod n/x, library .*, generation 7 of policy$"));
  const api::PodRef strange = pod("another");
  Describe(record, {instance.get(), "Less", strange.get()});
  EXPECT_THAT(WhereItHappened(record), HasSubstr("of profile some-profile, in Less of pod n/x of profile another, "));
}

TEST_F(ACrashRecord, OfTheVersionBeforeIsRead) {
  Begin(record, SIGSEGV, 17);
  record.magic.back() = '1';
  record.in_plugin = 1;
  std::snprintf(record.plugin.data(), record.plugin.size(), "Old");
  std::snprintf(record.pod.data(), record.pod.size(), "n/x");
  constexpr size_t kSize = offsetof(CrashRecord, policy_generation);
  ASSERT_EQ(pwrite(place.fd(File::kRecord), &record, kSize, 0), static_cast<ssize_t>(kSize));
  const auto read = TakeRecord(place);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->policy_generation, 0u);
  EXPECT_EQ(WhereItHappened(*read), "Old of profile , in  of pod n/x, library ");
  // A record with the length of the other version is invalid in both versions.
  Write(record, place.fd(File::kRecord));
  EXPECT_FALSE(TakeRecord(place));
}

TEST_F(ACrashRecord, OfOtherFormatsIsIgnored) {
  EXPECT_FALSE(TakeRecord(place));
  ASSERT_EQ(write(place.fd(File::kRecord), "half", 4), 4);
  EXPECT_FALSE(TakeRecord(place));
  record.magic = {'x'};
  Write(record, place.fd(File::kRecord));
  EXPECT_FALSE(TakeRecord(place));
}

TEST_F(ACrashRecord, WithInvalidNumbersIsRead) {
  Begin(record, 4711, 1);
  record.in_plugin = 1;
  record.n_frames = 1'000'000;
  record.plugin.fill('p');
  for (CrashRecord::Frame& frame : record.frames) frame.module = 4000;
  Write(record, place.fd(File::kRecord));
  const auto read = TakeRecord(place);
  ASSERT_TRUE(read);
  EXPECT_EQ(StackOf(*read).size(), kMostFrames);
  EXPECT_THAT(WhatHappened(*read), HasSubstr("signal 4711"));
  EXPECT_THAT(WhereItHappened(*read), HasSubstr(std::string(128, 'p')));
}

}  // namespace
}  // namespace berth::crash
