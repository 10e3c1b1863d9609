#include "berth/testing/fake_host.hpp"

#include <cstring>

namespace berth::sdk::testing {

berth_cycle* FakeHost::CycleState::raw() { return reinterpret_cast<berth_cycle*>(this); }

FakeHost::~FakeHost() = default;

FakeHost& FakeHost::Args(const FakeValue& args) { return shown_args_ = args.Show(shown_), *this; }

FakeHost& FakeHost::Name(std::string_view name) { return name_ = shown_.Text(name), *this; }

FakeHost& FakeHost::Profile(std::string_view name) { return profile_ = shown_.Text(name), *this; }

FakeHost& FakeHost::Without(const std::string& service) { return tables_.erase(service), *this; }

FakeHost& FakeHost::Shorten(const std::string& service, uint32_t size) {
  auto& table = tables_.at(service);
  std::memset(reinterpret_cast<char*>(table.data()) + size, 0x5a, table.size() * sizeof(table[0]) - size);
  std::memcpy(table.data(), &size, sizeof(size));
  return *this;
}

FakeHost& FakeHost::ShortenHost(uint32_t size) {
  std::memset(reinterpret_cast<char*>(&face_) + size, 0x5a, sizeof(face_) - size);
  face_.size = size;
  return *this;
}

FakeHost& FakeHost::BindAnswers(berth_status status, std::string reason) {
  return bind_status_ = status, bind_reason_ = std::move(reason), *this;
}

FakeHost& FakeHost::AddWaiting(const FakePod& pod) { return waiting_.push_back(pod.Build()), *this; }

FakeHost& FakeHost::StopWaiting(const std::string& uid) {
  std::erase_if(waiting_, [&](const auto& pod) { return View(pod->pod.uid) == uid; });
  return *this;
}

void* FakeHost::StateOf(const char* id) const { return states_.at(id); }

void FakeHost::Free(void* data) {
  if (data == nullptr || instance_ == nullptr || instance_->cycle_free == nullptr) return;
  const CallScope scope(checker_, "cycle_free", kEnding);
  instance_->cycle_free(instance_, data);
}

std::vector<LogLine> FakeHost::Log() const {
  const std::lock_guard lock(mutex_);
  return log_;
}

bool FakeHost::Opened(uint32_t what, const std::string& key) const { return opened_.contains({what, IdOf(key)}); }

Texts FakeHost::ReasonTexts(uint32_t number) const {
  const std::lock_guard lock(mutex_);
  return number == 0 || number > reasons_.size() ? Texts() : reasons_[number - 1].texts;
}

uint32_t FakeHost::AddReasons(Texts texts) {
  const std::lock_guard lock(mutex_);
  reasons_.emplace_back(std::move(texts), 0);
  return static_cast<uint32_t>(reasons_.size());
}

bool FakeHost::ReasonsAreOf(uint32_t number, uint64_t call) const {
  const std::lock_guard lock(mutex_);
  return number > 0 && number <= reasons_.size() && reasons_[number - 1].call == call;
}

FakeHost::ReasonRecord::ReasonRecord(Texts all, uint64_t made_in) : texts(std::move(all)), call(made_in) {
  std::vector<berth_str> views;
  for (const std::string& text : texts) views.push_back(arena.Text(text));
  raw = arena.Exact(views);
}

FakeHost& FakeHost::ExtendBytes(const char* id, const void* table, size_t size, void* state) {
  OfferBytes(id, table, size);
  return states_[id] = state, *this;
}

void FakeHost::OfferBytes(const char* id, const void* table, size_t size) {
  auto& bytes = tables_[id];
  bytes.resize((size + 7) / 8);
  std::memcpy(bytes.data(), table, size);
}

}  // namespace berth::sdk::testing
