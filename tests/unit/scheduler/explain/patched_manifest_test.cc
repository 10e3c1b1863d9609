// A manifest that is being edited, and the JSON patch that records the edits.
#include "scheduler/explain/patched_manifest.h"

#include <gtest/gtest.h>

namespace berth::explain {
namespace {

PatchedManifest Of(const char* text) { return PatchedManifest(*json::Parse(text)); }

std::string Operations(const PatchedManifest& patched) { return json::Dump(json::Value(patched.operations())); }

TEST(PatchedManifest, ReplacesWhatExists) {
  PatchedManifest patched = Of(R"({"a":[{"b/c~d":1}]})");
  patched.Replace({"a", "0", "b/c~d"}, 2);
  patched.Replace({"a", "1", "b"}, 3);
  EXPECT_EQ(json::Dump(patched.manifest()), R"({"a":[{"b/c~d":2}]})");
  EXPECT_EQ(Operations(patched), R"([{"op":"replace","path":"/a/0/b~1c~0d","value":2}])");
}

TEST(PatchedManifest, AppendsToAListOrCreatesIt) {
  PatchedManifest patched = Of(R"({"a":{}})");
  patched.Append({"a", "list"}, 1);
  patched.Append({"a", "list"}, 2);
  EXPECT_EQ(json::Dump(patched.manifest()), R"({"a":{"list":[1,2]}})");
  EXPECT_EQ(Operations(patched),
            R"([{"op":"add","path":"/a/list","value":[1]},{"op":"add","path":"/a/list/-","value":2}])");
}

TEST(PatchedManifest, RemovesMembersAndElements) {
  PatchedManifest patched = Of(R"({"a":[1,2],"b":3})");
  patched.Remove({"a", "0"});
  patched.Remove({"b"});
  patched.Remove({"a", "7"});
  patched.Remove({"a", "x"});
  EXPECT_EQ(json::Dump(patched.manifest()), R"({"a":[2]})");
  EXPECT_EQ(Operations(patched), R"([{"op":"remove","path":"/a/0"},{"op":"remove","path":"/b"}])");
}

}  // namespace
}  // namespace berth::explain
