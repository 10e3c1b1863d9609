#include "base/text.h"
#include "client/credentials/kubeconfig_fields.h"
#include "client/credentials/redact.h"
#include "client/credentials/selection.h"
#include "telemetry/log/log.h"

namespace berth::credentials {
namespace {

using json::Value;

// One of the lists of named entries: clusters, users, contexts.
struct NamedList {
  const char* list;    // "clusters"
  const char* member;  // "cluster"
};

// The member of the entry with that name, and its field path; path stays empty when there is none.
const Value* FindNamed(const Value& root, const NamedList& kind, const std::string& name, const std::string& file,
                       std::string& path, fields::Issues& issues) {
  const Value* found = nullptr;
  const Value* list = root.Find(kind.list);
  if (!list || list->is_null()) return nullptr;
  if (!list->is_array()) {
    issues.AddAt(list->mark(), kind.list, WrongKind("a list", *list));
    return nullptr;
  }
  for (size_t i = 0; i < list->array().size(); ++i) {
    KubeconfigFields entry(list->array()[i], fields::Index(kind.list, i), issues);
    if (entry.TextAt("name") != name) continue;
    if (found) {
      issues.Add(entry.PathOf("name"), "duplicate name " + base::Quoted(name) + " in list");
      continue;
    }
    found = &entry.ObjectAt(kind.member);
    path = entry.PathOf(kind.member);
    entry.WarnOfUnknown(file);
  }
  return found;
}

void CheckKind(KubeconfigFields& top, fields::Issues& issues) {
  const std::string kind = top.TextAt("kind"), version = top.TextAt("apiVersion");
  if (!kind.empty() && kind != "Config") {
    issues.Add("kind", "no kind " + base::Quoted(ShownName(kind)) + " is known here; a kubeconfig's kind is Config");
  }
  if (!version.empty() && version != "v1") issues.Add("apiVersion", "a kubeconfig's apiVersion is v1");
}

}  // namespace

Selection Select(const Value& root, const std::string& file, fields::Issues& issues) {
  Selection chosen;
  KubeconfigFields top(root, "", issues);
  CheckKind(top, issues);
  chosen.context = top.TextAt("current-context");
  top.Ignore({"clusters", "users", "contexts", "preferences", "extensions"});
  top.WarnOfUnknown(file);

  std::string path;
  const Value* object = FindNamed(root, {"contexts", "context"}, chosen.context, file, path, issues);
  if (!object) {
    if (!chosen.context.empty()) {
      issues.Add("current-context", "context was not found for specified context: " + chosen.context);
    }
    return chosen;
  }
  KubeconfigFields context(*object, path, issues);
  chosen.cluster.name = context.TextAt("cluster");
  chosen.user.name = context.TextAt("user");
  context.Ignore({"namespace", "extensions"});
  context.WarnOfUnknown(file);

  if (const Value* cluster =
          FindNamed(root, {"clusters", "cluster"}, chosen.cluster.name, file, chosen.cluster.path, issues)) {
    DecodeCluster(*cluster, file, chosen.cluster, issues);
  }
  if (const Value* user = FindNamed(root, {"users", "user"}, chosen.user.name, file, chosen.user.path, issues)) {
    DecodeUser(*user, file, chosen.user, issues);
  } else if (!chosen.user.name.empty()) {
    log::Warning("The current context's user is not in the kubeconfig, requests will be anonymous",
                 {{"path", file}, {"user", chosen.user.name}});
  }
  return chosen;
}

}  // namespace berth::credentials
