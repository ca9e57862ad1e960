// One axis of a chart: from values to places, and where its marks stand.
#pragma once

#include <string>
#include <vector>

namespace coterie::cli {

struct Tick {
  double value = 0;
  std::string text;
};

class Axis {
 public:
  // Both ends are round numbers, so that they have marks; about `ticks` of these.
  static Axis rounded(double least, double most, std::size_t ticks);
  // From one value to the other, with marks at the round numbers between.
  static Axis exact(double least, double most, std::size_t ticks);
  // REQUIRES: least > 0
  static Axis logarithmic(double least, double most, bool is_rounded);
  // A place for each name, at 0, 1, 2, ...
  static Axis named(const std::vector<std::string>& names);

  // 0 at the beginning of the axis, 1 at its end; what is beyond them is there.
  double place(double value) const;
  double least() const { return least_; }
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  Axis(double least, double most, bool is_log) : least_(least), most_(most), is_log_(is_log) {}
  void mark_steps(double step);

  double least_;
  double most_;
  bool is_log_;
  std::vector<Tick> ticks_;
};

}  // namespace coterie::cli
