// A small API server for the controllers: it stores pods, PodGroups, and ElasticQuotas, serves their lists and watches,
// and applies merge patches of statuses. Thread: any.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "codec/json/value.h"
#include "fake_transport.h"

namespace berth::reconcile {

inline constexpr const char* kPodsPath = "/api/v1/pods";
inline constexpr const char* kGroupsPath = "/apis/scheduling.x-k8s.io/v1alpha1/podgroups";
inline constexpr const char* kQuotasPath = "/apis/scheduling.x-k8s.io/v1alpha1/elasticquotas";

class ObjectServer final : public http::Transport {
 public:
  http::FakeTransport events;  // gets the requests about Events
  // An answer instead of the server's.
  std::function<std::optional<http::Reply>(const http::Request&)> fault;

  // Creates or replaces; a status that object does not have stays.
  void Put(const std::string& path, const std::string& object) {
    std::lock_guard lock(mutex_);
    json::Value value = *json::Parse(object);
    const std::string key = KeyOf(value);
    auto& objects = kinds_[path].objects;
    const auto old = objects.find(key);
    if (old != objects.end() && value.Find("status") == nullptr && old->second.Find("status") != nullptr) {
      value.Set("status", *old->second.Find("status"));
    }
    Store(path, old == objects.end() ? "ADDED" : "MODIFIED", std::move(value));
  }
  void Delete(const std::string& path, const std::string& key) {
    std::lock_guard lock(mutex_);
    Kind& kind = kinds_[path];
    json::Value gone = kind.objects.at(key);
    kind.objects.erase(key);
    Log(kind, "DELETED", std::move(gone));
  }
  // The kind is not defined.
  void Undefine(const std::string& path) {
    std::lock_guard lock(mutex_);
    undefined_ = path;
  }
  // Ends all watches and forgets what they could resume from, so that clients list again.
  void Compact() {
    std::lock_guard lock(mutex_);
    for (auto& [path, kind] : kinds_) {
      kind.log.clear();
      kind.oldest = version_ + 1;
    }
    ++epoch_;
    changed_.notify_all();
  }

  std::string Status(const std::string& path, const std::string& key) const {
    std::lock_guard lock(mutex_);
    const auto kind = kinds_.find(path);
    if (kind == kinds_.end() || !kind->second.objects.contains(key)) return "gone";
    const json::Value* status = kind->second.objects.at(key).Find("status");
    return status == nullptr ? "" : json::Dump(*status);
  }
  std::vector<std::string> Writes() const {  // "PATCH /path BODY" of all
    std::lock_guard lock(mutex_);
    return writes_;
  }
  size_t WritesOf(const std::string& part) const {
    size_t n = 0;
    for (const std::string& line : Writes()) n += line.find(part) != std::string::npos;
    return n;
  }

  void Send(http::Request request, std::function<void(http::Reply)> done) override {
    if (request.path.find("/events") != std::string::npos) return events.Send(std::move(request), std::move(done));
    done(Answer(request));
  }
  void Close() override {}

