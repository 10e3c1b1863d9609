#include "client/http/io_thread.h"

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/detail/openssl_types.hpp>
#include <thread>

#include "base/thread_name.h"

namespace berth::http {
namespace {

class IoThread {
 public:
  IoThread() : context_(1), keeps_(boost::asio::make_work_guard(context_)), thread_([this] { Run(); }) {}
  ~IoThread() {
    context_.stop();
    thread_.join();
  }
  IoThread(const IoThread&) = delete;
  boost::asio::io_context& context() { return context_; }

 private:
  void Run() {
    base::NameThread("api-io");
    context_.run();
    // Otherwise OpenSSL frees what belongs to this thread after its own end.
    OPENSSL_thread_stop();
  }

  boost::asio::io_context context_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keeps_;
  std::thread thread_;
};

}  // namespace

boost::asio::io_context& IoContext() {
  static IoThread thread;
  return thread.context();
}

}  // namespace berth::http
