// What a member tells those who look.
#include <algorithm>
#include <iterator>
#include <utility>

#include "member/member.h"
#include "member/sound.h"

namespace coterie::member {

namespace {

constexpr std::int64_t kMillisecond = 1'000'000;

Milliseconds milliseconds(Duration duration) {
  return static_cast<Milliseconds>(std::max<std::int64_t>(0, duration.ns) / kMillisecond);
}

}  // namespace

View Member::view(const std::string& name, Instant now) const {
  View view;
  view.member = config_.self;
  if (is_silent_) view.silent_for = std::max<Milliseconds>(1, milliseconds(silent_until_ - now));
  for (const NodeId peer : reachable()) view.reachable.push_back(peer);
  view.settings = version_of(name);
  const auto place = places_.find(name);
  if (place == places_.end()) return view;
  place->second.resource->look(view);
  if (const auto& next = place->second.next; next && !is_forgotten(next->terms)) {
    view.was = view.kind;
    view.kind = next->kind;
    view.version = next->terms.version;
  }
  return view;
}

std::vector<std::string> Member::names(const std::string& after, std::size_t most) const {
  std::vector<const std::string*> found;
  for (const auto& [name, place] : places_) {
    if (name > after) found.push_back(&name);
  }
  const auto is_less = [](const std::string* a, const std::string* b) { return *a < *b; };
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size()));
  std::partial_sort(found.begin(), end, found.end(), is_less);
  std::vector<std::string> names;
  std::transform(found.begin(), end, std::back_inserter(names),
                 [](const std::string* name) { return *name; });
  return names;
}

Duration Member::leased_for(NodeId peer, Instant now) const {
  if (peer == config_.self || !link(peer).is_up()) return {};
  return std::max(Duration{}, link(peer).leased_until() - now);
}

Milliseconds Member::lent_for(NodeId peer, protocol::Life life) const {
  if (peer == config_.self) return 0;
  const auto until = link(peer).lent_until(life);
  return until ? milliseconds(*until - now_) : 0;
}

void Member::show(SessionId session, RequestId request, const std::string& name, Instant now) {
  if (is_done()) return;
  begin(now);
  Session* const known = find_session(session);
  if (known != nullptr && known->looks >= ClientLimits::kLooks) {
    tally_.count(Happened::refused);
    out_.tell(session, Refused{request, Refusal::invalid,
                               "a client may have at most " + std::to_string(ClientLimits::kLooks) +
                                   " questions about names under way at once"});
    return finish();
  }
  recall(name);  // what is lent is shown as it is: used or not
  Survey survey{session,           request,     name,
                {view(name, now)}, reachable(), now + config_.heartbeat * 2};
  survey.open.erase(config_.self);
  if (survey.open.empty()) {
    conclude(survey);
  } else {
    const std::uint64_t id = ++last_survey_;
    for (const NodeId peer : survey.open) questions_[peer].push_back({id, name});
    surveys_.emplace(id, std::move(survey));
    if (known != nullptr) ++known->looks;
  }
  finish();
}

void Member::answer_questions(NodeId from, const Frame& frame) {
  for (const Question& question : frame.questions) {
    recall(question.name);
    reports_[from].push_back({question.id, packed(view(question.name, now_))});
  }
  for (const Report& report : frame.reports) {
    const auto survey = surveys_.find(report.id);
    if (frame.to != incarnation_ || survey == surveys_.end() || !survey->second.open.contains(from))
      continue;
    View view;
    Reader reader(report.view);
    unpack(reader, view);
    if (!reader.good() || !reader.at_end() || view.member != from ||
        !is_possible(view, config_.names.size()) || !is_sound(view)) {
      tally_.count(Happened::impossible);
      continue;
    }
    survey->second.views.push_back(std::move(view));
    survey->second.open.erase(from);
    if (survey->second.open.empty()) end_survey(survey);
  }
}

void Member::tick_surveys() {
  while (!surveys_.empty() && surveys_.begin()->second.until <= now_) end_survey(surveys_.begin());
}

void Member::end_survey(std::map<std::uint64_t, Survey>::iterator survey) {
  conclude(survey->second);
  if (Session* const known = find_session(survey->second.session)) --known->looks;
  surveys_.erase(survey);
}

void Member::conclude(const Survey& survey) {
  out_.tell(survey.session, Shown{survey.request, together(survey.name, survey.views,
                                                           config_.system, config_.names)});
}

}  // namespace coterie::member
