#include "client/http/server_thread.h"

#include "base/thread_annotations.h"
#include "base/thread_name.h"

namespace berth::http {

std::shared_ptr<ServerThread> ServerThread::OfProcess() {
  static base::Mutex mutex;
  static std::weak_ptr<ServerThread> shared GUARDED_BY(mutex);
  const base::MutexLock lock(mutex);
  std::shared_ptr<ServerThread> thread = shared.lock();
  if (thread == nullptr) shared = thread = std::make_shared<ServerThread>();
  return thread;
}

ServerThread::ServerThread()
    : keeps_(boost::asio::make_work_guard(context_)), thread_([this] {
        base::NameThread("http-server");
        context_.run();
      }) {}

ServerThread::~ServerThread() {
  context_.stop();
  thread_.join();
}

}  // namespace berth::http
