// Binds pods with POST pods/NAME/binding and the pod's UID. If a binding conflicts or its outcome is unknown, this
// request itself may have bound the pod, so the binder reads the pod to find its node. If the outcome is unknown and
// the pod is not bound, it sends the binding once more. Until the pod's node is known, the binding stays open and the
// pod stays assumed, because a restarted server may refuse reads for a time but still have the binding. Source:
// pkg/scheduler/framework/plugins/defaultbinder.
//
// Bindings of a deleted pod that wait for their turn are not sent. Otherwise, when the API server is slower than pods
// come and go, every binding that is sent is one of a deleted pod.
//
// Thread: Open, Send, and PodDeleted from any thread; it completes operations on threads of the transport. Ownership:
// the queue must outlive the binder, and the binder must outlive the queue's Stop.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/thread_annotations.h"
#include "berth/plugin.h"
#include "client/requests/request_queue.h"

namespace berth::writer {

class Binder {
 public:
  struct Binding;
  using BindingPtr = std::shared_ptr<Binding>;

  explicit Binder(requests::RequestQueue& queue) : queue_(queue) {}

  // A binding that PodDeleted knows from now on. The caller calls Send with it once, which completes the operation with
  // SUCCESS, or with ERROR and the server's message.
  BindingPtr Open(std::string_view ns, std::string_view name, std::string_view uid, std::string_view node,
                  berth_op* op);
  void Send(const BindingPtr& binding);

  // Bindings of the pod with this UID end with ERROR and the server's message for a pod that does not exist: those that
  // are not sent, when their turn comes; the others with their reply.
  void PodDeleted(std::string_view uid);

  // Waits until the outcome of no open binding is unknown, at most ns. True: that state was reached. Any thread.
  bool AwaitOutcomes(int64_t ns);

  // Since the start of the process. Any thread.
  struct Counts {
    uint64_t lost = 0;    // replies that were lost; the server may have received the binding
    uint64_t resent = 0;  // bindings that were sent once more
    uint64_t found = 0;   // pods that were found bound although the reply was lost or an error
  };
  Counts counts() const { return {lost_, resent_, found_}; }

 private:
  void OnReply(const BindingPtr& binding, const http::Reply& reply);
  void OnPod(const BindingPtr& binding, const http::Reply& reply);
  void AskWhereItIs(const BindingPtr& binding);
  void AskAgain(const BindingPtr& binding);
  // The pod is not bound to the node. GiveUp: it is not known to be.
  void Fail(const BindingPtr& binding);
  void GiveUp(const BindingPtr& binding);
  void NoteUnknown(Binding& binding);
  void End(const BindingPtr& binding, berth_status status, const std::string& reason);

  requests::RequestQueue& queue_;
  std::atomic<uint64_t> lost_{0}, resent_{0}, found_{0};
  base::Mutex mutex_;
  base::Condition settled_;
  size_t unknown_ GUARDED_BY(mutex_) = 0;  // open bindings whose outcome is unknown
  std::unordered_multimap<std::string_view, BindingPtr> open_ GUARDED_BY(mutex_);  // by their own UID
};

}  // namespace berth::writer
