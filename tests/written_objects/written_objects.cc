// Usage: written_objects N SEED
// Writes N made-up objects of each kind that Berth writes, for tests/conformance/cmd/writtenobjects: in protobuf and in
// JSON, and again with the JSON that a server gets that does not accept protobuf. Each encoding is behind its length,
// four bytes in big-endian order.
#include <cstdint>
#include <iostream>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "client/requests/json_body.h"
#include "cluster/election/held_lease.h"
#include "cluster/events/event_body.h"
#include "cluster/writer/binding_body.h"
#include "codec/text/rfc3339.h"

namespace berth {
namespace {

using requests::Encoding;

class Maker {
 public:
  explicit Maker(uint64_t seed) : random_(seed) {}

  std::string Text() {
    static const std::string kTexts[] = {"",
                                         "a",
                                         "default",
                                         "web-5d4f8c7b9-x2x4z",
                                         "6f1d2c3b-0000-4000-8000-000000000001",
                                         "Node",
                                         "FailedScheduling",
                                         "0/3 nodes are available: 1 node(s) had untolerated taint(s), \"x\"\n\t\\.",
                                         "caf\xc3\xa9 \xe2\x80\xa8 \xf0\x9f\x9a\xa2 <&>",
                                         std::string("\x01\x7f\0z", 4),
                                         "invalid: \xff \xc3",
                                         std::string(300, 'n'),
                                         std::string(20'000, 'y')};
    return kTexts[random_.Below(std::size(kTexts))];
  }
  bool OneOf(uint64_t n) { return random_.Below(n) == 0; }
  int64_t Number(uint64_t most) { return static_cast<int64_t>(random_.Below(most)); }
  int64_t Time() {
    return OneOf(8) ? Number(5) * base::kSecond : Number(4'000'000'000) * base::kSecond + Number(base::kSecond);
  }

  events::ObjectReference Reference() { return {Text(), Text(), Text(), Text(), Text(), Text()}; }
  events::EventRecord Event() {
    events::EventRecord record{.regarding = Reference(),
                               .scheduler_name = Text(),
                               .type = Text(),
                               .reason = Text(),
                               .action = Text(),
                               .note = Text(),
                               .unix_ns = Time()};
    if (OneOf(2)) record.related = Reference();
    if (OneOf(3)) record.api = events::EventApi::kCore;
    return record;
  }
  election::ElectionRecord Record() {
    const auto time = [&] { return OneOf(5) ? "" : text::MicroTimeText(Time()); };
    return {.holder = Text(),
            .lease_duration_seconds = Number(int64_t{1} << 31),
            .acquire_time = time(),
            .renew_time = time(),
            .transitions = Number(int64_t{1} << 31),
            .strategy = Text(),
            .preferred_holder = Text()};
  }

 private:
  base::Random random_;
};

void Put(const std::string& part) {
  for (int shift = 24; shift >= 0; shift -= 8) std::cout.put(static_cast<char>(part.size() >> shift & 0xff));
  std::cout << part;
}

// body(encoding) has the object in that encoding.
template <class Body>
void PutObject(Body body) {
  const std::string protobuf = body(Encoding::kProtobuf);
  Put(protobuf);
  Put(body(Encoding::kJson));
  http::Request request{.body = protobuf, .content_type = requests::kProtobufType};
  Put(protobuf);
  Put(requests::ToJsonBody(request) ? request.body : "no table of the kind");
}

// An update begins with the Lease that another process has written.
std::string Updated(Encoding encoding, const std::string& ns, const std::string& name,
                    const election::ElectionRecord& before, const election::ElectionRecord& after) {
  return election::HeldLease::Of(election::HeldLease::New(encoding, ns, name, before))->With(encoding, after);
}

void PutAll(Maker& make) {
  const std::string ns = make.Text(), name = make.Text(), uid = make.Text(), node = make.Text();
  PutObject([&](Encoding encoding) {
    return writer::BindingBody(encoding, {.ns = ns, .name = name, .uid = uid, .node = node});
  });
  const events::EventRecord event = make.Event();
  const int count = static_cast<int>(make.Number(5));
  PutObject([&](Encoding encoding) { return events::EventBody(encoding, event, uid, name, count); });
  const election::ElectionRecord before = make.Record(), after = make.Record();
  PutObject([&](Encoding encoding) { return election::HeldLease::New(encoding, ns, name, before); });
  PutObject([&](Encoding encoding) { return Updated(encoding, ns, name, before, after); });
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  berth::Maker make(std::stoull(argv[2]));
  for (int left = std::stoi(argv[1]); left > 0; --left) berth::PutAll(make);
}
