// Clients of one member who wait to enter, in their order, with one request: the part of it that does not depend on what they wait for.
#pragma once

#include <deque>
#include <string>

#include "member/resource.h"

namespace coterie::member {

class WaitingLine {
 public:
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

  const std::deque<Claim*>& line() const { return line_; }
  // From the line, or from inside.
  virtual void remove(Claim& claim) = 0;
  void refuse_all(const std::string& text);  // who waits, but not who is inside elsewhere

 protected:
  explicit WaitingLine(Host& host) : host_(host) {}
  ~WaitingLine() = default;

  void refuse(Claim& claim, Refusal why, const std::string& text);
  void refuse_mismatched(const std::string& text);  // wherever they are
  void refuse_tries(const std::string& text);
  void refuse_tries(const Queued& queued);
  void refuse_late();  // who would not wait any longer
  Instant first_late() const;
  bool has_tries() const;

  std::deque<Claim*> line_;

 private:
  template <class Is>
  void refuse_if(const Is& is, Refusal why, const std::string& text);

  Host& host_;
};

}  // namespace coterie::member
