// Short texts for pods in tests: PodText{.init = {"s:side cpu=1"}, .apps = {"main cpu=250m memory=1Gi"}}.Json().
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "api/intern_tables.h"
#include "api/pod.h"

namespace berth::api {

// "cpu=1 memory=2Gi" -> {"cpu":"1","memory":"2Gi"}
inline std::string QuantitiesJson(const std::string& text) {
  std::istringstream words(text);
  std::string out = "{";
  for (std::string word; words >> word;) {
    const size_t eq = word.find('=');
    if (out.size() > 1) out += ',';
    out += '"' + word.substr(0, eq) + "\":\"" + word.substr(eq + 1) + '"';
  }
  return out + '}';
}

struct PodText {
  std::vector<std::string> init, apps;  // "[s:]name cpu=1 ..."; "s:" = sidecar
  std::string pod_level, overhead;      // "" = unset
  // Container statuses: "name actual... | allocated..."; without '|' nothing is allocated.
  std::vector<std::string> statuses, init_statuses;
  std::string pod_status;  // as a container status, without the name; "" = unset
  std::string resize;      // reason of the PodResizePending condition; "" = none

  static std::string Containers(const std::vector<std::string>& texts) {
    std::string out;
    for (std::string text : texts) {
      const bool sidecar = text.starts_with("s:");
      if (sidecar) text.erase(0, 2);
      const size_t space = text.find(' ');
      if (!out.empty()) out += ',';
      out += R"({"name":")" + text.substr(0, space) + '"';
      if (sidecar) out += R"(,"restartPolicy":"Always")";
      if (space != std::string::npos) {
        out += R"(,"resources":{"requests":)" + QuantitiesJson(text.substr(space)) + '}';
      }
      out += '}';
    }
    return '[' + out + ']';
  }
  // "actual | allocated" -> the two fields
  static std::string StatusFields(const std::string& text) {
    const size_t bar = text.find('|');
    std::string out = R"("resources":{"requests":)" + QuantitiesJson(text.substr(0, bar)) + '}';
    if (bar != std::string::npos) out += R"(,"allocatedResources":)" + QuantitiesJson(text.substr(bar + 1));
    return out;
  }
  static std::string Statuses(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts) {
      const size_t space = text.find(' ');
      if (!out.empty()) out += ',';
      out += R"({"name":")" + text.substr(0, space) + "\"," + StatusFields(text.substr(space)) + '}';
    }
    return '[' + out + ']';
  }

  std::string Json() const {
    std::string out = R"({"metadata":{"name":"p","namespace":"ns"},"spec":{"initContainers":)" + Containers(init) +
                      R"(,"containers":)" + Containers(apps);
    if (!pod_level.empty()) out += R"(,"resources":{"requests":)" + QuantitiesJson(pod_level) + '}';
    if (!overhead.empty()) out += R"(,"overhead":)" + QuantitiesJson(overhead);
    out += R"(},"status":{"containerStatuses":)" + Statuses(statuses) + R"(,"initContainerStatuses":)" +
           Statuses(init_statuses);
    if (!pod_status.empty()) out += ',' + StatusFields(pod_status);
    if (!resize.empty()) {
      out += R"(,"conditions":[{"type":"PodResizePending","status":"True","reason":")" + resize + R"("}])";
    }
    return out + "}}";
  }
};

// Decodes or fails the test.
inline PodRef Decoded(InternTables& intern, std::string_view json) {
  auto pod = DecodePod(intern, json);
  if (pod) return *pod;
  ADD_FAILURE() << pod.error().message;
  return *DecodePod(intern, "{}");
}

// "cpu=250 memory=1024", in the order given out; '~' marks rounded, '^' saturated amounts.
inline std::string Spelled(const InternTables& intern, const std::vector<berth_amount>& amounts) {
  std::string out;
  for (const berth_amount& amount : amounts) {
    if (!out.empty()) out += ' ';
    out += std::string(intern.ids.Text(amount.name)) + '=' + std::to_string(amount.value);
    if (amount.flags & BERTH_AMOUNT_ROUNDED) out += '~';
    if (amount.flags & BERTH_AMOUNT_SATURATED) out += '^';
  }
  return out;
}
inline std::string Spelled(const InternTables& intern, const berth_list& list) {
  std::vector<berth_amount> amounts;
  for (uint32_t i = 0; i < list.n; ++i) amounts.push_back(*BERTH_AT(list, berth_amount, i));
  return Spelled(intern, amounts);
}

}  // namespace berth::api
