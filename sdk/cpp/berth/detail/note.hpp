// The ELF note, written by the compiler: the content of the library, as one JSON object (fields: berth/entry.h).
// Everything in it comes from the plugin classes and the build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "berth/detail/points.hpp"
#include "berth/draft/pods.h"
#include "berth/entry.h"

namespace berth::sdk::detail {

inline constexpr std::string_view kDraftServices[] = {BERTH_SERVICE_PODS};

// Writes JSON into a fixed buffer, or only counts when there is none.
class NoteWriter {
 public:
  constexpr explicit NoteWriter(char* out) : out_(out) {}
  constexpr size_t length() const { return length_; }

  constexpr void Raw(std::string_view text) {
    for (const char c : text) Put(c);
  }
  constexpr void Quote(std::string_view text) {
    Put('"');
    for (const char c : text) {
      if (c == '"' || c == '\\') Put('\\');
      if (static_cast<unsigned char>(c) >= 0x20) Put(c);
    }
    Put('"');
  }
  constexpr void Number(uint32_t n) {
    if (n >= 10) Number(n / 10);
    Put(static_cast<char>('0' + n % 10));
  }
  // Before each item of a list: a comma unless it is the first.
  constexpr void Next(bool& first) {
    if (!first) Put(',');
    first = false;
  }

 private:
  constexpr void Put(char c) {
    if (out_ != nullptr) out_[length_] = c;
    ++length_;
  }
  char* out_;
  size_t length_ = 0;
};

// "reserve/1" of "berth.plugin.reserve/1" and of "berth.host.reserve/1".
constexpr std::string_view ShortId(std::string_view id) { return id.substr(id.find('.', id.find('.') + 1) + 1); }

template <class P>
constexpr bool NamesService(std::string_view id) {
  bool found = false;
  if constexpr (requires { P::kNeeds; }) {
    for (const std::string_view one : P::kNeeds) found = found || one == id;
  }
  if constexpr (requires { P::kUses; }) {
    for (const std::string_view one : P::kUses) found = found || one == id;
  }
  return found;
}

template <class P>
constexpr bool OffersPoint(std::string_view id) {
  bool found = false;
  ForEachPoint<P>([&]<class Point>() { found = found || (Point::kOffered && id == Point::kId); });
  return found;
}

// Whether a draft point that some plugin offers has the same short id as the service: the note contains it once.
template <class... P>
constexpr bool NamedByPoint(std::string_view service) {
  bool named = false;
  ForEachPoint<std::tuple_element_t<0, std::tuple<P...>>>([&]<class Point>() {
    if constexpr (Point::kDraft) {
      named = named || (ShortId(Point::kId) == ShortId(service) && (OffersPoint<P>(Point::kId) || ...));
    }
  });
  return named;
}

template <class... P>
constexpr void WriteDrafts(NoteWriter& out) {
  bool first = true;
  using Any = std::tuple_element_t<0, std::tuple<P...>>;
  ForEachPoint<Any>([&]<class Point>() {
    if constexpr (Point::kDraft) {
      if ((OffersPoint<P>(Point::kId) || ...)) out.Next(first), out.Quote(ShortId(Point::kId));
    }
  });
  for (const std::string_view id : kDraftServices) {
    if ((NamesService<P>(id) || ...) && !NamedByPoint<P...>(id)) out.Next(first), out.Quote(ShortId(id));
  }
}

// The note contains it unchanged; a host that reads the note checks that it is JSON.
constexpr bool LooksLikeObject(std::string_view json) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = json.find_first_not_of(kSpace), last = json.find_last_not_of(kSpace);
  return first != json.npos && first < last && json[first] == '{' && json[last] == '}';
}

template <class P>
constexpr void WriteSampleArgs(NoteWriter& out) {
  if constexpr (requires { P::kSampleArgs; }) {
    static_assert(LooksLikeObject(P::kSampleArgs), "kSampleArgs must be a JSON object");
    static_assert(std::string_view(P::kSampleArgs).size() <= 4096, "kSampleArgs may have 4096 bytes");
    out.Raw(",\"sampleArgs\":");
    out.Raw(P::kSampleArgs);
  }
}

template <class P>
constexpr void WritePlugin(NoteWriter& out) {
  out.Raw("{\"name\":");
  out.Quote(P::kInfo.name);
  out.Raw(",\"points\":[");
  bool first = true;
  ForEachPoint<P>([&]<class Point>() {
    if constexpr (Point::kOffered && Point::kName != nullptr) out.Next(first), out.Quote(Point::kName);
  });
  out.Raw(HasCompleteArgs<P> ? "],\"args\":true,\"needs\":[" : "],\"args\":false,\"needs\":[");
  first = true;
  if constexpr (requires { P::kNeeds; }) {
    for (const std::string_view id : P::kNeeds) out.Next(first), out.Quote(id);
  }
  out.Raw("]");
  WriteSampleArgs<P>(out);
  out.Raw("}");
}

template <class... P>
constexpr void WriteNote(NoteWriter& out) {
  out.Raw("{\"abi\":[");
  out.Number(BERTH_ABI_MAJOR);
  out.Raw(",");
  out.Number(BERTH_ABI_MINOR);
  out.Raw("],\"minHost\":");
  out.Number(BERTH_PLUGIN_MIN_HOST);
  out.Raw(",\"sdk\":");
  out.Quote(kSdkVersion);
  out.Raw(",\"version\":");
  out.Quote(BERTH_PLUGIN_VERSION);
  out.Raw(",\"draft\":[");
  WriteDrafts<P...>(out);
  out.Raw("],\"plugins\":[");
  bool first = true;
  ((out.Next(first), WritePlugin<P>(out)), ...);
  out.Raw("]}");
}

template <class... P>
consteval size_t NoteLength() {
  NoteWriter counter(nullptr);
  WriteNote<P...>(counter);
  return counter.length();
}

// The note in the form that the linker requires: name and description padded to four bytes.
template <size_t Length>
struct Note {
  uint32_t namesz, descsz, type;
  char name[8];
  char desc[(Length + 1 + 3) & ~size_t{3}];  // NUL-terminated
};

template <class... P>
consteval auto MakeNote() {
  constexpr size_t kLength = NoteLength<P...>();
  Note<kLength> note{6, static_cast<uint32_t>(kLength + 1), BERTH_NOTE_TYPE, BERTH_NOTE_NAME, {}};
  NoteWriter out(note.desc);
  WriteNote<P...>(out);
  return note;
}

}  // namespace berth::sdk::detail
