/* Maekawa's mutual exclusion with Sanders' correction, for SPIN: src/protocol/maekawa.cc handler by
   handler, so that both checkers explore the same states. See bench/spin_compare.sh.

   A state is what our checker's is: per process its clock, its requester, its arbiter and the requests
   that it has still to make; per ordered pair the messages on their way. An event is one transition: a
   process asks to enter, leaves, or takes the message at the head of a channel.

   The first M of N processes (N is 3 or 4) ask R times each; the quorum of process i is i, i+1, ...,
   i+Q-1 (mod N). */

#ifndef N
#define N 3
#endif
#ifndef Q
#define Q 2
#endif
#ifndef M
#define M N
#endif
#ifndef R
#define R 1
#endif

/* A message is one number: what it is, and the time of the stamp. The process of the stamp is the one
   of the two ends of the channel that is the requester. */
#define REQUEST    32
#define LOCKED     64
#define FAILED     96
#define INQUIRE    128
#define RELINQUISH 160
#define RELEASED   192
#define TIME(message) (message & 31)
#define KIND(message) (message & 224)

#define IDLE    0
#define WAITING 1
#define INSIDE  2

#define BIT(process) (1 << (process))
#define QUORUM(i) \
  (BIT(i) | (Q > 1 -> BIT((i + 1) % N) : 0) | (Q > 2 -> BIT((i + 2) % N) : 0) | (Q > 3 -> BIT((i + 3) % N) : 0))

/* Not part of the state: nothing is remembered in them from one event to the next. */
hidden byte message;
hidden byte best;
hidden byte other;

/* The channels: SPIN's own or, since SPIN is faster so, each a number of up to four messages, the oldest
   in the low byte. */
#ifdef PACKED
int wire[N * N];
#define WIRE(from, to) wire[(from) * N + (to)]
#define LONGER_THAN(count, from, to) ((WIRE(from, to) & (-1 << (8 * count))) != 0)
inline send(from, to, content) {
  if
  :: LONGER_THAN(2, from, to) ->
     assert(!LONGER_THAN(3, from, to));
     WIRE(from, to) = WIRE(from, to) | ((content) << 24)
  :: LONGER_THAN(1, from, to) && !LONGER_THAN(2, from, to) ->
     WIRE(from, to) = WIRE(from, to) | ((content) << 16)
  :: LONGER_THAN(0, from, to) && !LONGER_THAN(1, from, to) ->
     WIRE(from, to) = WIRE(from, to) | ((content) << 8)
  :: else -> WIRE(from, to) = content
  fi
}
#define TAKE(from, to) \
  WIRE(from, to) != 0 -> \
  message = WIRE(from, to) & 255; \
  WIRE(from, to) = (WIRE(from, to) >> 8) & 16777215
#else
chan wire[N * N] = [4] of { byte };
#define WIRE(from, to) wire[(from) * N + (to)]
inline send(from, to, content) { WIRE(from, to) ! content }
#define TAKE(from, to) WIRE(from, to) ? message
#endif

byte clock[N];
byte left[N] = R;
/* The requester. */
byte phase[N];
byte current[N];
byte locked[N];
byte failed[N];
byte inquiries[N];
/* The arbiter: queue is the time of each process's request, 0 if it has none here. */
byte queue[N * N];
byte holder[N]; /* the process + 1 */
bit asked_back[N];
byte told[N];
#define QUEUE(i, process) queue[(i) * N + (process)]

inline find_best(i) {
  best = N;
  other = 0;
  do
  :: other < N ->
     if
     :: QUEUE(i, other) > 0 && (best == N || QUEUE(i, other) < QUEUE(i, best)) -> best = other
     :: else
     fi;
     other++
  :: else -> break
  od
}

inline grant(i) {
  find_best(i);
  holder[i] = best + 1;
  told[i] = told[i] & ~BIT(best);
  send(i, best, LOCKED + QUEUE(i, best))
}

inline fail(i, process) {
  if
  :: (told[i] & BIT(process)) == 0 ->
     told[i] = told[i] | BIT(process);
     send(i, process, FAILED + QUEUE(i, process))
  :: else
  fi
}

inline on_request(i, from) {
  if
  :: TIME(message) > clock[i] -> clock[i] = TIME(message)
  :: else
  fi;
  if
  :: holder[i] == 0 ->
     QUEUE(i, from) = TIME(message);
     grant(i)
  :: else ->
     find_best(i);
     QUEUE(i, from) = TIME(message);
     if
     :: QUEUE(i, best) < TIME(message) || (QUEUE(i, best) == TIME(message) && best < from) -> fail(i, from)
     :: else ->
        if
        :: holder[i] != best + 1 -> fail(i, best)
        :: else
        fi;
        if
        :: !asked_back[i] ->
           asked_back[i] = 1;
           send(i, holder[i] - 1, INQUIRE + QUEUE(i, holder[i] - 1))
        :: else
        fi
     fi
  fi
}

