// Keeps a listener told of one kind of object: a list, then a watch, then the watch again from where it broke, and a
// new list where the server has forgotten that place. Source: client-go/tools/cache/reflector.go; core.md 6.4, 11.1.
//
// Thread: Run blocks the caller's, one thread per reflector. Ownership: transport, clock and feed outlive Run. Objects
// are decoded as they arrive and not kept: a list of any length needs the memory of its largest object.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "api/json_items.h"
#include "base/clock.h"
#include "base/random.h"
#include "http/transport.h"
#include "kube/api_status.h"
#include "source/object_feed.h"
#include "source/outage.h"
#include "source/retry_delay.h"

namespace berth::source {

struct ResourceKind {
  std::string path;            // "/api/v1/pods"
  std::string group;           // "" for core
  std::string resource;        // "pods": as RBAC names it
  std::string field_selector;  // "" = all
  // One can go on without such objects: when the server has no such kind, or we may not read it, there are none.
  bool optional = false;
  std::string needed_by;  // plugins, for the log; "" = everybody
};
extern const ResourceKind kNodes;
extern const ResourceKind kUnfinishedPods;  // neither Succeeded nor Failed

class Reflector {
 public:
  Reflector(ResourceKind kind, http::Transport& transport, ObjectFeed& feed, uint64_t seed,
            RetryDelay delay = RetryDelay());

  void Run(std::stop_token stop);
  // How long a failure must last until it is told, and optional objects are done without. Before Run.
  void set_patience_ns(int64_t ns) { patience_ns_ = ns; }

  // Any thread.
  bool listed() const { return listed_.load(std::memory_order_acquire); }
  // Why there is no list yet, for readiness and people; "" when there is one, nothing has failed, or one goes without.
  std::string trouble() const;
  // Since when nothing can be learned of the objects; nullopt: it can, or nothing has been asked yet.
  std::optional<Outage::State> outage() const { return outage_.state(); }

 private:
  enum class Way { kWatchList, kPages };  // how lists are asked for
  // One exchange with the server. false: what follows has to wait a little.
  bool ListAndWatch(const std::stop_token& stop);
  bool ListPages(const std::stop_token& stop);
  bool ListWhole();
  http::Request ListRequest(const std::string& query) const;
  std::optional<api::JsonListMetadata> OnPage(const std::string& body);
  bool OnLastPage(const api::JsonListMetadata& metadata);
  bool Watch(const std::stop_token& stop);
  bool Stream(const std::string& query, const std::stop_token& stop);
  // What a line of a watch says. false: the stream is of no more use.
  bool OnLine(std::string_view line);
  bool OnError(std::string_view status_json);
  // The object is as json says; one that cannot be read stays as it was, and is there all the same.
  void OnObject(std::string_view json);
  void OnGone(std::string_view json);
  void OnListed();
  void Failed(const kube::ApiStatus& status, const char* verb);
  int64_t TellAt() const;
  void TellIfItLasts();
  void Tell(const char* what);
  bool MayDoWithout() const;
  void DoWithout();
  void StartList();
  void Recovered();

  const ResourceKind kind_;
  http::Transport& transport_;
  ObjectFeed& feed_;
  base::Random random_;
  RetryDelay delay_;

  Way way_ = Way::kWatchList;
  std::string version_;  // resourceVersion to go on from; "" = a list is needed
  bool listing_ = false;
  bool heard_ = false;       // the stream under way has said something
  bool told_ = false;        // the feed knows of objects: from a list that broke off, if from none that was whole
  int refused_watches_ = 0;  // one after the other
  std::shared_ptr<KeySet> present_;  // of the list under way, when it is not the first
  std::atomic<bool> listed_{false};
  int64_t failing_since_ = 0;  // mono ns; 0 = not failing
  int64_t refused_since_ = 0;  // the same of a server that answers, and has no such kind or lets us not read it
  bool told_failing_ = false;
  bool without_ = false;  // the feed was told to take the kind as empty; undone by the next whole list
  int64_t patience_ns_ = 10 * base::kSecond;
  kube::ApiStatus failure_;  // the last, and what was being done
  const char* failed_verb_ = "";
  int64_t retry_after_ns_ = 0;  // what the server asked for in the last exchange
  Outage outage_;

  mutable std::mutex mutex_;  // guards what follows
  std::string trouble_;
};

}  // namespace berth::source
