#include "controllers/rules/pod_facts.h"

#include <utility>

#include "api/json_items.h"
#include "api/json_reader.h"
#include "base/text.h"
#include "controllers/rules/pod_requests.h"

namespace berth::rules {
namespace {

using Reader = api::JsonReader;
using Value = Reader::Value;

bool ReadText(Reader& reader, Value value, std::string& to) {
  std::string_view text;
  if (!reader.Text(value, text)) return false;
  to = text;
  return true;
}

PodPhase PhaseOf(std::string_view text) {
  if (text == "Pending") return PodPhase::kPending;
  if (text == "Running") return PodPhase::kRunning;
  if (text == "Succeeded") return PodPhase::kSucceeded;
  return text == "Failed" ? PodPhase::kFailed : PodPhase::kOther;
}

class PodReader {
 public:
  explicit PodReader(Reader& reader) : reader_(reader) {}

  bool Read(std::string_view json) {
    return reader_.Read(json, [this](std::string_view key, Value value) {
      if (key == "metadata") return Metadata(value);
      if (key == "spec") return Spec(value);
      return key != "status" || Status(value);
    });
  }
  PodFacts Take() {
    if (pod_.group.empty()) pod_.owners.clear();
    if (pod_.phase == PodPhase::kRunning) pod_.requests = RequestsOf(std::move(parts_));
    return std::move(pod_);
  }

 private:
  bool Metadata(Value value) {
    return reader_.Object(value, [this](std::string_view key, Value field) {
      if (key == "name") return ReadText(reader_, field, pod_.name);
      if (key == "namespace") return ReadText(reader_, field, pod_.ns);
      if (key == "resourceVersion") return ReadText(reader_, field, pod_.resource_version);
      if (key == "labels") return Labels(field);
      return key != "ownerReferences" || Owners(field);
    });
  }
  bool Labels(Value value) {
    return reader_.Map(value, [this](std::string_view key, Value label) {
      return key != kPodGroupLabel || ReadText(reader_, label, pod_.group);
    });
  }
  bool Owners(Value value) {
    return reader_.Objects(
        value, [this] { pod_.owners.emplace_back(); },
        [this](std::string_view key, Value field) {
          return key != "name" || ReadText(reader_, field, pod_.owners.back());
        });
  }
  bool Status(Value value) {
    return reader_.Object(value, [this](std::string_view key, Value field) {
      std::string_view text;
      if (key != "phase") return true;
      if (!reader_.Text(field, text)) return false;
      pod_.phase = PhaseOf(text);
      return true;
    });
  }
  bool Spec(Value value) {
    return reader_.Object(value, [this](std::string_view key, Value field) {
      if (key == "containers") return Containers(field, parts_.containers);
      if (key == "initContainers") return Containers(field, parts_.init_containers);
      return key != "overhead" || List(field, parts_.overhead);
    });
  }
  bool Containers(Value value, std::vector<Amounts>& to) {
    return reader_.Objects(
        value, [&to] { to.emplace_back(); },
        [this, &to](std::string_view key, Value field) { return key != "resources" || Resources(field, to.back()); });
  }
  bool Resources(Value value, Amounts& to) {
    return reader_.Object(
        value, [this, &to](std::string_view key, Value field) { return key != "requests" || List(field, to); });
  }
  bool List(Value value, Amounts& to) {
    return reader_.Map(value, [this, &to](std::string_view name, Value quantity) {
      Amount& amount = to[std::string(name)];
      amount.format = text::FormatOfQuantity(quantity.raw_json_token());
      return reader_.Quantity(quantity, amount.quantity);
    });
  }

  Reader& reader_;
  PodFacts pod_;
  PodRequestParts parts_;
};

}  // namespace

base::Result<PodFacts> ReadPodFacts(std::string_view json) {
  Reader& reader = Reader::OfThread();
  PodReader pod(reader);
  if (pod.Read(json)) return pod.Take();
  const std::string error = reader.error();
  return base::Fail("pod " + base::Quoted(api::IdentityOf(json).key) + ": " + error);
}

}  // namespace berth::rules
