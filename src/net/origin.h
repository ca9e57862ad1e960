// Where a connection comes from, as far as that can be told without identities: what its certificate says, or else its address. Clients of
// one origin share an allowance (allowance.h) and a turn at the entrance (entrance.h).
#pragma once

#include <boost/asio/ip/address.hpp>
#include <string>

#include "net/channel.h"

namespace coterie::net {

// The subject of the certificate that was shown, if one was; else origin_of() its address.
std::string origin_of(const Socket& socket);
// An IPv6 address counts by its first 64 bits: the rest is its owner's to choose.
std::string origin_of(const boost::asio::ip::address& address);

}  // namespace coterie::net
