#include "net/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <set>
#include <utility>

#include "base/text.h"
#include "coterie/spec.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace coterie::net {

namespace {

using member::Duration;

Error fault(std::string message) { return Error{.message = std::move(message)}; }

// A line that opens a table without a name: toml++ 3.3 does not look before it reads one, and stops the program.
bool names_nothing(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(kBlanks)));
  if (!line.starts_with('[')) return false;
  line.remove_prefix(line.starts_with("[[") ? 2 : 1);
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(kBlanks)));
  const char c = line.empty() ? ']' : line.front();
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return !is_letter && !(c >= '0' && c <= '9') && c != '-' && c != '_' && c != '"' && c != '\'';
}

// What must not reach toml++ 3.3, whose tables of characters have holes: beyond ASCII it takes some characters
// outside quotes for what cannot be, and it stops the program at some lists that end too early. Texts over several lines
// and lists, which nobody needs here, are refused; so are quotes in the middle of a word: they would make it hard to tell
// what is in quotes.
std::string fault_of_characters(std::string_view text) {
  constexpr std::string_view kBeforeText = " \t=[{,.";
  std::size_t line = 1;
  char quote = 0;
  bool has_value = false;  // the line, up to here: an equals sign
  bool has_begun = false;  // and something behind it
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_start = i == 0 || text[i - 1] == '\n';
    if (is_start && names_nothing(text.substr(i, text.find('\n', i) - i)))
      return fmt::format("line {}: the name of a table must follow \"[\"", line);
    if (c >= 0 && c < ' ' && c != '\t' && c != '\r' && c != '\n')
      return fmt::format("line {}: a control character", line);
    if (c == '\n') {
      ++line;
      quote = 0;
      has_value = has_begun = false;
    } else if (quote != 0) {
      if (c == '\\' && quote == '"' && i + 1 < text.size() && text[i + 1] != '\n') ++i;
      if (c == quote) quote = 0;
    } else if (c == '#') {
      i = std::min(text.size(), text.find('\n', i)) - 1;
    } else if (c == '"' || c == '\'') {
      quote = c;
      const bool is_late = !is_start && kBeforeText.find(text[i - 1]) == std::string_view::npos;
      if (is_late || std::exchange(has_begun, has_value))
        return fmt::format("line {}: a quote in the middle of a word", line);
      if (text.substr(i, 3) == std::string(3, c))
        return fmt::format("line {}: a text must be on one line, in one pair of quotes", line);
    } else if (c == '{' || c == '}' || (has_value && (c == '[' || c == ']'))) {
      return fmt::format("line {}: no list and no table can be a value here", line);
    } else if (c == '=') {
      if (std::exchange(has_value, true)) return fmt::format("line {}: a second equals sign", line);
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      return fmt::format("line {}: characters beyond ASCII must be in quotes", line);
    } else if (c != ' ' && c != '\t') {
      has_begun = has_value;
    }
  }
  return "";
}

// Reads a table, and complains of what nobody read.
class Section {
 public:
  Section(const toml::table& table, std::string name) : table_(table), name_(std::move(name)) {}

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string text(std::string_view key, std::string otherwise) {
    const toml::node* const node = take(key);
    if (node == nullptr) return otherwise;
    if (const auto value = node->value_exact<std::string>()) return *value;
    complain(*node, fmt::format("{} must be a text in quotes", full(key)));
    return otherwise;
  }
  std::int64_t number(std::string_view key, std::int64_t otherwise, std::int64_t least,
                      std::int64_t most) {
    const toml::node* const node = take(key);
    if (node == nullptr) return otherwise;
    const auto value = node->value_exact<std::int64_t>();
    if (value && *value >= least && *value <= most) return *value;
    complain(*node, fmt::format("{} must be a number from {} to {}", full(key), least, most));
    return otherwise;
  }
  Duration duration(std::string_view key, Duration otherwise) {
    const toml::node* const node = take(key);
    if (node == nullptr) return otherwise;
    const auto value = node->value_exact<std::string>();
    const auto parsed = parse_duration(value ? *value : "");
    if (parsed) return *parsed;
    complain(*node, fmt::format(R"({} must be a time such as "250ms" or "2s")", full(key)));
    return otherwise;
  }
  const toml::table* table(std::string_view key) {
    const toml::node* const node = take(key);
    if (node == nullptr) return nullptr;
    if (const toml::table* const inner = node->as_table()) return inner;
    complain(*node, fmt::format("{} must be a table", full(key)));
    return nullptr;
  }
  void complain(const toml::node& node, const std::string& message) {
    if (fault_.empty()) fault_ = fmt::format("line {}: {}", node.source().begin.line, message);
  }
  void complain(const std::string& message) {
    if (fault_.empty()) fault_ = message;
  }
  void complain_of(std::string_view key, const std::string& message) {
    const toml::node* const node = table_.get(key);
    node != nullptr ? complain(*node, message) : complain(message);
  }
  // What is wrong: first a key that is not known, since it may be why another is missing.
  std::string fault() {
    for (const auto& [key, node] : table_) {
      if (!known_.contains(key.str()))
        return fmt::format("line {}: {} is not known here; known are: {}", node.source().begin.line,
                           full(key.str()), fmt::join(known_, ", "));
    }
    return fault_;
  }

