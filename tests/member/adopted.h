// What tests of adoption ask for.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "member/member.h"

namespace coterie::member {

inline Wish wish_of(Kind kind, std::vector<std::string> groups = {}, bool is_alone = false) {
  Wish wish;
  wish.name = "x";
  wish.kind = kind;
  wish.groups = std::move(groups);
  wish.is_alone = is_alone;
  return wish;
}

}  // namespace coterie::member
