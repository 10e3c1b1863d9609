#include "config/configuration/berth_configuration.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/quantity.h"
#include "codec/fields/field_reader.h"
#include "config/configuration/decode_tracing.h"
#include "os/crypto/digest.h"

namespace berth::config {
namespace {

using json::Value;

// Lower-case digits without "sha256:". Any other text is an issue, and the result is empty.
std::string ReadDigest(fields::FieldReader& reader) {
  std::string given;
  if (!reader.String("sha256", given)) return {};
  if (auto digest = crypto::ReadSha256(given)) return *std::move(digest);
  reader.issues().Add(reader.PathOf("sha256"),
                      fields::Invalid(given, "must be 64 hexadecimal digits, with or without \"sha256:\" before"));
  return {};
}

void Require(fields::FieldReader& reader, std::string_view name) {
  const Value* value = reader.Any(name);
  if (!value || *value == Value("")) reader.issues().Add(reader.PathOf(name), fields::Required());
}

PluginBinding DecodeBinding(const Value& value, const std::string& path, fields::Issues& issues) {
  PluginBinding binding;
  binding.mark = value.mark();
  fields::FieldReader reader(value, path, issues);
  reader.String("name", binding.name);
  Require(reader, "name");
  reader.String("library", binding.library);
  Require(reader, "library");
  binding.plugin = binding.name;
  reader.String("plugin", binding.plugin);
  binding.sha256 = ReadDigest(reader);
  reader.Bool("optional", binding.optional);
  reader.Done();
  return binding;
}

std::vector<PluginBinding> DecodeBindings(const Value& list, fields::Issues& issues) {
  std::vector<PluginBinding> bindings;
  std::set<std::string> names;
  for (const Value& value : list.array()) {
    const std::string path = fields::Index("plugins", bindings.size());
    bindings.push_back(DecodeBinding(value, path, issues));
    const std::string& name = bindings.back().name;
    if (!name.empty() && !names.insert(name).second) issues.Add(path + ".name", fields::Duplicate(name));
  }
  return bindings;
}

std::vector<crypto::Ed25519Key> DecodeKeys(const Value& list, fields::Issues& issues) {
  std::vector<crypto::Ed25519Key> keys;
  size_t n = 0;
  for (const Value& pem : list.array()) {
    const std::string path = fields::Index("security.signatureKeys", n++);
    const auto key = crypto::ReadEd25519Key(pem.string());
    if (key) {
      keys.push_back(*key);
    } else {
      issues.AddAt(pem.mark(), path, "Invalid value: " + key.error().message);  // does not show a private key
    }
  }
  return keys;
}

SecurityRules DecodeSecurity(const Value& value, const std::vector<PluginBinding>& bindings, fields::Issues& issues) {
  SecurityRules rules;
  fields::FieldReader reader(value, "security", issues);
  reader.Bool("requireDigest", rules.require_digest);
  reader.Bool("checkOwner", rules.check_owner);
  if (const Value* list = reader.List("allowedDirectories")) {
    for (const Value& directory : list->array()) {
      const std::string path = fields::Index("security.allowedDirectories", rules.allowed_directories.size());
      if (!directory.string().starts_with('/'))
        issues.AddAt(directory.mark(), path, fields::Invalid(directory, "must be an absolute path"));
      rules.allowed_directories.push_back(directory.string());
    }
  }
  if (const Value* list = reader.List("signatureKeys")) rules.signature_keys = DecodeKeys(*list, issues);
  reader.Done();
  for (size_t i = 0; rules.require_digest && i < bindings.size(); ++i) {
    if (!bindings[i].sha256.empty()) continue;
    issues.Add(fields::Index("plugins", i) + ".sha256", fields::Required("security.requireDigest is true"));
  }
  return rules;
}

FaultRules DecodeFaults(const Value& value, fields::Issues& issues) {
  FaultRules rules;
  fields::FieldReader reader(value, "faults", issues);
  if (reader.Duration("callDeadline", rules.call_deadline) && rules.call_deadline.count() <= 0) {
    issues.Add("faults.callDeadline",
               fields::Invalid(fields::FieldOf(value, "callDeadline"), "must be greater than zero"));
  }
  if (reader.Int32("quarantineAfter", rules.quarantine_after) && rules.quarantine_after < 0) {
    issues.Add("faults.quarantineAfter", fields::Invalid(rules.quarantine_after, "must be non-negative"));
  }
  if (!reader.Duration("hangAfter", rules.hang_after)) {
    rules.hang_after = std::max(rules.hang_after, 2 * rules.call_deadline);
  } else if (rules.hang_after <= rules.call_deadline) {
    issues.Add("faults.hangAfter",
               fields::Invalid(fields::FieldOf(value, "hangAfter"), "must be greater than faults.callDeadline"));
  }
  if (reader.Duration("opDeadline", rules.op_deadline) && rules.op_deadline.count() < 0) {
    issues.Add("faults.opDeadline", fields::Invalid(fields::FieldOf(value, "opDeadline"), "must be non-negative"));
  }
  reader.Done();
  return rules;
}

DecisionRules DecodeDecisions(const Value& value, fields::Issues& issues) {
  DecisionRules rules;
  fields::FieldReader reader(value, "decisions", issues);
  constexpr int32_t kMost = 100'000;
  if (reader.Int32("attempts", rules.attempts) && (rules.attempts < 0 || rules.attempts > kMost)) {
    issues.Add("decisions.attempts", fields::Invalid(rules.attempts, "must be from 0 to 100000"));
  }
  std::string memory;
  if (reader.String("memory", memory)) {
    const auto quantity = base::Quantity::Parse(memory);
    if (quantity) rules.memory_bytes = quantity->Value();
    if (!quantity || rules.memory_bytes <= 0) {
      issues.Add("decisions.memory", fields::Invalid(fields::FieldOf(value, "memory"),
                                                     "must be a quantity of bytes above zero, such as 64Mi"));
    }
  }
  for (const auto& [name, rule] :
       {std::pair("detailedEvents", &rules.detailed_events), std::pair("annotations", &rules.annotations)}) {
    if (reader.Bool(name, *rule) && *rule && rules.attempts == 0) {
      issues.Add(std::string("decisions.") + name, fields::Invalid(true, "needs decisions.attempts above 0"));
    }
  }
  reader.Done();
  return rules;
}

LeaderElectionRules DecodeLeaderElectionRules(const Value& value, fields::Issues& issues) {
  LeaderElectionRules rules;
  fields::FieldReader reader(value, "leaderElection", issues);
  std::string on_loss = "exit";
  reader.String("onLoss", on_loss);
  if (on_loss == "standby") {
    rules.on_loss = OnLoss::kStandby;
  } else if (on_loss != "exit") {
    issues.Add("leaderElection.onLoss", fields::Unsupported(fields::FieldOf(value, "onLoss"), {"exit", "standby"}));
  }
  reader.Done();
  return rules;
}

}  // namespace

BerthConfiguration DecodeBerthConfiguration(const Value& root, fields::Issues& issues) {
  BerthConfiguration configuration;
  fields::FieldReader reader(root, "", issues);
  reader.Any("apiVersion");
  reader.Any("kind");
  if (const Value* plugins = reader.List("plugins")) configuration.plugins = DecodeBindings(*plugins, issues);
  if (const Value* security = reader.Object("security")) {
    configuration.security = DecodeSecurity(*security, configuration.plugins, issues);
  }
  if (const Value* faults = reader.Object("faults")) configuration.faults = DecodeFaults(*faults, issues);
  if (const Value* election = reader.Object("leaderElection")) {
    configuration.leader_election = DecodeLeaderElectionRules(*election, issues);
  }
  if (const Value* decisions = reader.Object("decisions")) {
    configuration.decisions = DecodeDecisions(*decisions, issues);
  }
  if (const Value* tracing = reader.Object("tracing")) configuration.tracing = DecodeTracing(*tracing, issues);
  int32_t verbosity = 0;
  if (reader.Int32("verbosity", verbosity)) configuration.verbosity = verbosity;
  if (verbosity < 0) issues.Add("verbosity", fields::Invalid(verbosity, "must be non-negative"));
  int64_t seed = 0;
  if (reader.Int64("seed", seed)) configuration.seed = seed;
  reader.Done();
  return configuration;
}

}  // namespace berth::config
