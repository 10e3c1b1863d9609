#include "cluster/election/elector.h"

#include <utility>

#include "base/random.h"
#include "cluster/election/election.h"
#include "cluster/election/lease_watch.h"
#include "cluster/election/mailbox.h"

namespace berth::election {
namespace {

http::Reply NoReply() {
  http::Reply reply;
  reply.error = "context deadline exceeded";
  reply.maybe_delivered = true;
  return reply;
}

}  // namespace

Elector::Elector(ElectionOptions options, const ElectorServices& services)
    : options_(std::move(options)),
      transport_(services.transport),
      clock_(services.clock),
      seed_(services.seed),
      mailbox_(std::make_shared<Mailbox>()),
      election_(std::make_unique<Election>(options_, services.clock, services.fence, services.callbacks,
                                           services.metrics, services.seed)) {}

Elector::~Elector() = default;

EndReason Elector::Run(const std::stop_token& stop) {
  Step step = election_->Start();
  while (step.kind != Step::Kind::kEnd) {
    Publish();
    UpdateWatch(step);
    step = CarryOut(std::move(step), stop);
  }
  Publish();
  watch_.reset();
  return step.reason;
}

// The last steps, which release the Lease, run even though stop is requested.
Step Elector::CarryOut(Step step, const std::stop_token& stop) {
  using Event = Mailbox::Event;
  const bool sends = step.kind == Step::Kind::kSend;
  const uint64_t number = mailbox_->Expect();
  if (sends) {
    transport_.Send(std::move(step.request),
                    [mailbox = mailbox_, number](http::Reply reply) { mailbox->Deliver(number, std::move(reply)); });
  }
  const std::stop_token none;
  switch (mailbox_->Wait(clock_, step.until_ns, !sends, election_->ending() ? none : stop)) {
    case Event::kReply: return election_->OnReply(mailbox_->Take());
    case Event::kTime: return sends ? election_->OnReply(NoReply()) : election_->OnTime();
    case Event::kWake: return election_->OnWake();
    case Event::kStop: break;
  }
  return election_->OnStop();
}

void Elector::Publish() {
  base::MutexLock lock(mutex_);
  leader_ = election_->observed().holder;
}

// Only a follower that waits for its next try watches. The watch of a leader ends, but nothing waits for its end.
void Elector::UpdateWatch(const Step& step) {
  if (!options_.watch || election_->ending()) return;
  if (election_->leading()) {
    if (watch_) watch_->RequestStop();
    return;
  }
  if (step.kind != Step::Kind::kWait || (watch_ && !watch_->stopping())) return;
  watch_.reset();
  watch_ = std::make_unique<LeaseWatch>(
      transport_, options_, [mailbox = mailbox_] { mailbox->Wake(); }, base::Mix(seed_));
}

bool Elector::leading() const { return election_->leading(); }

std::string Elector::leader() const {
  base::MutexLock lock(mutex_);
  return leader_;
}

base::Result<void> Elector::Check(int64_t tolerance_ns) const {
  if (!leading()) return {};
  const int64_t since = clock_.MonoNs() - election_->observed_mono_ns();
  if (since <= options_.lease_duration.count() + tolerance_ns) return {};
  return base::Fail("failed election to renew leadership on lease " + options_.election_name);
}

}  // namespace berth::election
