// Selectors as the fake host matches them: the operators of Kubernetes, over fakes. For the most common errors, texts
// are those of k8s.io/apimachinery's validation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/host.h"
#include "berth/testing/fake_pod.hpp"
#include "berth/value.hpp"
#include "berth/views.hpp"

namespace berth::sdk::testing {

// Checks one requirement against the value of its key; nullopt: the node or pod has no such key.
bool Meets(std::string_view op, const Texts& values, const std::optional<std::string>& value);

std::optional<std::string> LabelOf(const berth_labels* labels, Id key);

bool TermMatches(const berth_node_term& term, const berth_node& node);

// Whether the node matches both nodeSelector and the required terms.
bool AffinityMatches(const berth_node_affinity& affinity, const berth_node& node);

using Complain = std::function<void(const std::string& path, const std::string& text)>;

std::vector<FakeRequirement> ReadRequirements(const Value& list, const std::string& path, const Complain& complain);

FakeTerm ReadTerm(const Value& term, const std::string& path, const Complain& complain);

// Reads a v1.NodeAffinity into a pod that has it.
FakePod ReadNodeAffinity(const Value& affinity, const Complain& complain);

// A compiled metav1.LabelSelector.
struct FakeLabelSelector {
  bool nothing = false;  // compiled from an absent value
  std::vector<FakeRequirement> requirements;

  static FakeLabelSelector Read(const Value& selector, const Complain& complain);
  bool Matches(const berth_labels* labels) const;
};

}  // namespace berth::sdk::testing
