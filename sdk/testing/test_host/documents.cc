#include "documents.h"

namespace berth::sdk::testing {
namespace {

Amounts ReadAmounts(const Value& amounts) {
  Amounts all;
  for (uint32_t i = 0; i < amounts.size(); ++i) all.emplace_back(amounts.KeyAt(i), amounts[i].AsInt());
  return all;
}

template <class Builder>
void ReadLabels(const Value& labels, Builder& builder) {
  for (uint32_t i = 0; i < labels.size(); ++i) {
    builder.Label(std::string(labels.KeyAt(i)), std::string(labels[i].AsString()));
  }
}

// Calls read(member) if the member exists.
template <class T, class Read>
std::optional<T> Optional(const Value& document, std::string_view key, Read&& read) {
  const Value member = document.Get(key);
  return member ? std::optional<T>(read(member)) : std::nullopt;
}

FakeValue CopyOf(const Value& value) { return FakeValue::CopyOf(value.raw()); }

}  // namespace

std::string TextAt(const Value& document, std::string_view key) { return std::string(document.Get(key).AsString()); }

FakePod ReadPod(const Value& document) {
  FakePod pod(TextAt(document, "name"));
  pod.Uid(TextAt(document, "uid"));
  ReadLabels(document.Get("labels"), pod);
  const Amounts requests = ReadAmounts(document.Get("requests"));
  if (!requests.empty()) pod.Req(requests);
  const Value priority = document.Get("priority");
  if (priority) pod.Priority(static_cast<int32_t>(priority.AsInt()));
  return pod;
}

FakeNode ReadNode(const Value& document) {
  FakeNode node(TextAt(document, "name"));
  ReadLabels(document.Get("labels"), node);
  return node.Allocatable(ReadAmounts(document.Get("allocatable")))
      .Unschedulable(document.Get("unschedulable").AsBool());
}

void AddNode(FakeCluster& cluster, const Value& document) {
  const FakeNode node = ReadNode(document);
  cluster.Add(node);
  for (const FakePod& pod : ReadEach(document.Get("pods"), ReadPod)) cluster.Add(pod, node.name());
}

FakeObject ReadObject(const Value& object) {
  FakeObject read(TextAt(object, "name"), TextAt(object, "namespace"));
  ReadLabels(object.Get("labels"), read);
  const Value document = object.Get("document");
  for (uint32_t i = 0; i < document.size(); ++i) read.Set(document.KeyAt(i), CopyOf(document[i]));
  return read;
}

FakeQueued ReadQueued(const Value& queued) {
  FakeQueued read{ReadPod(queued.Get("pod"))};
  read.queued = queued.Get("queued").AsInt();
  read.attempts = static_cast<uint32_t>(queued.Get("attempts").AsInt());
  const Value first = queued.Get("initial_attempt");
  if (first) read.initial_attempt = first.AsInt();
  return read;
}

FakeEvent ReadEvent(const Value& event) {
  return {TextAt(event, "resource"),
          static_cast<uint32_t>(event.Get("actions").AsInt()),
          static_cast<uint32_t>(event.Get("interest").AsInt()),
          Optional<FakePod>(event, "old_pod", ReadPod),
          Optional<FakePod>(event, "new_pod", ReadPod),
          Optional<FakeNode>(event, "old_node", ReadNode),
          Optional<FakeNode>(event, "new_node", ReadNode),
          Optional<FakeValue>(event, "old_value", CopyOf),
          Optional<FakeValue>(event, "new_value", CopyOf)};
}

FakeDelta ReadDelta(const Value& change) {
  return {static_cast<uint32_t>(change.Get("kind").AsInt()), static_cast<uint32_t>(change.Get("row").AsInt()),
          Optional<FakeNode>(change, "node", ReadNode), Optional<FakePod>(change, "pod", ReadPod)};
}

std::string ReadBytes(const Value& bytes) {
  std::string read;
  for (uint32_t i = 0; i < bytes.size(); ++i) read += static_cast<char>(bytes[i].AsInt());
  return read;
}

FakeValue BytesToJson(std::string_view bytes) {
  std::vector<FakeValue> items;
  for (const char byte : bytes) items.emplace_back(static_cast<unsigned char>(byte));
  return FakeValue::Array(std::move(items));
}

FakeValue ToJson(const Texts& texts) { return FakeValue::Array({texts.begin(), texts.end()}); }

FakeValue ToJson(const Outcome& outcome) {
  return FakeValue::Object({{"code", outcome.code}, {"reasons", ToJson(outcome.reasons)}});
}

}  // namespace berth::sdk::testing
