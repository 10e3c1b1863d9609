#include "cluster/election/elector.h"

#include <utility>

#include "base/random.h"
#include "client/http/await.h"
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

std::function<void(http::Reply)> Into(const std::shared_ptr<Mailbox>& mailbox, uint64_t number) {
  return [mailbox, number](http::Reply reply) { mailbox->Deliver(number, std::move(reply)); };
}

}  // namespace

Elector::Elector(ElectionOptions options, const ElectorServices& services)
    : options_(std::move(options)),
      transport_(services.transport),
      clock_(services.clock),
      callbacks_(services.callbacks),
      seed_(services.seed),
      mailbox_(std::make_shared<Mailbox>()),
      election_(std::make_unique<Election>(options_, services.clock, services.fence, services.callbacks,
                                           services.metrics, services.seed)) {}

Elector::~Elector() = default;

base::Async<EndReason> Elector::Run(std::stop_token stop) {
  Step step = election_->Start();
  while (step.kind != Step::Kind::kEnd) {
    Publish();
    co_await UpdateWatch(step.kind);
    step = co_await CarryOut(std::move(step), stop);
  }
  Publish();
  co_await EndWatch();
  co_return step.reason;
}

// The last steps, which release the Lease, run even though stop is requested.
base::Async<Step> Elector::CarryOut(Step step, std::stop_token stop) {
  using Event = Mailbox::Event;
  if (step.kind == Step::Kind::kAwaitAnswers) co_return co_await AwaitAnswers();
  const bool sends = step.kind == Step::Kind::kSend;
  const uint64_t number = mailbox_->Expect();
  if (sends) transport_.Send(std::move(step.request), Into(mailbox_, number));
  if (election_->ending()) stop = std::stop_token();
  const Event event = co_await mailbox_->Wait(clock_, step.until_ns, !sends, std::move(stop));
  switch (event) {
    case Event::kReply: co_return election_->OnReply(mailbox_->Take());
    case Event::kTime: co_return sends ? election_->OnReply(NoReply()) : election_->OnTime();
    case Event::kWake: co_return election_->OnWake();
    case Event::kStop: break;
  }
  co_return election_->OnStop();
}

base::Async<Step> Elector::AwaitAnswers() {
  bool quiet = false;
  const std::function<void()> wait = [this, &quiet] { quiet = callbacks_.AwaitAnswers(); };
  co_await http::RunAsync(waiting_, wait);  // without a thread, the Lease is not released
  co_return election_->OnAnswers(quiet);
}

void Elector::Publish() {
  base::MutexLock lock(mutex_);
  leader_ = election_->observed().holder;
}

// Only a follower that waits for its next try watches. The watch of a leader ends, but nothing waits for its end.
base::Async<void> Elector::UpdateWatch(Step::Kind next) {
  if (!options_.watch || election_->ending()) co_return;
  if (election_->leading()) {
    if (watch_) watch_->RequestStop();
    co_return;
  }
  if (next != Step::Kind::kWait || (watch_ && !watch_->stopping())) co_return;
  co_await EndWatch();
  const std::function<void()> wake = [mailbox = mailbox_] { mailbox->Wake(); };
  watch_ = std::make_unique<LeaseWatch>(transport_, options_, wake, base::Mix(seed_));
}

base::Async<void> Elector::EndWatch() {
  if (watch_) co_await watch_->End();
  watch_.reset();
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
