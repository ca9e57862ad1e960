#include "cli/manual.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <vector>

#include "cli/table.h"

namespace coterie::cli {
namespace {

constexpr std::string_view kDescription = R"(.SH DESCRIPTION
.B coterie
lets programs on many machines exclude each other, share a room with their own group only, be so many at most, or never
too few, without a leader: members of a cluster grant by quorums.
.PP
.BR "coterie mutex" ,
.BR semaphore ,
.B room
and
.B band
run a command while a name is held.
.B coterie hold
holds it for an owner, until
.BR "coterie release" .
.B coterie serve
is one member of a cluster,
.B coterie dev
a whole cluster on this machine to play with, and
.B coterie status
tells who holds, who waits, and why.
.PP
The other commands are about the algorithms: quorum systems and what they are worth
.RB ( quorum ),
a model checker
.RB ( check ),
a simulator
.RB ( sim ),
live members under simulated faults
.RB ( torture ),
and the experiments of the papers
.RB ( reproduce ).
)";

constexpr std::string_view kPromises = R"(.SH WHAT A BAND PROMISES
Participants of a
.B band
go by names, and are inside or outside. Nobody enters while
.B \-\-max
are inside. From when
.B \-\-min
have been inside, nobody leaves unless so many others stay: who leaves in good order waits until then.
.PP
What nobody can be asked about is a crash. A participant that crashed, or whose member did, counts as inside until its lease
has ended, and then no more; so for the time of a lease there may be fewer than are counted. Others then must stay until enough
have come back.
.PP
A hold of
.B coterie hold
has no lease: its owner counts until it is released, whatever it does.
)";

constexpr std::string_view kExitCodes = R"(.SH EXIT STATUS
.TP
.B 0
It worked.
.TP
.B 1
It worked, and found what should not be; or what it wrote did not arrive.
.TP
.B 2
Bad input: nothing was done. The message says what was wrong, and what is allowed.
.TP
.B 3
It was interrupted, or a search could not be finished: what is shown is a part.
.PP
.BR "coterie mutex" ,
.BR semaphore ,
.B room
and
.B band
exit as the command that they ran, with 128 and the number of the signal if one ended it. Else with 2, or:
.TP
.B 69
No member answers. So does
.BR "coterie status" .
.TP
.B 75
Not granted: it would have to wait
.RB ( \-\-try ),
or waited too long
.RB ( \-\-wait ).
So do
.B coterie hold
and
.BR "coterie release" .
.TP
.B 76
The hold was lost while the command ran, and the command was ended.
.TP
.B 126, 127
The command cannot be run; is not found.
.PP
.B coterie status \-\-watch
goes on until a signal ends it: with 130 after Ctrl-C.
)";

constexpr std::string_view kEnvironment = R"(.SH ENVIRONMENT
.TP
.B COTERIE_MEMBERS
Where members are found if
.B \-\-members
is not given: host:port, several with commas.
.TP
.B COTERIE_DEV
The folder of the cluster of
.BR "coterie dev" ;
else it is in
.B XDG_RUNTIME_DIR
or in /tmp.
.PP
These are set for the command that
.BR "coterie mutex" ,
.BR semaphore ,
.B room
and
.B band
run:
.TP
.B COTERIE_NAME
The name that is held.
.TP
.B COTERIE_GROUP
The group that it is in; read or write; empty where there are no groups.
.TP
.B COTERIE_AS
The participant of a band.
.TP
.B COTERIE_LIMIT
How many may hold a semaphore, or be in a band.
.TP
.B COTERIE_TOKEN
A number that is greater than that of every earlier entry that excludes this one. What the command changes should
refuse a smaller one than it has seen.
.SH FILES
.TP
.I member.toml
The configuration of
.BR "coterie serve" :
the members' names and addresses, the quorum system, the folder of its data, the lease, certificates. Mistakes in it are
named with their line. A commented example is installed with the documentation.
)";

constexpr std::string_view kExamples = R"(.SH EXAMPLES
.nf
coterie dev \-\-detach
coterie mutex deploys \-\-wait 30s \-\- ./deploy.sh
coterie semaphore licences \-\-limit 3 \-\- ./simulate.sh
coterie room racks \-\-group blue \-\- ./reboot.sh
coterie band web \-\-as web\-7 \-\-min 3 \-\-inside \-\- ./serve.sh
coterie band web \-\-as web\-7 \-\-min 3 \-\-outside \-\- systemctl restart web
coterie room schema \-\-read \-\- ./report.sh
coterie status deploys \-\-watch
coterie dev stop
.fi
.SH SEE ALSO
.BR flock (1),
.BR systemd (1)
)";

