#include "client/http/io_thread.h"

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/detail/openssl_types.hpp>
#include <thread>

#include "base/task_threads.h"
#include "base/thread_name.h"

namespace berth::http {
namespace {

thread_local bool t_is_io_thread = false;

class IoThread {
 public:
  IoThread() : context_(1), keeps_(boost::asio::make_work_guard(context_)), thread_([this] { Run(); }) {}
  ~IoThread() {
    context_.stop();
    thread_.join();
  }
  IoThread(const IoThread&) = delete;
  boost::asio::io_context& context() { return context_; }
  base::TaskThreads& slow_tasks() { return slow_tasks_; }
  base::TaskThreads& lookups() { return lookups_; }

 private:
  void Run() {
    base::NameThread("api-io");
    t_is_io_thread = true;
    context_.run();
    // Otherwise OpenSSL frees what belongs to this thread after its own end.
    OPENSSL_thread_stop();
  }

  base::TaskThreads slow_tasks_{{.name = "api-slow", .most = 1}};
  boost::asio::io_context context_;
  base::TaskThreads lookups_{{.name = "resolver", .most = 1}};  // post to context_, and must end before it
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keeps_;
  std::thread thread_;
};

IoThread& Shared() {
  static IoThread thread;
  return thread;
}

}  // namespace

void PostToIo(std::function<void()> task) { boost::asio::post(IoContext(), std::move(task)); }

void RunOffIoThread(std::function<void()> task) {
  if (!t_is_io_thread) return task();
  const auto posted = Shared().slow_tasks().Post(std::move(task));
  // NOLINTNEXTLINE(bugprone-use-after-move): Post leaves to the caller what it does not queue
  if (posted != base::TaskThreads::Posted::kQueued) task();
}

bool RunOnResolverThread(std::function<void()> lookup) {
  return Shared().lookups().Post(std::move(lookup)) == base::TaskThreads::Posted::kQueued;
}

boost::asio::io_context& IoContext() { return Shared().context(); }

}  // namespace berth::http
