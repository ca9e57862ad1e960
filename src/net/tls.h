// TLS for both sides of a connection: each shows a certificate that an authority has signed that the other side trusts.
//
// A member's certificate shows more than a client's, so that no client's certificate plays a member: the member's name as its
// only common name, byte for byte; the host of the member's configured address as a subjectAltName; serverAuth and clientAuth as
// extendedKeyUsage, since a member is a server to some and a client to others; and the signature of the members' own
// authority, if there is one (tls.peer_authority).
#pragma once

#include <openssl/x509.h>

#include <boost/asio/ssl/context.hpp>
#include <memory>
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

// Whose certificates members show each other: those of `peer_authority`, or of `authority` if there is none.
using Authorities = std::shared_ptr<X509_STORE>;
Result<Authorities> peer_authorities(const TlsFiles& files);

struct MemberIdentity {
  std::string name;
  std::string host;  // of its configured address
};
// Why others would not take us for this member if we showed them these; nothing if they would.
std::optional<std::string> flaw_of(boost::asio::ssl::context& shown, const Authorities& trusted,
                                   const MemberIdentity& member);
// Why who has shown its certificate on this connection is not this member; nothing if it is. REQUIRES: TLS.
std::optional<std::string> flaw_of(const Socket& socket, const Authorities& trusted,
                                   const MemberIdentity& member);

}  // namespace coterie::net
