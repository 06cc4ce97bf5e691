// Runs the parts of a step in parallel. The core starts no threads: the host program supplies an
// Executor, either for one call (the trainer's slices) or for all calls (shared_threads).
//
// Results never depend on the number of threads: work is split so that the order of sums is the
// same for any number.
#pragma once

#include <algorithm>
#include <atomic>
#include <type_traits>

namespace wf {

// In builds for one thread, code behind `if constexpr (kMayHaveThreads)` is removed.
#if defined(__wasm__) && !defined(__wasm_atomics__)
inline constexpr bool kMayHaveThreads = false;
#else
inline constexpr bool kMayHaveThreads = true;
#endif

// Maximum threads; each owns scratch memory.
inline constexpr int kMaxThreads = 16;

class Executor {
 public:
  virtual ~Executor() = default;

  // Runs task(context, i) for every i in [0, count), in any order and on any thread, and returns
  // when all are done.
  virtual void run(int count, void (*task)(void* context, int index), void* context) = 0;

  // Maximum indices that run at once; 1 while the threads are busy.
  virtual int threads() const { return 1; }

  // Runs any callable that takes an index.
  template <class Body>
  void for_each(int count, Body&& body) {
    run(count, [](void* context, int index) { (*static_cast<Body*>(context))(index); }, &body);
  }
};

// Runs everything in order on the calling thread.
class SerialExecutor final : public Executor {
 public:
  void run(int count, void (*task)(void* context, int index), void* context) override {
    for (int i = 0; i < count; ++i) task(context, i);
  }
};

// The threads shared by the whole program; null (the default) for none.
inline Executor*& shared_threads() {
  static Executor* threads = nullptr;
  return threads;
}

// Number of parts into which a job of `multiplications` is worth splitting.
inline int lanes_for(double multiplications) {
  if constexpr (!kMayHaveThreads) return 1;
  // 0.2 ms of work, four times what waking the threads costs.
  constexpr double kWorthWaking = 1 << 21;
  Executor* threads = shared_threads();
  return threads && multiplications >= kWorthWaking ? std::min(threads->threads(), kMaxThreads) : 1;
}

// Runs task(context, lane, i) for every i in [0, count). Each lane processes a contiguous range in
// order (sequential reads prefetch well), then takes indices from the other lanes' ranges.
[[gnu::noinline]] inline void share_parts(int lanes, int count,
                                          void (*task)(void* context, int lane, int index),
                                          void* context) {
  // Aligned to a cache line, so that lanes do not share one.
  struct alignas(64) Part {
    std::atomic<int> next{0};
    int end = 0;
  } parts[kMaxThreads];
  for (int lane = 0, begin = 0; lane < lanes; ++lane) {
    parts[lane].next = begin;
    parts[lane].end = begin += (count - begin) / (lanes - lane);
  }
  shared_threads()->for_each(lanes, [&](int lane) {
    for (int step = 0; step < lanes; ++step) {
      Part& part = parts[(lane + step) % lanes];
      for (int i; (i = part.next.fetch_add(1)) < part.end;) task(context, lane, i);
    }
  });
}

// Calls body(lane, i) for every i in [0, count). Calls of one lane never overlap, so each lane may
// have its own memory.
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

// Calls body(first, count) for ranges of rows; for numbers that cost a few instructions each.
template <class Body>
void share_numbers(int rows, int columns, Body&& body) {
  constexpr int kWorthSharing =
      1 << 14;  // about ten microseconds of work; the workers are awake by then
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
