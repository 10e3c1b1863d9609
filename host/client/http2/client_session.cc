#include "client/http2/client_session.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <unordered_map>

namespace berth::http2 {
namespace {

constexpr size_t kMostHeaderText = 256;         // of a value that is kept
constexpr uint32_t kMostHeaderList = 64 << 10;  // bytes of all fields of a reply
constexpr int32_t kStreamWindow = 1 << 20;      // bytes that the server may send ahead
constexpr int32_t kConnectionWindow = 16 << 20;
constexpr uint32_t kRoomBeforeSettings = 100;  // as Go, until the server states its limit

const std::string& CodeName(uint32_t code) {
  static const std::string unknown = "unknown error code";
  static const std::string names[] = {"NO_ERROR",
                                      "PROTOCOL_ERROR",
                                      "INTERNAL_ERROR",
                                      "FLOW_CONTROL_ERROR",
                                      "SETTINGS_TIMEOUT",
                                      "STREAM_CLOSED",
                                      "FRAME_SIZE_ERROR",
                                      "REFUSED_STREAM",
                                      "CANCEL",
                                      "COMPRESSION_ERROR",
                                      "CONNECT_ERROR",
                                      "ENHANCE_YOUR_CALM",
                                      "INADEQUATE_SECURITY",
                                      "HTTP_1_1_REQUIRED"};
  return code < std::size(names) ? names[code] : unknown;
}

std::string_view Text(const uint8_t* bytes, size_t size) { return {reinterpret_cast<const char*>(bytes), size}; }

int StatusOf(std::string_view text) {
  int status = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), status);
  return error == std::errc() && end == text.data() + text.size() ? status : 0;
}

nghttp2_nv Field(const Header& header) {
  // nghttp2 copies the texts, and takes no const pointers.
  return {reinterpret_cast<uint8_t*>(const_cast<char*>(header.name.data())),
          reinterpret_cast<uint8_t*>(const_cast<char*>(header.value.data())), header.name.size(), header.value.size(),
          // Credentials differ from request to request, and stay out of the compression's table.
          static_cast<uint8_t>(header.name == "authorization" ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE)};
}

}  // namespace

struct ClientSession::State {
  struct Stream {
    Exchange* exchange;
    std::string_view body;
    size_t sent = 0;  // bytes of body
    ReplyHeader header;
    bool has_header = false, has_end = false, was_reset = false;
  };

  nghttp2_session* session = nullptr;
  std::unordered_map<StreamId, Stream> streams;
  bool ends = false;
  uint32_t end_code = NGHTTP2_NO_ERROR;
  StreamId last_processed = 0;
  std::string debug;  // of GOAWAY
  std::string error;

  ~State() { nghttp2_session_del(session); }
  Stream* Find(StreamId id) {
    const auto found = streams.find(id);
    return found == streams.end() ? nullptr : &found->second;
  }
  std::string GoAwayText() const {
    return "http2: server sent GOAWAY and closed the connection; LastStreamID=" + std::to_string(last_processed) +
           ", ErrCode=" + CodeName(end_code) + ", debug=\"" + debug + "\"";
  }
  std::string ResetText(StreamId id, uint32_t code, bool by_peer) const {
    if (ends && id > last_processed) return GoAwayText();
    return "stream error: stream ID " + std::to_string(id) + "; " + CodeName(code) +
           (by_peer ? "; received from peer" : "");
  }
};

