// Several candidates, one API server, and a network between them, in virtual time. A process can be stopped, killed, or
// cut off. Requests that were sent arrive even if nothing waits for them any more. Thread: one.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "candidate.h"

namespace berth::election {

class World {
 public:
  static constexpr int64_t kTick = 10 * base::kMillisecond;

  struct Process {
    Process(const std::string& identity, uint64_t seed) : candidate(identity, seed) {}
    Candidate candidate;
    bool alive = true, running = true;
    bool cut_off = false;  // requests are lost
    bool deaf = false;     // requests arrive, replies are lost
    int64_t delay = 0;     // of each way
    int64_t number = 0;    // the number of the open request; 0: none
    bool started = false;
  };

  World(int processes, uint64_t seed) : random_(seed) {
    for (int i = 0; i < processes; ++i) {
      all.push_back(std::make_unique<Process>("p" + std::to_string(i), seed * 10 + static_cast<uint64_t>(i)));
      Start(*all.back());
    }
  }

  void Start(Process& process) {
    process.started = true;
    Take(process, process.candidate.election.Start());
  }
  void Stop(Process& process) { Take(process, process.candidate.election.OnStop()); }

  // Calls check after each tick.
  template <class Check>
  void Run(int64_t ns, Check check) {
    for (const int64_t end = now + ns; now < end;) {
      now += kTick;
      for (auto& process : all) process->candidate.clock.Advance(kTick);
      Deliver();
      for (auto& process : all) {
        if (process->alive && process->running) Act(*process);
      }
      check();
    }
  }
  void Run(int64_t ns) {
    Run(ns, [] {});
  }

  // The candidate whose fence holds. A process that is stopped can go on with a request at any time.
  std::vector<Process*> Holders(int64_t margin_ns = 0) {
    std::vector<Process*> holders;
    for (auto& process : all) {
      if (process->alive && process->candidate.Holds(margin_ns)) holders.push_back(process.get());
    }
    return holders;
  }
  // Waits until somebody leads; returns the time that it took, or -1 after `most`.
  int64_t UntilALeader(int64_t most) {
    for (const int64_t began = now; now - began < most; Run(kTick)) {
      if (!Holders().empty()) return now - began;
    }
    return -1;
  }

  LeaseServer server;
  std::vector<std::unique_ptr<Process>> all;
  int64_t now = 0;

 private:
  struct InFlight {
    Process* from;
    int64_t number, arrives, returns;
    http::Request request;
    std::optional<http::Reply> reply;
    bool lost_reply;
  };

  void Take(Process& process, Step step) {
    process.candidate.step = std::move(step);
    process.candidate.AwaitAnswers();
    process.number = 0;
    if (process.candidate.step.kind != Step::Kind::kSend) return;
    process.number = ++last_number_;
    if (process.cut_off) return;
    const auto way = [&] {
      return process.delay / 2 + static_cast<int64_t>(random_.Below(static_cast<uint64_t>(process.delay) + 2));
    };
    const int64_t arrives = now + way();
    in_flight_.push_back(
        {&process, process.number, arrives, arrives + way(), process.candidate.step.request, {}, process.deaf});
  }

  void Deliver() {
    for (size_t i = 0; i < in_flight_.size(); ++i) {
      InFlight& one = in_flight_[i];
      if (!one.reply && one.arrives <= now) one.reply = server.Answer(one.request);
    }
    // Works on copies, because a reply causes the next request.
    std::vector<InFlight> replies;
    const auto returned = [&](const InFlight& one) {
      if (!one.reply || one.returns > now) return false;
      if (one.from->alive && !one.from->running) return false;  // waits in the socket
      replies.push_back(one);
      return true;
    };
    std::erase_if(in_flight_, returned);
    for (InFlight& one : replies) {
      if (one.lost_reply || one.from->cut_off || !one.from->alive || one.from->number != one.number) continue;
      Take(*one.from, one.from->candidate.election.OnReply(*one.reply));
    }
  }

  void Act(Process& process) {
    Candidate& candidate = process.candidate;
    const bool over = candidate.step.kind == Step::Kind::kEnd;
    if (over || candidate.clock.mono < candidate.step.until_ns) return;
    if (candidate.step.kind == Step::Kind::kSend) {
      return Take(process, candidate.election.OnReply(http::LostReply("context deadline exceeded", true)));
    }
    Take(process, candidate.election.OnTime());
  }

  base::Random random_;
  int64_t last_number_ = 0;
  std::vector<InFlight> in_flight_;
};

}  // namespace berth::election
