// Builds nodes and pods for tests of the cache from short texts.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "api/node.h"
#include "api/pod.h"

namespace berth::cache {

// spec, status, and metadata are JSON members to insert: R"("taints":[...])".
struct NodeText {
  std::string name;
  std::string cpu = "4", memory = "8Gi";
  std::string labels, spec, status;

  api::NodeRef In(api::InternTables& intern) const {
    auto node =
        api::DecodeNode(intern, R"({"metadata":{"name":")" + name + R"(","labels":{)" + labels + R"(}},"spec":{)" +
                                    spec + R"(},"status":{"allocatable":{"cpu":")" + cpu + R"(","memory":")" + memory +
                                    R"(","pods":"110"})" + (status.empty() ? "" : "," + status) + "}}");
    EXPECT_TRUE(node) << node.error().message;
    return *node;
  }
};

struct PodText {
  std::string name;
  std::string node;  // "" = on none
  std::string cpu = "1";
  std::string ports, spec;
  std::string ns = "default";
  std::string labels, metadata;  // spliced in

  api::PodRef In(api::InternTables& intern) const {
    auto pod = api::DecodePod(intern, R"({"metadata":{"namespace":")" + ns + R"(","name":")" + name +
                                          R"(","uid":"uid-)" + name + R"(","labels":{)" + labels + "}" +
                                          (metadata.empty() ? "" : "," + metadata) + R"(},"spec":{"nodeName":")" +
                                          node + R"(","containers":[{"name":"c","image":"img","ports":[)" + ports +
                                          R"(],"resources":{"requests":{"cpu":")" + cpu + R"("}}}])" +
                                          (spec.empty() ? "" : "," + spec) + "}}");
    EXPECT_TRUE(pod) << pod.error().message;
    return *pod;
  }
};

}  // namespace berth::cache
