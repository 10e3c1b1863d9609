// Which system calls a pod may make: paths, profiles, and the default.
#include "profile_path.h"
#include "test_fixture.h"

namespace sy_sched_test {
namespace {

using plugins::sy_sched::ProfilePath;

struct PathCase {
  const char *path, *ns, *name;
};

TEST(SySchedPaths, NameANamespaceAndAProfile) {
  for (const PathCase& one : {PathCase{"operator/ns/name.json", "ns", "name"}, PathCase{"ns/name", "ns", "name"},
                              PathCase{"ns/a.b.json", "ns", "a.b"}, PathCase{"/name.json", "", "name"},
                              PathCase{"ns/.json", "ns", ""}, PathCase{"ns/", "ns", ""}, PathCase{"name.json", "", ""},
                              PathCase{"a.b/name", "a.b", "name"}, PathCase{"", "", ""}}) {
    const ProfilePath path = ProfilePath::Of(one.path);
    EXPECT_EQ(path.ns, one.ns) << one.path;
    EXPECT_EQ(path.name, one.name) << one.path;
    EXPECT_EQ(path.empty(), *one.ns == 0 || *one.name == 0) << one.path;
  }
}

// A scheduler with small profiles, and one pod on node1.
struct Small : Scheduler {
  explicit Small(const FakeObject& pod, const std::string& default_profile = "none") : Scheduler(default_profile) {
    Put(kProfiles, ProfileOf("ab", {"a", "b"})).Put(kProfiles, ProfileOf("bc", {"b", "c"}));
    Put(kProfiles, ProfileOf("d", {"d"})).Put(kProfiles, ProfileOf("ab", {"x"}, "other"));
    Put(kProfiles, ProfileOf("probe", {"probe"})).Run(pod, "p");
  }
  // How many calls the pod may make.
  int64_t Calls() { return ScoreWith("probe") - 1; }
};

TEST(SySchedProfiles, AreMerged) {
  Small scheduler(PodObjectOf("p")
                      .Spec(R"({"securityContext": )" + Localhost(PathOf("ab")) +
                            R"(, "containers": [{}, {"securityContext": )" + Localhost(PathOf("bc")) + "}]}")
                      .Annotation("seccomp.security.alpha.kubernetes.io/pod", PathOf("d"))
                      .Annotation("container.seccomp.security.alpha.kubernetes.io/main", "localhost/other/ab.json")
                      .Annotation("example.org/seccomp", PathOf("full-seccomp")));
  EXPECT_EQ(scheduler.Calls(), 5);  // a, b, c, d, x
}

TEST(SySchedProfiles, OfOtherTypesOrPathsDoNotCount) {
  for (const char* context :
       {R"({"seccompProfile": {"type": "RuntimeDefault", "localhostProfile": "operator/default/ab.json"}})",
        R"({"seccompProfile": {"type": "Localhost"}})",
        R"({"seccompProfile": {"type": "Localhost", "localhostProfile": 7}})",
        R"({"seccompProfile": {"type": "Localhost", "localhostProfile": "ab.json"}})", R"({"seccompProfile": 7})"}) {
    Small scheduler(PodObjectOf("p").Spec(R"({"securityContext": )" + std::string(context) + "}"), "d");
    EXPECT_EQ(scheduler.Calls(), 1) << context;
  }
}

TEST(SySchedProfiles, OfInitContainersDoNotCount) {
  Small scheduler(
      PodObjectOf("p").Spec(R"({"initContainers": [{"securityContext": )" + Localhost(PathOf("ab")) + "}]}"), "d");
  EXPECT_EQ(scheduler.Calls(), 1);
}

TEST(SySchedProfiles, ThatDoNotExistLeaveTheDefault) {
  Small with(Confined("p", "missing"), "bc"), without(Confined("p", "missing"));
  EXPECT_EQ(with.Calls(), 2);
  EXPECT_EQ(without.Calls(), 0);
}

TEST(SySchedProfiles, CountWhatIsAllowedOrLogged) {
  Small scheduler(Confined("p", "rules"));
  scheduler.Put(kProfiles,
                FakeObject("rules", "default")
                    .Spec(R"({"baseProfileName": "ab", "syscalls": [)" + Rule("SCMP_ACT_ALLOW", {"r1", "r2"}) + ", " +
                          Rule("SCMP_ACT_LOG", {"r2", "r3"}) + ", " + Rule("SCMP_ACT_ERRNO", {"r4"}) + ", " +
                          Rule("SCMP_ACT_TRACE", {"r5"}) + "]}"));
  EXPECT_EQ(scheduler.Calls(), 3);
}

TEST(SySchedProfiles, OfAnyShapeAreRead) {
  for (const char* spec :
       {"{}", R"({"syscalls": 7})", R"({"syscalls": [7, {}, {"action": "SCMP_ACT_ALLOW", "names": "a"}]})"}) {
    Small scheduler(Confined("p", "odd"));
    scheduler.Put(kProfiles, FakeObject("odd", "default").Spec(spec));
    EXPECT_EQ(scheduler.Calls(), 0) << spec;
  }
}

// In the original the raw score is the largest int64, and the normalized one 100 as well.
TEST(SySchedProfiles, AreNeededForAScore) {
  Small scheduler(Confined("p", "ab"));
  scheduler.Put(kPods, PodObjectOf("bare"));
  const ScoreOutcome outcome = scheduler.plugin().Try(FakePod("bare"))->Score();
  EXPECT_TRUE(outcome.uniform);
  EXPECT_EQ(scheduler.plugin().Try(FakePod("bare"))->Normalize(outcome.nodes).nodes,
            (Scores{{"node1", 100}, {"node2", 100}}));
}

}  // namespace
}  // namespace sy_sched_test
