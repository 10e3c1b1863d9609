#include "base/thread_name.h"

#include <pthread.h>

namespace berth::base {

void NameThread(const std::string& name) { pthread_setname_np(pthread_self(), name.substr(0, 15).c_str()); }

NameOfStartedThreads::NameOfStartedThreads(const std::string& name) {
  pthread_getname_np(pthread_self(), before_, sizeof before_);
  NameThread(name);
}

NameOfStartedThreads::~NameOfStartedThreads() { NameThread(before_); }

}  // namespace berth::base
