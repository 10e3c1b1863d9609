// A stream buffer of cpprestsdk that passes on every piece of a body, without a copy and before the next one is read.
// For cpprest_connection.cc only. Thread: the pool's, one call at a time.
#pragma once

#include <cpprest/astreambuf.h>

#include <functional>
#include <utility>

namespace berth::http {

class PushBuffer final : public concurrency::streams::details::streambuf_state_manager<uint8_t> {
 public:
  // The next piece is read when the task has ended; bytes live until then.
  using Put = std::function<pplx::task<size_t>(const uint8_t* bytes, size_t size)>;
  explicit PushBuffer(Put put) : streambuf_state_manager(std::ios_base::out), put_(std::move(put)) {}

  bool can_seek() const override { return false; }
  bool has_size() const override { return false; }
  utility::size64_t size() const override { return 0; }
  size_t buffer_size(std::ios_base::openmode) const override { return 0; }
  void set_buffer_size(size_t, std::ios_base::openmode) override {}
  size_t in_avail() const override { return 0; }
  pos_type getpos(std::ios_base::openmode) const override { return kNoPosition; }
  pos_type seekpos(pos_type, std::ios_base::openmode) override { return kNoPosition; }
  pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override { return kNoPosition; }
  bool acquire(uint8_t*& bytes, size_t& count) override {
    bytes = nullptr;
    count = 0;
    return false;
  }
  void release(uint8_t*, size_t) override {}
  // Complete when it returns. cpprestsdk's own function leaves work to the pool, and when a piece is rejected, a thread
  // of the pool waits for that work: with as many such requests as threads, all of them would wait forever.
  using streambuf_state_manager::close;
  pplx::task<void> close(std::ios_base::openmode mode) override {
    if ((mode & std::ios_base::out) != 0) m_stream_can_write = false;
    return pplx::task_from_result();
  }

 protected:
  pplx::task<size_t> _putn(const uint8_t* bytes, size_t count) override { return put_(bytes, count); }
  pplx::task<int_type> _putc(uint8_t) override { return None(); }  // cpprestsdk's client writes by putn_nocopy only
  uint8_t* _alloc(size_t) override { return nullptr; }
  void _commit(size_t) override {}
  pplx::task<bool> _sync() override { return pplx::task_from_result(true); }

  // Nothing can be read from it.
  pplx::task<int_type> _bumpc() override { return None(); }
  pplx::task<int_type> _getc() override { return None(); }
  pplx::task<int_type> _nextc() override { return None(); }
  pplx::task<int_type> _ungetc() override { return None(); }
  int_type _sbumpc() override { return traits::eof(); }
  int_type _sgetc() override { return traits::eof(); }
  pplx::task<size_t> _getn(uint8_t*, size_t) override { return pplx::task_from_result<size_t>(0); }
  size_t _scopy(uint8_t*, size_t) override { return 0; }

 private:
  static constexpr std::streamoff kNoPosition = -1;
  static pplx::task<int_type> None() { return pplx::task_from_result<int_type>(traits::eof()); }

  Put put_;
};

}  // namespace berth::http