inline on_relinquish(i, from) {
  assert(holder[i] == from + 1 && QUEUE(i, from) == TIME(message));
  asked_back[i] = 0;
  told[i] = told[i] | BIT(from);
  grant(i)
}

inline on_released(i, from) {
  assert(holder[i] == from + 1 && QUEUE(i, from) == TIME(message));
  asked_back[i] = 0;
  QUEUE(i, from) = 0;
  holder[i] = 0;
  find_best(i);
  if
  :: best < N -> grant(i)
  :: else
  fi
}

inline relinquish(i, arbiter) {
  locked[i] = locked[i] & ~BIT(arbiter);
  inquiries[i] = inquiries[i] & ~BIT(arbiter);
  failed[i] = failed[i] | BIT(arbiter);
  send(i, arbiter, RELINQUISH + current[i])
}

inline on_locked(i, from) {
  assert(phase[i] == WAITING && TIME(message) == current[i]);
  locked[i] = locked[i] | BIT(from);
  failed[i] = failed[i] & ~BIT(from);
  if
  :: (QUORUM(i) & ~locked[i]) == 0 ->
     phase[i] = INSIDE;
     inquiries[i] = 0;
     other = 0;
     do
     :: other < N -> assert(other == i || phase[other] != INSIDE); other++
     :: else -> break
     od
  :: else
  fi
}

inline on_failed(i, from) {
  if
  :: phase[i] == WAITING && TIME(message) == current[i] ->
     failed[i] = failed[i] | BIT(from);
     other = 0;
     do
     :: other < N ->
        if
        :: (inquiries[i] & BIT(other)) != 0 -> relinquish(i, other)
        :: else
        fi;
        other++
     :: else -> break
     od
  :: else
  fi
}

inline on_inquire(i, from) {
  if
  :: phase[i] == WAITING && TIME(message) == current[i] ->
     inquiries[i] = inquiries[i] | BIT(from);
     if
     :: failed[i] != 0 -> relinquish(i, from)
     :: else
     fi
  :: else
  fi
}

inline tell_quorum(i, kind) {
  other = 0;
  do
  :: other < N ->
     if
     :: (QUORUM(i) & BIT(other)) != 0 -> send(i, other, kind + current[i])
     :: else
     fi;
     other++
  :: else -> break
  od
}

#define ENTER(i) \
  d_step { \
    i < M && phase[i] == IDLE && left[i] > 0 -> \
    left[i]--; \
    phase[i] = WAITING; \
    clock[i]++; \
    current[i] = clock[i]; \
    tell_quorum(i, REQUEST); \
    other = 0 \
  }

#define EXIT(i) \
  d_step { \
    phase[i] == INSIDE -> \
    phase[i] = IDLE; \
    locked[i] = 0; \
    failed[i] = 0; \
    tell_quorum(i, RELEASED); \
    other = 0 \
  }

#define DELIVER(from, i) \
  d_step { \
    TAKE(from, i); \
    if \
    :: KIND(message) == REQUEST -> on_request(i, from) \
    :: KIND(message) == LOCKED -> on_locked(i, from) \
    :: KIND(message) == FAILED -> on_failed(i, from) \
    :: KIND(message) == INQUIRE -> on_inquire(i, from) \
    :: KIND(message) == RELINQUISH -> on_relinquish(i, from) \
    :: KIND(message) == RELEASED -> on_released(i, from) \
    fi; \
    other = 0 \
  }

init {
end:
  do
  :: ENTER(0)
  :: ENTER(1)
  :: ENTER(2)
  :: EXIT(0)
  :: EXIT(1)
  :: EXIT(2)
  :: DELIVER(0, 0)
  :: DELIVER(1, 0)
  :: DELIVER(2, 0)
  :: DELIVER(0, 1)
  :: DELIVER(1, 1)
  :: DELIVER(2, 1)
  :: DELIVER(0, 2)
  :: DELIVER(1, 2)
  :: DELIVER(2, 2)
#if N > 3
  :: ENTER(3)
  :: EXIT(3)
  :: DELIVER(3, 0)
  :: DELIVER(3, 1)
  :: DELIVER(3, 2)
  :: DELIVER(0, 3)
  :: DELIVER(1, 3)
  :: DELIVER(2, 3)
  :: DELIVER(3, 3)
#endif
  od
}
