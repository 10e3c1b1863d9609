// The pods service for tests: the test says which pods exist, as the API server reports them.
//   FakePods pods(plugin.host());  // before Start; must outlive the plugin
//   pods.Put(FakePod("a").Label("app", "web"));             // new, or changed
//   pods.Put(FakePod("a").Label("app", "web").Node("n1"));  // bound
//   pods.Remove(FakePod("a"));
// Thread: as the service.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "berth/draft/pods.h"
#include "berth/testing/fake_host.hpp"

namespace berth::sdk::testing {

class FakePods {
 public:
  explicit FakePods(FakeHost& host);
  FakePods(const FakePods&) = delete;
  ~FakePods();

  FakePods& Put(const FakePod& pod);  // replaces the pod of the same namespace and name
  FakePods& Remove(const FakePod& pod);

 private:
  static berth_list Labeled(const berth_host* host, berth_id ns, berth_id key, berth_id value);
  static std::string KeyOf(const PodObject& pod);

  FakeHost& host_;
  std::map<std::string, std::shared_ptr<const PodObject>> pods_;  // by "namespace/name"
  std::deque<std::shared_ptr<const PodObject>> gone_;             // the plugin may still look at them
  std::deque<Arena> lists_;
};

}  // namespace berth::sdk::testing