// Text as it is, whatever it begins with.
std::string roff_text(std::string_view text) {
  std::string out;
  if (text.starts_with('.') || text.starts_with('\'')) out += "\\&";
  for (const char each : text) {
    if (each == '\\') {
      out += "\\e";
    } else if (each == '-') {
      out += "\\-";
    } else {
      out += each;
    }
  }
  return out;
}

std::vector<std::string> page_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Paragraphs are filled; what is indented, as examples are, stays as it is.
std::string roff_of(const std::string& footer) {
  constexpr std::size_t kIndent = 11;
  std::string out;
  bool is_as_it_is = false;
  for (const std::string& line : page_lines(footer)) {
    const bool is_indented = line.starts_with("  ");
    if (is_indented != is_as_it_is) out += is_indented ? ".RS 4\n.nf\n" : ".fi\n.RE\n";
    is_as_it_is = is_indented;
    if (line.empty()) {
      out += ".PP\n";
    } else if (is_indented) {
      for (const std::string& part : page_lines(text_of_command(line.substr(2), kIndent)))
        out += roff_text(part.substr(std::min(part.find_first_not_of(' '), part.size()))) + '\n';
    } else {
      out += roff_text(line) + '\n';
    }
  }
  return out + (is_as_it_is ? ".fi\n.RE\n" : "");
}

std::string synopsis_of(const CommandText& command, const std::string& path) {
  std::string line = fmt::format(".B {}\n", roff_text(path));
  std::string rest;
  for (const OptionText& option : command.options) {
    if (option.is_place && option.name == "COMMAND") {
      rest += R"( [\fIOPTIONS\fR] \-\- \fICOMMAND\fR...)";
    } else if (option.is_place) {
      const std::string place =
          fmt::format("\\fI{}\\fR{}", roff_text(option.name), option.repeats ? "..." : "");
      rest += option.is_required ? " " + place : " [" + place + "]";
    }
  }
  if (rest.find("OPTIONS") == std::string::npos) rest += R"( [\fIOPTIONS\fR])";
  return line + rest.substr(1) + '\n';
}

std::string entry_of(const OptionText& option) {
  std::string head = fmt::format("\\fB{}\\fR", roff_text(option.name));
  if (option.is_place) head = fmt::format("\\fI{}\\fR", roff_text(option.name));
  if (!option.value.empty()) head += fmt::format(" \\fI{}\\fR", roff_text(option.value));
  std::string help = option.help;
  if (!option.initial.empty()) help += fmt::format(" (default: {})", option.initial);
  if (option.is_place && !option.words.empty())
    help += fmt::format(": {}", fmt::join(option.words, ", "));
  return fmt::format(".TP\n{}\n{}\n", head, roff_text(help));
}

void add_command(const CommandText& command, const std::string& path, std::string& out) {
  const bool is_group = command.needs_command;  // nothing by itself
  if (!is_group) {
    out += fmt::format(".SS {}\n{}.PP\n{}.\n", roff_text(path), synopsis_of(command, path),
                       roff_text(command.summary));
    for (const OptionText& option : command.options) {
      if (option.name != "--help") out += entry_of(option);
    }
    if (!command.footer.empty()) out += ".PP\n" + roff_of(command.footer);
  }
  for (const CommandText& inside : command.commands)
    add_command(inside, path + ' ' + inside.name, out);
}

}  // namespace

std::string manual_page(const CommandText& program) {
  std::string page = ".TH COTERIE 1\n.SH NAME\ncoterie \\- leaderless coordination for fleets\n";
  page += ".SH SYNOPSIS\n.B coterie\n\\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n";
  page += kDescription;
  page += ".PP\nEach command has \\fB\\-\\-help\\fR.\n.SH COMMANDS\n";
  for (const CommandText& command : program.commands)
    add_command(command, program.name + ' ' + command.name, page);
  page += kPromises;
  page += kExitCodes;
  page += kEnvironment;
  return page + std::string(kExamples);
}

}  // namespace coterie::cli
