#include "cluster/secure_serving/certificates.h"

#include "cluster/secure_serving/main_pair.h"
#include "telemetry/log/log.h"

namespace berth::secure_serving {

base::Result<Certificates> Certificates::Load(const options::Serving& serving, std::shared_ptr<http::ServerTls> tls) {
  Certificates certificates(std::move(tls));
  auto main = LoadMainPair(serving);
  if (!main) return tl::unexpected(main.error());
  certificates.main_ = {std::move(main->files), std::move(main->pair), {}};
  for (const std::string& value : serving.tls_sni_cert_keys) {
    if (auto added = certificates.Add(SniFilesOf(value)); !added) return tl::unexpected(added.error());
  }
  if (auto shown = certificates.Show(); !shown) return tl::unexpected(shown.error());
  return certificates;
}

base::Result<void> Certificates::Add(const PairFiles& sni) {
  auto pair = ReadPair(sni);
  if (!pair) return base::Fail("failed to load SNI cert and key: " + pair.error().message);
  named_.push_back({sni, std::move(*pair), {}});
  return {};
}

base::Result<void> Certificates::Show() {
  std::vector<http::ServingPair> named;
  for (const Pair& pair : named_) named.push_back(pair.shown);
  return tls_->Show(main_.shown, named);
}

bool Certificates::Renew(Pair& pair) {
  if (!pair.files) return false;
  auto read = ReadPair(*pair.files);
  if (!read) {
    if (read.error().message == pair.mistake) return false;
    pair.mistake = read.error().message;
    log::Error("A changed serving certificate cannot be used; connections see the previous one",
               {{"name", pair.files->Name()}, {"err", pair.mistake}});
    return false;
  }
  pair.mistake.clear();
  if (read->certificate_pem == pair.shown.certificate_pem && read->key_pem == pair.shown.key_pem) return false;
  pair.shown = std::move(*read);
  log::V(2, "Loaded a new cert/key pair", {{"name", pair.shown.name}});
  return true;
}

void Certificates::Poll() {
  bool changed = Renew(main_);
  for (Pair& pair : named_) changed = Renew(pair) || changed;
  if (!changed) return;
  if (auto shown = Show(); !shown) {
    log::Error("Changed serving certificates cannot be used; connections see the previous ones",
               {{"err", shown.error().message}});
  }
}

}  // namespace berth::secure_serving
