#include "base/text.h"
#include "kubeconfig/discretion.h"
#include "kubeconfig/fields.h"
#include "kubeconfig/selection.h"
#include "log/log.h"

namespace berth::kubeconfig {
namespace {

using json::Value;

// One of the lists of named things: clusters, users, contexts.
struct NamedList {
  const char* list;    // "clusters"
  const char* member;  // "cluster"
};

// The member of the entry by that name, and where it stands; path stays empty when there is none.
const Value* FindNamed(const Value& root, const NamedList& kind, const std::string& name, const std::string& file,
                       std::string& path, config::Issues& issues) {
  const Value* found = nullptr;
  const Value* list = root.Find(kind.list);
  if (!list || list->is_null()) return nullptr;
  if (!list->is_array()) {
    issues.AddAt(list->mark(), kind.list, WrongKind("a list", *list));
    return nullptr;
  }
  for (size_t i = 0; i < list->array().size(); ++i) {
    Fields entry(list->array()[i], config::Index(kind.list, i), issues);
    if (entry.Text("name") != name) continue;
    if (found) {
      issues.Add(entry.PathOf("name"), "duplicate name " + base::Quoted(name) + " in list");
      continue;
    }
    found = &entry.Object(kind.member);
    path = entry.PathOf(kind.member);
    entry.WarnOfOthers(file);
  }
  return found;
}

void CheckKind(Fields& top, config::Issues& issues) {
  const std::string kind = top.Text("kind"), version = top.Text("apiVersion");
  if (!kind.empty() && kind != "Config") {
    issues.Add("kind", "no kind " + base::Quoted(ShownName(kind)) + " is known here; a kubeconfig's kind is Config");
  }
  if (!version.empty() && version != "v1") issues.Add("apiVersion", "a kubeconfig's apiVersion is v1");
}

}  // namespace

Selection Select(const Value& root, const std::string& file, config::Issues& issues) {
  Selection chosen;
  Fields top(root, "", issues);
  CheckKind(top, issues);
  chosen.context = top.Text("current-context");
  top.Ignore({"clusters", "users", "contexts", "preferences", "extensions"});
  top.WarnOfOthers(file);

  std::string path;
  const Value* object = FindNamed(root, {"contexts", "context"}, chosen.context, file, path, issues);
  if (!object) {
    if (!chosen.context.empty()) {
      issues.Add("current-context", "context was not found for specified context: " + chosen.context);
    }
    return chosen;
  }
  Fields context(*object, path, issues);
  chosen.cluster.name = context.Text("cluster");
  chosen.user.name = context.Text("user");
  context.Ignore({"namespace", "extensions"});
  context.WarnOfOthers(file);

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

}  // namespace berth::kubeconfig
