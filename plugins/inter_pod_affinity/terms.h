// The meaning of one term of pod affinity. The pods' blocks contain the terms as written. Source:
// k8s.io/kube-scheduler/framework/types.go AffinityTerm, pkg/scheduler/framework/types.go PodInfo.Update. Pure logic;
// thread: any. Match is a callable bool(const berth_selector&, const berth_labels&) with the rules of
// k8s.io/apimachinery/pkg/labels: a nil selector matches nothing.
#pragma once

#include <berth/list.hpp>
#include <berth/text.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plugins::inter_pod {

using berth::sdk::Id;
using berth::sdk::List;

// The lists of a pod's terms, in the order in which their errors are reported.
enum TermKind : uint32_t { kRequired, kAntiRequired, kPreferred, kAntiPreferred, kTermKinds };

inline List<berth_pod_term> TermsOf(const berth_pod_affinity& affinity, TermKind kind) {
  switch (kind) {
    case kRequired: return affinity.required;
    case kAntiRequired: return affinity.anti_required;
    case kPreferred: return affinity.preferred;
    default: return affinity.anti_preferred;
  }
}

inline bool HasTerms(const berth_pod_affinity& affinity) {
  return (affinity.required.n | affinity.anti_required.n | affinity.preferred.n | affinity.anti_preferred.n) != 0;
}

// The operators that match an object without labels.
struct NegativeWords {
  Id not_in, does_not_exist;
};

// Whether the valid selector matches an object without labels. An empty one does; a nil one does not.
inline bool MatchesNoLabels(const berth_selector& selector, const NegativeWords& words) {
  if ((selector.has & BERTH_SELECTOR_SET) == 0 || selector.labels.n != 0) return false;
  const List<berth_label_requirement> all(selector.expressions);
  return std::all_of(all.begin(), all.end(), [&words](const berth_label_requirement& one) {
    return one.op == words.not_in || one.op == words.does_not_exist;
  });
}

// Whether the term lists no namespaces and has no selector for them, so that it concerns its owner's.
inline bool IsAboutOwnNamespace(const berth_pod_term& term) {
  return term.namespaces.n == 0 && (term.namespace_selector->has & BERTH_SELECTOR_SET) == 0;
}

// Matches the namespace selector with the labels of one namespace. Null: the namespace has none or is unknown.
template <class Match>
bool SelectsNamespace(const berth_selector& selector, const berth_labels* labels, const NegativeWords& words,
                      Match&& match) {
  if ((selector.has & BERTH_SELECTOR_SET) == 0) return false;
  return labels == nullptr ? MatchesNoLabels(selector, words) : match(selector, *labels);
}

// Whether the term of a pod in the namespace `owner` matches a pod. ns_labels: of that pod's namespace; null: none.
template <class Match>
bool TermMatches(const berth_pod_term& term, Id owner, const berth_pod& pod, const berth_labels* ns_labels,
                 const NegativeWords& words, Match&& match) {
  const List<Id> listed(term.namespaces);
  const bool there = IsAboutOwnNamespace(term)
                         ? pod.ns == owner
                         : std::find(listed.begin(), listed.end(), pod.ns) != listed.end() ||
                               SelectsNamespace(*term.namespace_selector, ns_labels, words, match);
  return there && match(*term.selector, *pod.labels);
}

// The errors of a pod's terms. One invalid term excludes its whole list.
struct TermErrors {
  uint32_t bad = 0;  // bit per TermKind
  std::string text;  // in upstream's format; "": none
};

// error(const berth_selector&) -> std::string_view; "": valid.
template <class Error>
std::string_view FirstError(List<berth_pod_term> terms, Error&& error) {
  for (const berth_pod_term& term : terms) {
    if (const std::string_view text = error(*term.selector); !text.empty()) return text;
    if (const std::string_view text = error(*term.namespace_selector); !text.empty()) return text;
  }
  return "";
}

template <class Error>
TermErrors ErrorsOf(const berth_pod_affinity& affinity, Error&& error) {
  constexpr std::array<std::string_view, kTermKinds> kNames = {"requiredAffinityTerms", "requiredAntiAffinityTerms",
                                                               "preferredAffinityTerms", "preferredAntiAffinityTerms"};
  TermErrors errors;
  uint32_t n = 0;
  for (uint32_t kind = 0; kind < kTermKinds; ++kind) {
    const std::string_view text = FirstError(TermsOf(affinity, static_cast<TermKind>(kind)), error);
    if (text.empty()) continue;
    errors.bad |= 1u << kind;
    if (n++ != 0) errors.text += ", ";
    errors.text.append(kNames[kind]).append(": ").append(text);
  }
  if (n > 1) errors.text = "[" + errors.text + "]";
  return errors;
}

// Whether the pod matches all of these terms; false if there are none. As in upstream's hints, namespace selectors see
// no labels.
template <class Match>
bool MatchesAll(List<berth_pod_term> terms, Id owner, const berth_pod& pod, const NegativeWords& words, Match&& match) {
  return !terms.empty() && std::all_of(terms.begin(), terms.end(), [&](const berth_pod_term& term) {
    return TermMatches(term, owner, pod, nullptr, words, match);
  });
}

}  // namespace plugins::inter_pod
