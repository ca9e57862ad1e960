// The events that are still to come, in order of time; those of one time in the order in which they were put
// in.
//
// A calendar (Brown, "Calendar queues", CACM 31(10), 1988): days of equal length, each with a list of its
// events in order, and the year starts again when the days are used up. With about one event in a day, to put
// one in and to take the next out cost the same however many there are. The calendar is made anew, with days
// that fit, when the number of events has doubled or halved, and when it turns out that the days do not fit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"

namespace coterie::sim {

template <class Content>
class Queue {
 public:
  struct Item {
    double time;
    std::uint64_t order;
    Content content;
  };

  Queue() : days_(kFewestDays) {}

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }

  // REQUIRES: not before the time of what was taken out last
  void push(double time, const Content& content) {
    if (size_ >= 2 * days_.size()) make_anew(2 * days_.size());
    const Place place = take_place();
    notes_[place] = {{time, ++pushed_, content}, kNone};
    insert(place);
    ++size_;
  }

  // REQUIRES: not empty
  Item pop() {
    COTERIE_ASSERT(size_ > 0);
    if (work_ > kPatience * (kTurns + size_)) make_anew(days_.size());
    if (++turns_ > kTurns + size_) turns_ = work_ = 0;
    find_next();
    Day& day = day_at(today_);
    const Place place = day.first;
    const Item item = notes_[place].item;
    now_ = item.time;
    day.first = notes_[place].next;
    notes_[place].next = free_;
    free_ = place;
    --size_;
    if (days_.size() > kFewestDays && size_ < days_.size() / 4) make_anew(days_.size() / 2);
    return item;
  }

 private:
  using Place = std::uint32_t;
  static constexpr Place kNone = ~Place{0};
  static constexpr std::size_t kFewestDays = 64;
  static constexpr std::uint64_t kPatience = 6;  // steps per event before the days are changed
  static constexpr std::uint64_t kTurns = 1024;

  struct Note {
    Item item;
    Place next;
  };
  struct Day {
    Place first = kNone;
    Place last = kNone;  // if first is not kNone
  };

  static bool is_before(const Item& a, const Item& b) {
    return a.time < b.time || (a.time == b.time && a.order < b.order);
  }
  // By way of a signed number, which takes one instruction.
  std::uint64_t date_of(double time) const {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(time * per_day_));
  }
  Day& day_at(std::uint64_t date) { return days_[date & (days_.size() - 1)]; }

  Place take_place() {
    if (free_ == kNone) {
      notes_.emplace_back();
      return static_cast<Place>(notes_.size() - 1);
    }
    const Place place = free_;
    free_ = notes_[place].next;
    return place;
  }

  void insert(Place place) {
    const Item& item = notes_[place].item;
    Day& day = day_at(date_of(item.time));
    if (day.first == kNone) {
      day.first = day.last = place;
    } else if (is_before(notes_[day.last].item, item)) {
      notes_[day.last].next = place;
      day.last = place;
    } else {
      Place* next = &day.first;
      while (is_before(notes_[*next].item, item)) {
        next = &notes_[*next].next;
        ++work_;
      }
      notes_[place].next = *next;
      *next = place;
    }
  }

  // Turns to the day of the next event.
  void find_next() {
    const std::uint64_t start = today_;
    for (; today_ - start < days_.size(); ++today_) {
      const Day& day = day_at(today_);
      if (day.first != kNone && date_of(notes_[day.first].item.time) == today_) {
        work_ += today_ - start;
        return;
      }
    }
    // Nothing for a whole year.
    work_ += 2 * days_.size();
    const Item* next = nullptr;
    for (const Day& day : days_) {
      if (day.first == kNone) continue;
      const Item& item = notes_[day.first].item;
      if (next == nullptr || is_before(item, *next)) next = &item;
    }
    today_ = date_of(next->time);
  }

  void make_anew(std::size_t days) {
    std::vector<Place> places;
    for (const Day& day : days_) {
      for (Place place = day.first; place != kNone; place = notes_[place].next) {
        places.push_back(place);
      }
    }
    std::sort(places.begin(), places.end(),
              [this](Place a, Place b) { return is_before(notes_[a].item, notes_[b].item); });
    choose_length(places);
    days_.assign(days, {});
    for (const Place place : places) {
      notes_[place].next = kNone;
      insert(place);
    }
    today_ = date_of(now_);  // what is put in next may be before all others
    turns_ = work_ = 0;
  }

  // A day has about one event and a half, by the nearer quarter of them.
  void choose_length(const std::vector<Place>& sorted) {
    const auto time = [&](std::size_t index) { return notes_[sorted[index]].item.time; };
    const std::size_t quarter = sorted.size() / 4;
    if (quarter == 0 || time(quarter) == time(0)) return;
    constexpr double kPerDay = 1.5;
    const double length = kPerDay * (time(quarter) - time(0)) / static_cast<double>(quarter);
    constexpr double kMostDates = 1e15;  // dates are whole numbers, exactly
    per_day_ = std::min(1 / length, kMostDates / (1 + time(sorted.size() - 1)));
  }

  std::vector<Note> notes_;
  Place free_ = kNone;
  std::vector<Day> days_;
  double per_day_ = 1;
  double now_ = 0;           // the time of what was taken out last
  std::uint64_t today_ = 0;  // its date
  std::size_t size_ = 0;
  std::uint64_t pushed_ = 0;
  std::uint64_t turns_ = 0;  // events taken out lately,
  std::uint64_t work_ = 0;   // and the steps in vain that this took
};

}  // namespace coterie::sim
