// Certificates as an authority would sign them, and as no careful authority would: any name (also with a NUL byte in it), any
// purpose, any subjectAltName, any dates. docs/operations.md shows how to make the good ones with openssl.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace coterie::attack {

struct Certificate {
  std::string common_name;
  // As openssl writes them: "IP:127.0.0.1", "DNS:example.org". Empty: no subjectAltName.
  std::string alt_names = "IP:127.0.0.1";
  std::string purposes = "serverAuth,clientAuth";  // empty: no extendedKeyUsage
  int valid_from_days = -1;
  int valid_until_days = 2;
};

class Authority {
 public:
  // Writes NAME.pem, which members and clients trust, into the folder.
  Authority(std::string folder, std::string name);
  ~Authority();
  Authority(const Authority&) = delete;
  Authority& operator=(const Authority&) = delete;

  // Writes FILE.pem and FILE.key into the folder.
  void sign(const std::string& file, const Certificate& certificate) const;

 private:
  struct Keys;
  std::string folder_;
  std::unique_ptr<Keys> keys_;
};

}  // namespace coterie::attack
