// The thread that serves the connections of all listeners of the process, so that a port needs none of its own. It is
// not the I/O thread: probes get their answers whatever the API server does. Thread: any. Ownership: shared by the
// listeners; the thread ends with the last one, which must not be destroyed on it.
#pragma once

#include <utility>  // missing in Boost.Asio 1.74
//
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <thread>

namespace berth::http {

class ServerThread {
 public:
  static std::shared_ptr<ServerThread> OfProcess();
  ServerThread();
  ~ServerThread();
  ServerThread(const ServerThread&) = delete;

  boost::asio::io_context& context() { return context_; }

 private:
  boost::asio::io_context context_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> keeps_;
  std::jthread thread_;
};

}  // namespace berth::http