namespace {

using Stream = ClientSession::State::Stream;

ClientSession::State& Of(void* state) { return *static_cast<ClientSession::State*>(state); }

int OnBeginHeaders(nghttp2_session*, const nghttp2_frame* frame, void* state) {
  if (Stream* stream = Of(state).Find(frame->hd.stream_id); stream != nullptr && !stream->has_header) {
    stream->header = {};
  }
  return 0;
}

int OnField(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_size, const uint8_t* value,
            size_t value_size, uint8_t, void* state) {
  Stream* stream = Of(state).Find(frame->hd.stream_id);
  if (stream == nullptr || stream->has_header || value_size > kMostHeaderText) return 0;
  const std::string_view key = Text(name, name_size), text = Text(value, value_size);
  if (key == ":status") stream->header.status = StatusOf(text);
  if (key == "retry-after") stream->header.retry_after = text;
  if (key == "content-type") stream->header.content_type = text;
  return 0;
}

int OnFrame(nghttp2_session*, const nghttp2_frame* frame, void* state) {
  ClientSession::State& of = Of(state);
  if (frame->hd.type == NGHTTP2_GOAWAY) {
    of.ends = true;
    of.end_code = frame->goaway.error_code;
    of.last_processed = frame->goaway.last_stream_id;
    of.debug = Text(frame->goaway.opaque_data, std::min(frame->goaway.opaque_data_len, kMostHeaderText));
    return 0;
  }
  if (frame->hd.type == NGHTTP2_RST_STREAM) {
    if (Stream* stream = of.Find(frame->hd.stream_id)) stream->was_reset = true;
  }
  const bool headers = frame->hd.type == NGHTTP2_HEADERS;
  if (!headers && frame->hd.type != NGHTTP2_DATA) return 0;
  Stream* stream = of.Find(frame->hd.stream_id);
  if (stream != nullptr && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) stream->has_end = true;
  if (!headers) return 0;
  // Informational replies precede the reply, trailers follow it.
  if (stream == nullptr || stream->has_header || stream->header.status < 200) return 0;
  stream->has_header = true;
  stream->exchange->OnHeader(std::move(stream->header));
  return 0;
}

int OnData(nghttp2_session* session, uint8_t, StreamId id, const uint8_t* bytes, size_t size, void* state) {
  ClientSession::State& of = Of(state);
  Stream* stream = of.Find(id);
  if (stream == nullptr || stream->exchange->OnData(Text(bytes, size))) return 0;
  Exchange* const exchange = stream->exchange;
  of.streams.erase(id);
  nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
  exchange->OnEnd(Ending::kReset, "the receiver wants no more");
  return 0;
}

int OnFrameSent(nghttp2_session*, const nghttp2_frame* frame, void* state) {
  if (frame->hd.type != NGHTTP2_HEADERS) return 0;
  if (Stream* stream = Of(state).Find(frame->hd.stream_id)) stream->exchange->OnSent();
  return 0;
}

int OnClose(nghttp2_session*, StreamId id, uint32_t code, void* state) {
  ClientSession::State& of = Of(state);
  const auto found = of.streams.find(id);
  if (found == of.streams.end()) return 0;
  const Stream stream = std::move(found->second);
  of.streams.erase(found);
  if (stream.has_end && stream.has_header) {
    stream.exchange->OnEnd(Ending::kComplete, {});
  } else {
    const bool refused = code == NGHTTP2_REFUSED_STREAM && !stream.has_header;
    stream.exchange->OnEnd(refused ? Ending::kRefused : Ending::kReset, of.ResetText(id, code, stream.was_reset));
  }
  return 0;
}

ssize_t ReadBody(nghttp2_session*, StreamId id, uint8_t* out, size_t most, uint32_t* flags, nghttp2_data_source*,
                 void* state) {
  Stream* stream = Of(state).Find(id);
  if (stream == nullptr) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  const size_t size = std::min(most, stream->body.size() - stream->sent);
  std::memcpy(out, stream->body.data() + stream->sent, size);
  stream->sent += size;
  if (stream->sent == stream->body.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(size);
}

// Faults for which the session ends, and harmless ones.
int OnFault(nghttp2_session*, int, const char* text, size_t size, void* state) {
  Of(state).error = "http2: " + std::string(text, size);
  return 0;
}

nghttp2_session* Make(ClientSession::State& state) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, OnBeginHeaders);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, OnField);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, OnFrame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, OnData);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, OnFrameSent);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, OnClose);
  nghttp2_session_callbacks_set_error_callback2(callbacks, OnFault);
  nghttp2_session* session = nullptr;
  nghttp2_session_client_new(&session, callbacks, &state);
  nghttp2_session_callbacks_del(callbacks);
  return session;
}

}  // namespace

ClientSession::ClientSession(StreamId first) : state_(std::make_unique<State>()) {
  state_->session = Make(*state_);
  nghttp2_session_set_next_stream_id(state_->session, first);
  const nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
                                             {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kStreamWindow},
                                             {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kMostHeaderList}};
  nghttp2_submit_settings(state_->session, NGHTTP2_FLAG_NONE, settings, std::size(settings));
  nghttp2_session_set_local_window_size(state_->session, NGHTTP2_FLAG_NONE, 0, kConnectionWindow);
}

ClientSession::~ClientSession() = default;

StreamId ClientSession::Start(const std::vector<Header>& header, std::string_view body, Exchange& exchange) {
  std::vector<nghttp2_nv> fields;
  fields.reserve(header.size());
  for (const Header& one : header) fields.push_back(Field(one));
  nghttp2_data_provider source{.source = {}, .read_callback = ReadBody};
  const StreamId id = nghttp2_submit_request(state_->session, nullptr, fields.data(), fields.size(),
                                             body.empty() ? nullptr : &source, nullptr);
  if (id <= 0) return 0;
  state_->streams.emplace(id, Stream{.exchange = &exchange, .body = body});
  return id;
}

void ClientSession::Reset(StreamId stream) {
  if (state_->streams.erase(stream) == 0) return;
  nghttp2_submit_rst_stream(state_->session, NGHTTP2_FLAG_NONE, stream, NGHTTP2_CANCEL);
}

void ClientSession::Ping() { nghttp2_submit_ping(state_->session, NGHTTP2_FLAG_NONE, nullptr); }

bool ClientSession::Input(std::string_view bytes) {
  const ssize_t read =
      nghttp2_session_mem_recv(state_->session, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (read >= 0) return true;
  state_->error = "http2: " + std::string(nghttp2_strerror(static_cast<int>(read)));
  state_->ends = true;
  return false;
}

bool ClientSession::Output(std::string& out, size_t most) {
  const size_t before = out.size();
  while (out.size() - before < most) {
    const uint8_t* bytes = nullptr;
    const ssize_t size = nghttp2_session_mem_send(state_->session, &bytes);
    if (size <= 0) break;
    out.append(Text(bytes, static_cast<size_t>(size)));
  }
  return out.size() > before;
}

size_t ClientSession::Room() const {
  if (ends()) return 0;
  const uint32_t stated = nghttp2_session_get_remote_settings(state_->session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
  const size_t most = stated == UINT32_MAX ? kRoomBeforeSettings : stated;
  return most > open() ? most - open() : 0;
}

size_t ClientSession::open() const { return state_->streams.size(); }
bool ClientSession::ends() const { return state_->ends || nghttp2_session_check_request_allowed(state_->session) == 0; }
bool ClientSession::over() const {
  return nghttp2_session_want_read(state_->session) == 0 && nghttp2_session_want_write(state_->session) == 0;
}
const std::string& ClientSession::error() const { return state_->error; }

}  // namespace berth::http2
