// TLS for both sides of a connection: each shows a certificate that the same authority has signed.
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <optional>
#include <string>

#include "coterie/result.h"
#include "net/channel.h"
#include "net/settings.h"

namespace coterie::net {

// Its handshake fails unless the other side's certificate is for this name or address.
void expect_host(Secure& stream, const std::string& host);
// What went wrong in a handshake, for people: OpenSSL's error alone does not tell what is wrong with a
// certificate.
std::string trouble_of(Secure& stream, const boost::system::error_code& error);
Result<boost::asio::ssl::context> make_tls(const TlsFiles& files);
// Why others would not take us for the member of this name if we showed them these; nothing if they would.
std::optional<std::string> flaw_of(boost::asio::ssl::context& shown, const std::string& member);
// The name in the certificate that the other side has shown; empty without TLS.
std::string name_shown(const Socket& socket);

}  // namespace coterie::net