 private:
  const toml::node* take(std::string_view key) {
    known_.emplace(key);
    return table_.get(key);
  }
  std::string full(std::string_view key) const {
    return name_.empty() ? std::string(key) : name_ + "." + std::string(key);
  }

  const toml::table& table_;
  std::string name_;
  std::set<std::string, std::less<>> known_;
  std::string fault_;
};

// The members by name, in order.
std::string read_members(Section& top, const toml::table& members, Settings& settings) {
  for (const auto& [name, node] : members) {
    const auto text = node.value_exact<std::string>();
    const auto address = parse_address(text ? *text : "");
    if (!address || address->port == 0) {
      top.complain(node, fmt::format("members.{} must be an address such as \"10.0.0.1:7400\"",
                                     std::string_view(name)));
      continue;
    }
    if (std::find(settings.addresses.begin(), settings.addresses.end(), *address) !=
        settings.addresses.end())
      top.complain(node, fmt::format("{} is another member's address too", address->text()));
    settings.member.names.emplace_back(name);
    settings.addresses.push_back(*address);
  }
  return "";
}

std::size_t line_of_listen(const toml::table& top, const std::string& name) {
  const toml::node* node = top.get("listen");
  if (node == nullptr) node = top.get_as<toml::table>("members")->get(name);
  return node->source().begin.line;
}

// The line of what a sentence about times, or about the system, is about: the first word of it that the file has.
std::string with_line(const toml::table& top, const std::string& sentence) {
  const toml::table* const time = top.get_as<toml::table>("time");
  for (const std::string_view word : split(sentence, ' ')) {
    const toml::node* node = word == "system" ? top.get("system") : nullptr;
    if (node == nullptr && time != nullptr) node = time->get(word == "drift" ? "drift_ppm" : word);
    if (node != nullptr) return fmt::format("line {}: {}", node->source().begin.line, sentence);
  }
  return sentence;
}

void read_times(Section& section, member::Config& config) {
  config.lease = section.duration("lease", config.lease);
  config.heartbeat = section.duration("heartbeat", config.lease / 8);
  config.suspect_after = section.duration("suspect_after", config.heartbeat * 3);
  config.session = section.duration("session", config.lease * 3 / 2);
  config.keep = section.duration("keep", config.lease);
  config.drift.ppm = section.number("drift_ppm", config.drift.ppm, 0, 100'000);
}

}  // namespace

std::string Address::text() const {
  return host.find(':') == std::string::npos ? fmt::format("{}:{}", host, port)
                                             : fmt::format("[{}]:{}", host, port);
}

bool Address::is_loopback() const {
  if (host == "localhost") return true;
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return !error && address.is_loopback();
}

Result<Address> parse_address(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const auto wrong = fault(fmt::format("\"{}\" is no address such as 10.0.0.1:7400", text));
  if (colon == std::string_view::npos) return wrong;
  const auto port = number_in<std::uint16_t>(text.substr(colon + 1));
  std::string_view host = text.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    host = host.substr(1, host.size() - 2);
  if (!port || host.empty()) return wrong;
  return Address{std::string(host), *port};
}

