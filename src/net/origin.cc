#include "net/origin.h"

#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <algorithm>
#include <memory>

namespace coterie::net {

namespace {

std::string subject_of(const Secure& stream) {
  auto* const tls = const_cast<Secure&>(stream).native_handle();
  const std::unique_ptr<X509, decltype(&X509_free)> shown(SSL_get1_peer_certificate(tls),
                                                          &X509_free);
  if (!shown) return "";
  unsigned char* bytes = nullptr;
  const int size = i2d_X509_NAME(X509_get_subject_name(shown.get()), &bytes);
  if (size <= 0) return "";
  std::string subject(bytes, bytes + size);
  OPENSSL_free(bytes);
  return subject;
}

}  // namespace

std::string origin_of(const boost::asio::ip::address& address) {
  if (!address.is_v6() || address.to_v6().is_v4_mapped()) return address.to_string();
  constexpr std::size_t kPrefix = 8;
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + kPrefix, bytes.end(), 0);
  return boost::asio::ip::address_v6(bytes).to_string() + "/64";
}

std::string origin_of(const Socket& socket) {
  boost::system::error_code error;
  if (const auto* const secure = std::get_if<Secure>(&socket)) {
    if (std::string subject = subject_of(*secure); !subject.empty()) return subject;
    return origin_of(secure->next_layer().remote_endpoint(error).address());
  }
  return origin_of(std::get<Plain>(socket).remote_endpoint(error).address());
}

}  // namespace coterie::net