  http::Reply Stream(const http::Request& request, http::BodySink& sink, const std::stop_token& stop) override {
    const std::string path = request.path.substr(0, request.path.find('?'));
    std::unique_lock lock(mutex_);
    if (path == undefined_) return NoSuchKind();
    const bool whole = request.path.find("sendInitialEvents=true") != std::string::npos;
    int from = whole ? version_ : VersionIn(request.path);
    const int epoch = epoch_;
    std::string text;
    if (whole) {
      for (const auto& [key, object] : kinds_[path].objects) text += Line("ADDED", object);
      text += R"({"type":"BOOKMARK","object":{"metadata":{"resourceVersion":")" + std::to_string(from) +
              R"(","annotations":{"k8s.io/initial-events-end":"true"}}}})"
              "\n";
    } else if (from < kinds_[path].oldest) {
      text = R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired"}})"
             "\n";
    }
    sink.OnHead({200});
    while (true) {
      for (const Entry& entry : kinds_[path].log) {
        if (entry.version <= from) continue;
        text += entry.line;
        from = entry.version;
      }
      if (!text.empty()) {
        lock.unlock();
        const bool more = sink.OnBytes(text);
        lock.lock();
        if (!more) return http::ReplyOf(200);
        text.clear();
      }
      if (epoch != epoch_) return http::ReplyOf(200);
      if (!changed_.wait(lock, stop, [&] { return epoch != epoch_ || LastOf(path) > from; })) return http::ReplyOf(200);
    }
  }

 private:
  struct Entry {
    int version;
    std::string line;
  };
  struct Kind {
    std::map<std::string, json::Value> objects;
    std::vector<Entry> log;
    int oldest = 0;  // version that a watch can resume from
  };

  static http::Reply NoSuchKind() {
    return http::ReplyOf(404, R"({"kind":"Status","message":"no such kind","code":404})");
  }
  static std::string KeyOf(const json::Value& object) {
    return json::TextAt(object, "metadata.namespace") + "/" + json::TextAt(object, "metadata.name");
  }
  static std::string Line(const std::string& type, const json::Value& object) {
    return R"({"type":")" + type + R"(","object":)" + json::Dump(object) + "}\n";
  }
  static int VersionIn(const std::string& path) {
    const size_t at = path.find("resourceVersion=");
    return at == std::string::npos ? 0 : std::atoi(path.c_str() + at + 16);
  }
  int LastOf(const std::string& path) {
    const Kind& kind = kinds_[path];
    return kind.log.empty() ? 0 : kind.log.back().version;
  }
  void Log(Kind& kind, const std::string& type, json::Value object) {
    object["metadata"].Set("resourceVersion", std::to_string(++version_));
    kind.log.push_back({version_, Line(type, object)});
    changed_.notify_all();
  }
  void Store(const std::string& path, const std::string& type, json::Value object) {
    Kind& kind = kinds_[path];
    object["metadata"].Set("resourceVersion", std::to_string(version_ + 1));
    if (object.FindPath("metadata.uid") == nullptr) object["metadata"].Set("uid", "u" + std::to_string(version_ + 1));
    kind.objects[KeyOf(object)] = object;
    Log(kind, type, std::move(object));
  }

  static void Merge(json::Value& to, const json::Value& patch) {
    for (const auto& [name, value] : patch.object()) {
      if (value.is_null()) {
        to.Erase(name);
      } else if (value.is_object()) {
        Merge(to[name], value);
      } else {
        to.Set(name, value);
      }
    }
  }

  http::Reply Answer(const http::Request& request) {
    if (fault) {
      if (const auto reply = fault(request)) return *reply;
    }
    std::lock_guard lock(mutex_);
    if (request.method == "GET" && request.path.substr(0, request.path.find('?')) == undefined_) return NoSuchKind();
    writes_.push_back(request.method + " " + request.path + " " + request.body);
    if (request.method != "PATCH") return http::ReplyOf(201, "{}");
    // /apis/GROUP/VERSION/namespaces/NS/RESOURCE/NAME/status
    std::vector<std::string> parts;
    for (size_t at = 1; at <= request.path.size();) {
      const size_t end = std::min(request.path.find('/', at), request.path.size());
      parts.push_back(request.path.substr(at, end - at));
      at = end + 1;
    }
    if (parts.size() != 8 || parts[7] != "status") return http::ReplyOf(404, "{}");
    const std::string path = "/apis/" + parts[1] + "/" + parts[2] + "/" + parts[5], key = parts[4] + "/" + parts[6];
    const auto& objects = kinds_[path].objects;
    const auto found = objects.find(key);
    if (found == objects.end()) return http::ReplyOf(404, R"({"kind":"Status","reason":"NotFound","code":404})");
    json::Value object = found->second;
    Merge(object["status"], *json::Parse(request.body)->Find("status"));
    Store(path, "MODIFIED", std::move(object));
    return http::ReplyOf(200, json::Dump(kinds_[path].objects.at(key)));
  }

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<std::string, Kind> kinds_;
  std::vector<std::string> writes_;
  std::string undefined_;
  int version_ = 100, epoch_ = 0;
};

inline std::string PodText(const std::string& name, const std::string& phase, const std::string& group,
                           const std::string& cpu = "", const std::string& owner = "") {
  return R"({"metadata":{"namespace":"ns","name":")" + name + "\"" +
         (group.empty() ? "" : R"(,"labels":{"scheduling.x-k8s.io/pod-group":")" + group + "\"}") +
         (owner.empty() ? "" : R"(,"ownerReferences":[{"name":")" + owner + "\"}]") +
         R"(},"spec":{"containers":[{"resources":{"requests":{)" + (cpu.empty() ? "" : R"("cpu":")" + cpu + "\"") +
         R"(}}}]},"status":{"phase":")" + phase + "\"}}";
}
inline std::string GroupText(const std::string& name, int min_member, const std::string& ns = "ns") {
  return R"({"metadata":{"namespace":")" + ns + R"(","name":")" + name +
         R"(","creationTimestamp":"2026-01-01T00:00:00Z"},"spec":{"minMember":)" + std::to_string(min_member) + "}}";
}
inline std::string QuotaText(const std::string& name, const std::string& cpu) {
  return R"({"metadata":{"namespace":"ns","name":")" + name + R"("},"spec":{"max":{"cpu":")" + cpu + R"("}}})";
}

}  // namespace berth::reconcile