Result<Duration> parse_duration(std::string_view text) {
  constexpr std::int64_t kMost = 100'000'000;  // seconds: three years
  constexpr std::int64_t kSecond = 1'000;
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kUnits = {
      {{"d", 86'400 * kSecond},
       {"h", 3'600 * kSecond},
       {"m", 60 * kSecond},
       {"s", kSecond},
       {"ms", 1}}};
  const auto wrong = [&] {
    return fault(fmt::format("\"{}\" is no time such as 250ms, 2s, 5m, 1h30m or 1d", text));
  };
  std::int64_t sum = 0;
  std::size_t least = 0;  // from the greater unit to the lesser, each once
  std::string_view rest = text;
  do {
    const std::size_t digits = std::min(rest.size(), rest.find_first_not_of("0123456789"));
    const auto count = number_in<std::int64_t>(rest.substr(0, digits));
    rest.remove_prefix(digits);
    const std::size_t letters = std::min(rest.size(), rest.find_first_of("0123456789"));
    const auto* const unit =
        std::find_if(kUnits.begin() + static_cast<std::ptrdiff_t>(least), kUnits.end(),
                     [&](const auto& each) { return each.first == rest.substr(0, letters); });
    if (!count || unit == kUnits.end() || *count > kMost * kSecond / unit->second) return wrong();
    rest.remove_prefix(letters);
    sum += *count * unit->second;
    least = static_cast<std::size_t>(unit - kUnits.begin()) + 1;
  } while (!rest.empty());
  return sum <= kMost * kSecond ? Result<Duration>(Duration::milliseconds(sum)) : wrong();
}

Result<Settings> parse_settings(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";  // that some editors put first
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  if (std::string wrong = fault_of_characters(text); !wrong.empty()) return fault(std::move(wrong));
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed)
    return fault(fmt::format("line {}: {}", parsed.error().source().begin.line,
                             parsed.error().description()));
  Section top(parsed.table(), "");
  Settings settings{
      .member = {.self = 0, .names = {}, .system = quorum::parse("majority:n=1").value()},
      .addresses = {},
      .listen = {},
      .data = {},
      .tls = {}};
  const std::string name = top.text("name", "");
  settings.data = top.text("data", "");
  const toml::table* const members = top.table("members");
  if (members != nullptr) read_members(top, *members, settings);
  if (settings.member.names.empty())
    top.complain("there must be a table [members] of names and addresses");
  const auto self = std::find(settings.member.names.begin(), settings.member.names.end(), name);
  if (self == settings.member.names.end()) {
    top.complain_of("name", fmt::format("name must be one of the members: {}",
                                        fmt::join(settings.member.names, ", ")));
  } else {
    settings.member.self = static_cast<NodeId>(self - settings.member.names.begin());
    settings.listen = settings.addresses[settings.member.self];
  }
  if (settings.data.empty()) top.complain_of("data", "data must be the folder of what must last");
  if (const std::string listen = top.text("listen", ""); !listen.empty()) {
    const auto address = parse_address(listen);
    if (address) settings.listen = *address;
    if (!address) top.complain_of("listen", address.error().message);
  }
  const std::string spec =
      top.text("system", fmt::format("majority:n={}", settings.member.names.size()));
  auto system = quorum::parse(spec);
  // Its size need not be said twice.
  if (!system && spec.find(':') == std::string::npos) {
    if (auto sized = quorum::parse(fmt::format("{}:n={}", spec, settings.member.names.size())))
      system = std::move(sized);
  }
  if (system) {
    settings.member.system = std::move(*system);
  } else if (!settings.member.names.empty()) {
    top.complain_of("system", "system: " + system.error().message);
  }
  std::string inner_fault;
  if (const toml::table* const time = top.table("time")) {
    Section section(*time, "time");
    read_times(section, settings.member);
    inner_fault = section.fault();
  }
  if (const toml::table* const tls = top.table("tls")) {
    Section section(*tls, "tls");
    settings.tls = TlsFiles{section.text("certificate", ""), section.text("key", ""),
                            section.text("authority", ""), section.text("peer_authority", "")};
    if (settings.tls->certificate.empty() || settings.tls->key.empty() ||
        settings.tls->authority.empty())
      section.complain(*tls, "[tls] needs certificate, key and authority: paths of PEM files");
    if (inner_fault.empty()) inner_fault = section.fault();
  }
  if (const toml::table* const limits = top.table("limits")) {
    Section section(*limits, "limits");
    settings.clients = static_cast<std::size_t>(section.number("clients", 10'000, 1, 1'000'000));
    settings.member.names_in_all =
        static_cast<std::size_t>(section.number("names", 262'144, 1, 16'777'216));
    if (inner_fault.empty()) inner_fault = section.fault();
  }
  if (std::string wrong = top.fault(); !wrong.empty()) return fault(std::move(wrong));
  if (!inner_fault.empty()) return fault(std::move(inner_fault));
  if (const std::string wrong = member::fault_of(settings.member); !wrong.empty())
    return fault(with_line(parsed.table(), wrong));
  settings.listen_line = line_of_listen(parsed.table(), name);
  return settings;
}

std::string Settings::cluster() const {
  std::string text = fmt::format("system {}\n", member.system.spec());
  for (std::size_t i = 0; i < member.names.size(); ++i)
    text += fmt::format("member {} {}\n", member.names[i], addresses[i].text());
  const auto ms = [](Duration duration) { return duration.ns / 1'000'000; };
  text += fmt::format("lease {} ms\ndrift {} ppm\n", ms(member.lease), member.drift.ppm);
  return text;
}

std::string exposure(const Settings& settings) {
  if (settings.tls || settings.listen.is_loopback()) return "";
  return fmt::format(
      "{}{} can be reached from other machines, and there is no [tls]: give certificates, listen "
      "on "
      "a "
      "loopback address, or say --insecure",
      settings.listen_line == 0 ? "" : fmt::format("line {}: ", settings.listen_line),
      settings.listen.text());
}

std::string difference(std::string_view our_name, std::string_view ours,
                       std::string_view their_name, std::string_view theirs) {
  const auto lines = [](std::string_view text) {
    const auto pieces = split(text, '\n');
    return std::set<std::string_view>(pieces.begin(), pieces.end());
  };
  const auto our_lines = lines(ours);
  const auto their_lines = lines(theirs);
  const auto only = [](const auto& a, const auto& b) {
    std::vector<std::string_view> left;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(left));
    return left.empty() ? std::string("nothing") : fmt::format("{}", fmt::join(left, ", "));
  };
  return fmt::format("{} has {}; {} has {}", our_name, only(our_lines, their_lines), their_name,
                     only(their_lines, our_lines));
}

}  // namespace coterie::net
