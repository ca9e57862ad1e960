#include "attack/certificates.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace coterie::attack {

namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Signed = std::unique_ptr<X509, decltype(&X509_free)>;
using File = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

void check(bool is_done, const char* what) {
  if (!is_done) throw std::runtime_error(std::string("certificates: cannot ") + what);
}

Key make_key() {
  Key key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  check(key != nullptr, "make a key");
  return key;
}

// The length is given: a NUL byte is a byte of the name like any other.
void name_subject(X509* certificate, const std::string& common_name) {
  X509_NAME* const subject = X509_get_subject_name(certificate);
  const auto* const bytes = reinterpret_cast<const unsigned char*>(common_name.data());
  check(X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8, bytes,
                                   static_cast<int>(common_name.size()), -1, 0) == 1,
        "set the name");
}

void extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
  if (value.empty()) return;
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  check(extension != nullptr, "make an extension");
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

Signed blank(const Key& key, int from_days, int until_days) {
  constexpr long kDay = 86'400;
  Signed certificate(X509_new(), &X509_free);
  check(certificate != nullptr, "make a certificate");
  X509_set_version(certificate.get(), 2);  // which is version 3
  std::uint64_t serial = 0;
  RAND_bytes(reinterpret_cast<unsigned char*>(&serial), sizeof serial);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()), serial >> 1U);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), from_days * kDay);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), until_days * kDay);
  X509_set_pubkey(certificate.get(), key.get());
  return certificate;
}

File open_file(const std::string& path) {
  File file(std::fopen(path.c_str(), "we"), &std::fclose);
  check(file != nullptr, "write a file");
  return file;
}

void write_certificate(const std::string& path, X509* certificate) {
  check(PEM_write_X509(open_file(path).get(), certificate) == 1, "write a certificate");
}

}  // namespace

struct Authority::Keys {
  Key key;
  Signed certificate;
};

Authority::Authority(std::string folder, std::string name) : folder_(std::move(folder)) {
  Key key = make_key();
  Signed own = blank(key, -3, 3);
  name_subject(own.get(), name);
  X509_set_issuer_name(own.get(), X509_get_subject_name(own.get()));
  extend(own.get(), own.get(), NID_basic_constraints, "critical,CA:TRUE");
  extend(own.get(), own.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  check(X509_sign(own.get(), key.get(), EVP_sha256()) != 0, "sign");
  write_certificate(folder_ + "/" + name + ".pem", own.get());
  keys_ = std::make_unique<Keys>(Keys{std::move(key), std::move(own)});
}

Authority::~Authority() = default;

void Authority::sign(const std::string& file, const Certificate& certificate) const {
  const Key key = make_key();
  const Signed made = blank(key, certificate.valid_from_days, certificate.valid_until_days);
  name_subject(made.get(), certificate.common_name);
  X509* const issuer = keys_->certificate.get();
  X509_set_issuer_name(made.get(), X509_get_subject_name(issuer));
  extend(made.get(), issuer, NID_subject_alt_name, certificate.alt_names);
  extend(made.get(), issuer, NID_ext_key_usage, certificate.purposes);
  check(X509_sign(made.get(), keys_->key.get(), EVP_sha256()) != 0, "sign");
  write_certificate(folder_ + "/" + file + ".pem", made.get());
  const File key_file = open_file(folder_ + "/" + file + ".key");
  check(PEM_write_PrivateKey(key_file.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1,
        "write a key");
}

}  // namespace coterie::attack
