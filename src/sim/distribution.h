// How long things take: a distribution of times that are never negative, written const:1, uniform:0:4,
// exp:4 (its mean), lognormal:M:S (the mean and the standard deviation of the logarithm), or a list of
// measured values, each as likely as the others.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/random.h"
#include "coterie/result.h"

namespace coterie::sim {

class Distribution {
 public:
  static Distribution constant(double value);
  static Distribution uniform(double least, double most);
  static Distribution exponential(double mean);
  static Distribution log_normal(double mu, double sigma);
  // `text` is how it was written: file:PATH. REQUIRES: values is not empty, none negative.
  static Distribution of_values(std::vector<double> values, std::string text);

  double draw(Random& random) const;
  double mean() const;
  const std::string& text() const { return text_; }  // parses to the same distribution

 private:
  struct Constant {
    double value;
  };
  struct Uniform {
    double least, most;
  };
  struct Exponential {
    double mean;
  };
  struct LogNormal {
    double mu, sigma;
  };
  struct Values {
    std::vector<double> values;
  };
  using Kind = std::variant<Constant, Uniform, Exponential, LogNormal, Values>;

  Distribution(Kind kind, std::string text) : kind_(std::move(kind)), text_(std::move(text)) {}

  Kind kind_;
  std::string text_;
};

// All but file:PATH, which the command reads: of_values.
Result<Distribution> parse_distribution(std::string_view text);
// The values of a file: numbers, separated by white space or commas. Errors name the line.
Result<std::vector<double>> parse_values(std::string_view text);

}  // namespace coterie::sim
