// Who runs the parts of a step. The core has no threads of its own: a program that has some hands
// them in, for one call (the trainer's slices) or for all (share_threads).
//
// What is computed never depends on how many there are: work is cut where it cannot matter, or the
// same way whatever their number.
#pragma once

#include <algorithm>
#include <atomic>
#include <type_traits>

namespace wf {

// The binaries for one thread keep nothing of what stands behind `if constexpr (kMayHaveThreads)`.
#if defined(__wasm__) && !defined(__wasm_atomics__)
inline constexpr bool kMayHaveThreads = false;
#else
inline constexpr bool kMayHaveThreads = true;
#endif

// For each there is working memory.
inline constexpr int kMostThreads = 16;

class Executor {
 public:
  virtual ~Executor() = default;

  // Runs task(context, i) for every i in [0, count), in any order and place, and returns when all
  // are done.
  virtual void run(int count, void (*task)(void* context, int index), void* context) = 0;

  // How many indices may run at once; 1 while they are at work already.
  virtual int threads() const { return 1; }

  // Runs anything that can be called with an index.
  template <class Body>
  void for_each(int count, Body&& body) {
    run(count, [](void* context, int index) { (*static_cast<Body*>(context))(index); }, &body);
  }
};

// One after another, on the calling thread.
class SerialExecutor final : public Executor {
 public:
  void run(int count, void (*task)(void* context, int index), void* context) override {
    for (int i = 0; i < count; ++i) task(context, i);
  }
};

// The threads of the whole program; null, as at first, for none.
inline Executor*& shared_threads() {
  static Executor* threads = nullptr;
  return threads;
}

// How many parts of a work of so many multiplications are worth being done at once.
inline int lanes_for(double multiplications) {
  if constexpr (!kMayHaveThreads) return 1;
  constexpr double kWorthWaking = 1
                                  << 21;  // a fifth of a millisecond, four times what waking takes
  Executor* threads = shared_threads();
  return threads && multiplications >= kWorthWaking ? std::min(threads->threads(), kMostThreads)
                                                    : 1;
}

// task(context, lane, i) for every i in [0, count). A lane goes through a part of its own, in
// order, since memory comes ahead of what reads on, and not of what jumps; then it helps the
// others.
[[gnu::noinline]] inline void share_parts(int lanes, int count,
                                          void (*task)(void* context, int lane, int index),
                                          void* context) {
  // In lines of the cache of their own.
  struct alignas(64) Part {
    std::atomic<int> next{0};
    int end = 0;
  } parts[kMostThreads];
  for (int lane = 0, begin = 0; lane < lanes; ++lane) {
    parts[lane].next = begin;
    parts[lane].end = begin += (count - begin) / (lanes - lane);
  }
  shared_threads()->for_each(lanes, [&](int lane) {
    for (int turn = 0; turn < lanes; ++turn) {
      Part& part = parts[(lane + turn) % lanes];
      for (int i; (i = part.next.fetch_add(1)) < part.end;) task(context, lane, i);
    }
  });
}

// body(lane, i) for every i in [0, count); calls of the same lane never overlap, so that each may
// have memory of its own.
template <class Body>
void share_out(int lanes, int count, Body&& body) {
  if (!kMayHaveThreads || lanes == 1) {
    for (int i = 0; i < count; ++i) body(0, i);
    return;
  }
  share_parts(
      lanes, count,
      [](void* context, int lane, int index) {
        (*static_cast<std::remove_reference_t<Body>*>(context))(lane, index);
      },
      &body);
}

// body(first, count) for rows of numbers of which each costs a few instructions.
template <class Body>
void share_numbers(int rows, int columns, Body&& body) {
  constexpr int kWorthSharing = 1 << 14;  // some ten microseconds; whoever helps is awake
  constexpr int kPiece = 8;
  if constexpr (kMayHaveThreads) {
    Executor* threads = shared_threads();
    if (threads && threads->threads() > 1 && rows > kPiece && columns >= kWorthSharing / rows)
      return threads->for_each((rows - 1) / kPiece + 1, [&](int i) {
        body(i * kPiece, std::min(kPiece, rows - i * kPiece));
      });
  }
  body(0, rows);
}

}  // namespace wf
