#include "net/tls.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/verify_mode.hpp>
#include <cstdint>
#include <memory>

#include "quorum/visible.h"

namespace coterie::net {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

namespace {

Error unusable(const std::string& file, const std::string& why) {
  return Error{.message = fmt::format("{} cannot be used for TLS: {}", file, why)};
}

std::string tls_error() {
  return error_code(static_cast<int>(ERR_get_error()), boost::asio::error::get_ssl_category())
      .message();
}

// All of its bytes, also after a NUL. Nothing: there is none, or more than one, and so no telling which is meant.
std::optional<std::string> common_name(X509* certificate) {
  const X509_NAME* const subject = X509_get_subject_name(certificate);
  const int first = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
  if (first < 0 || X509_NAME_get_index_by_NID(subject, NID_commonName, first) >= 0)
    return std::nullopt;
  unsigned char* bytes = nullptr;
  const int length =
      ASN1_STRING_to_UTF8(&bytes, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, first)));
  if (length < 0) return std::nullopt;
  std::string name(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
  OPENSSL_free(bytes);
  return name;
}

// Those that say so: a certificate without extendedKeyUsage is good for anything, and so a client's could be one.
bool is_for_both_sides(X509* certificate) {
  if ((X509_get_extension_flags(certificate) & EXFLAG_XKUSAGE) == 0) return false;
  const std::uint32_t uses = X509_get_extended_key_usage(certificate);
  return (uses & XKU_SSL_SERVER) != 0 && (uses & XKU_SSL_CLIENT) != 0;
}

bool is_for_host(X509* certificate, const std::string& host) {
  error_code error;
  boost::asio::ip::make_address(host, error);
  if (!error) return X509_check_ip_asc(certificate, host.c_str(), 0) == 1;
  // The common name is the member's, and a star would be for others too.
  constexpr unsigned kFlags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_WILDCARDS;
  return X509_check_host(certificate, host.data(), host.size(), kFlags, nullptr) == 1;
}

// As a server and as a client: OpenSSL asks for each purpose what it would in a handshake.
std::optional<std::string> flaw_of_chain(X509_STORE* trusted, X509* certificate,
                                         STACK_OF(X509) * chain) {
  for (const char* const role : {"ssl_server", "ssl_client"}) {
    const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> judge(
        X509_STORE_CTX_new(), &X509_STORE_CTX_free);
    if (!judge || X509_STORE_CTX_init(judge.get(), trusted, certificate, chain) != 1)
      return "out of memory";
    X509_STORE_CTX_set_default(judge.get(), role);
    if (X509_verify_cert(judge.get()) != 1)
      return X509_verify_cert_error_string(X509_STORE_CTX_get_error(judge.get()));
  }
  return std::nullopt;
}

std::optional<std::string> flaw_of_identity(X509* certificate, const MemberIdentity& member) {
  const auto name = common_name(certificate);
  if (!name) return "it must have one common name (CN)";
  constexpr std::size_t kShown = 100;
  if (*name != member.name)
    return fmt::format("it is of \"{}\", not of \"{}\"", quorum::visible_line(*name, kShown),
                       member.name);
  if (!is_for_both_sides(certificate))
    return "it is no member's: its extendedKeyUsage must have serverAuth and clientAuth";
  if (!is_for_host(certificate, member.host))
    return fmt::format("it is not for the address of member {}: its subjectAltName must have {}",
                       member.name, member.host);
  return std::nullopt;
}

}  // namespace

Result<ssl::context> make_tls(const TlsFiles& files) {
  ssl::context context(ssl::context::tls);
  context.set_options(ssl::context::default_workarounds | ssl::context::no_sslv2 |
                      ssl::context::no_sslv3 | ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1);
  error_code error;
  if (context.use_certificate_chain_file(files.certificate, error); error)
    return unusable(files.certificate, error.message());
  if (context.use_private_key_file(files.key, ssl::context::pem, error); error)
    return unusable(files.key, error.message());
  if (context.load_verify_file(files.authority, error); error)
    return unusable(files.authority, error.message());
  if (!files.peer_authority.empty()) {
    if (context.load_verify_file(files.peer_authority, error); error)
      return unusable(files.peer_authority, error.message());
  }
  context.set_verify_mode(ssl::verify_peer | ssl::verify_fail_if_no_peer_cert);
  return context;
}

Result<Authorities> peer_authorities(const TlsFiles& files) {
  const std::string& file = files.peer_authority.empty() ? files.authority : files.peer_authority;
  const Authorities trusted(X509_STORE_new(), &X509_STORE_free);
  if (!trusted || X509_STORE_load_locations(trusted.get(), file.c_str(), nullptr) != 1)
    return unusable(file, tls_error());
  return trusted;
}

// By OpenSSL itself, which then tells a mismatch from other faults.
void expect_host(Secure& stream, const std::string& host) {
  X509_VERIFY_PARAM* const expected = SSL_get0_param(stream.native_handle());
  if (X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) == 1) return;
  X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
  X509_VERIFY_PARAM_set1_host(expected, host.c_str(), host.size());
}

std::string trouble_of(Secure& stream, const error_code& error) {
  const long verified = SSL_get_verify_result(stream.native_handle());
  if (verified == X509_V_OK) return "TLS: " + error.message();
  return fmt::format("TLS: {}: {}", error.message(), X509_verify_cert_error_string(verified));
}

std::optional<std::string> flaw_of(const Socket& socket, const Authorities& trusted,
                                   const MemberIdentity& member) {
  auto& stream = const_cast<Secure&>(std::get<Secure>(socket));  // NOLINT: it is only asked
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      SSL_get1_peer_certificate(stream.native_handle()), &X509_free);
  if (!certificate) return "it has shown none";
  if (auto flaw = flaw_of_identity(certificate.get(), member)) return flaw;
  auto flaw = flaw_of_chain(trusted.get(), certificate.get(),
                            SSL_get_peer_cert_chain(stream.native_handle()));
  if (flaw) return "the authority of members does not vouch for it: " + *flaw;
  return std::nullopt;
}

std::optional<std::string> flaw_of(ssl::context& shown, const Authorities& trusted,
                                   const MemberIdentity& member) {
  SSL_CTX* const context = shown.native_handle();
  X509* const certificate = SSL_CTX_get0_certificate(context);
  STACK_OF(X509)* chain = nullptr;
  SSL_CTX_get0_chain_certs(context, &chain);
  if (auto flaw = flaw_of_chain(trusted.get(), certificate, chain)) return flaw;
  return flaw_of_identity(certificate, member);
}

}  // namespace coterie::net
