// Binds pods: POST pods/NAME/binding with the pod's UID, and the answer to the doubtful case. A binding that conflicts,
// or whose reply was lost, may well have been made, by this very request: then the pod itself is asked where it is. A
// binding that was lost on a connection that had died, and that the pod knows nothing of, is sent once more. As long as
// nobody says where the pod is, the binding is under way and the pod's room taken: a server that has just come back
// refuses questions and forgets nothing. Source: pkg/scheduler/framework/plugins/defaultbinder; libraries.md 1.
//
// Thread: Bind from any thread; ends ops on threads of the transport. Ownership: the queue outlives the binder, and the
// binder outlives the queue's Stop.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "berth/plugin.h"
#include "kube/request_queue.h"

namespace berth::dispatch {

class Binder {
 public:
  explicit Binder(kube::RequestQueue& queue) : queue_(queue) {}

  // Ends op with SUCCESS, or with ERROR and the server's words.
  void Bind(std::string_view ns, std::string_view name, std::string_view uid, std::string_view node, berth_op* op);

 private:
  struct Binding;
  void Send(const std::shared_ptr<Binding>& binding);
  void OnReply(const std::shared_ptr<Binding>& binding, const http::Reply& reply);
  void OnPod(const std::shared_ptr<Binding>& binding, const http::Reply& reply);
  void AskWhereItIs(const std::shared_ptr<Binding>& binding);
  void AskAgain(const std::shared_ptr<Binding>& binding);

  kube::RequestQueue& queue_;
};

}  // namespace berth::dispatch
