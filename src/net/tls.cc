#include "net/tls.h"

#include <fmt/format.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

#include <array>
#include <boost/asio/ssl/verify_mode.hpp>
#include <memory>

namespace coterie::net {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

namespace {

std::string common_name(X509* certificate) {
  constexpr std::size_t kMost = 256;
  std::array<char, kMost> name{};
  X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name.data(),
                            static_cast<int>(name.size()));
  return name.data();
}

}  // namespace

Result<ssl::context> make_tls(const TlsFiles& files) {
  const auto failed = [](const std::string& file, const error_code& error) {
    return Error{.message = fmt::format("{} cannot be used for TLS: {}", file, error.message())};
  };
  ssl::context context(ssl::context::tls);
  context.set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 |
                      ssl::context::no_sslv3 | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  error_code error;
  if (context.use_certificate_chain_file(files.certificate, error); error)
    return failed(files.certificate, error);
  if (context.use_private_key_file(files.key, ssl::context::pem, error); error)
    return failed(files.key, error);
  if (context.load_verify_file(files.authority, error); error)
    return failed(files.authority, error);
  context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  return context;
}

// By OpenSSL itself, which then tells a mismatch from other faults.
void expect_host(Secure& stream, const std::string& host) {
  X509_VERIFY_PARAM* const expected = SSL_get0_param(stream.native_handle());
  if (X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) != 1)
    X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size());
}

std::string trouble_of(Secure& stream, const error_code& error) {
  const long verified = SSL_get_verify_result(stream.native_handle());
  if (verified == X509_V_OK) return "TLS: " + error.message();
  return fmt::format("TLS: {}: {}", error.message(), X509_verify_cert_error_string(verified));
}

std::string name_shown(const Socket& socket) {
  const auto* const secure = std::get_if<Secure>(&socket);
  if (secure == nullptr) return "";
  auto& mutable_stream = const_cast<Secure&>(*secure);  // NOLINT: it is only asked
  X509* const certificate = SSL_get_peer_certificate(mutable_stream.native_handle());
  if (certificate == nullptr) return "";
  std::string name = common_name(certificate);
  X509_free(certificate);
  return name;
}

// A member is a server to some and a client to others.
std::optional<std::string> flaw_of(ssl::context& shown, const std::string& member) {
  SSL_CTX* const context = shown.native_handle();
  X509* const certificate = SSL_CTX_get0_certificate(context);
  STACK_OF(X509)* chain = nullptr;
  SSL_CTX_get0_chain_certs(context, &chain);
  for (const char* const role : {"ssl_server", "ssl_client"}) {
    const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> judge(
        X509_STORE_CTX_new(), &X509_STORE_CTX_free);
    if (!judge) return "out of memory";
    X509_STORE_CTX_init(judge.get(), SSL_CTX_get_cert_store(context), certificate, chain);
    X509_STORE_CTX_set_default(judge.get(), role);
    if (X509_verify_cert(judge.get()) != 1)
      return X509_verify_cert_error_string(X509_STORE_CTX_get_error(judge.get()));
  }
  if (const std::string name = common_name(certificate); name != member)
    return fmt::format("it is of \"{}\", not of \"{}\"", name, member);
  return std::nullopt;
}

}  // namespace coterie::net
