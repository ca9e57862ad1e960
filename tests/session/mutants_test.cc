// Mutants of the session and of its operations that torture hardly ever meets: what each of them gets wrong needs a rare order of few
// events, which is played here. The session that ships is tested by the same events, so that the tests tell the two apart.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "session/mutants/end_call.h"
#include "session/mutants/session.h"
#include "session/session_fixture.h"

namespace coterie::session {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

class SessionMutants : public SessionTest {
 protected:
  template <class Wrong>
  void become() {
    session_ = std::make_unique<Wrong>("tester", *this);
    heard();
  }

  // Another member grants what was shown, when its client has stopped believing: somebody else may have been inside since.
  std::vector<std::string> move_late() {
    const Ticket ticket = connect_and_get_ticket();
    go_elsewhere(at(2'900));
    heard();
    grant_from(5, ticket, 2, at(3'100));
    return heard();
  }
  // The member of before has been told that the hold has moved: by what it gave nobody can move again.
  std::vector<std::string> move_twice() {
    const Ticket ticket = connect_and_get_ticket();
    go_elsewhere(at(600), "n2");
    grant_from(5, ticket, 1, at(610));
    heard();
    go_elsewhere(at(700), "n3");
    return heard();
  }
  // Two members may take the hold over, and the one that the client does not use has its record.
  std::vector<std::string> show_twice() {
    connect_and_get_ticket();
    go_elsewhere(at(600), "n2");
    heard();
    go_elsewhere(at(700), "n3");
    return heard();
  }
  // The member of before may have let the client out of the band, and somebody else in.
  std::vector<std::string> stay_after_a_move() {
    const Ticket ticket = connect_and_get_ticket(api::Type::band);
    session_->release(ticket, at(10));
    go_elsewhere(at(600));
    grant_from(5, ticket, 1, at(610));
    heard();
    refuse(ticket, api::Refusal::must_stay, at(700));
    return heard();
  }
};

TEST_F(SessionMutants, MovesLate) {
  EXPECT_THAT(move_late(), ElementsAre("let go 1"));
  become<mutants::MovesLate>();
  EXPECT_THAT(move_late(), Not(Contains("let go 1")));
}

TEST_F(SessionMutants, ShowsOldTickets) {
  EXPECT_THAT(move_twice(), ElementsAre("ask 1 for 2900 ms with a ticket of 5"));
  become<mutants::ShowsOldTickets>();
  EXPECT_THAT(move_twice(), ElementsAre("ask 1 for 2900 ms with a ticket of 4"));
}

TEST_F(SessionMutants, ShowsTicketsTwice) {
  EXPECT_THAT(show_twice(), ElementsAre());
  become<mutants::ShowsTicketsTwice>();
  EXPECT_THAT(show_twice(), ElementsAre("ask 1 for 2300 ms with a ticket of 4"));
}

TEST_F(SessionMutants, StaysUnsure) {
  EXPECT_THAT(stay_after_a_move(), ElementsAre("let go 1", "lost 1", "left 1"));
  become<mutants::StaysUnsure>();
  EXPECT_THAT(stay_after_a_move(), ElementsAre("stays 1"));
}

}  // namespace
}  // namespace coterie::session
