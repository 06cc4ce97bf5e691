#include "thread_pool.h"

#include <emscripten/em_js.h>

#include <atomic>

#include "executor.h"
#include "kernels/matmul.h"

// Functions of the linker and of Emscripten.
extern "C" void __wasm_init_tls(void* block);
extern "C" void _emscripten_stack_restore(void* top);

// A bit for each worker that has ended; 0 if JavaScript cannot tell while it waits.
EM_JS(int, wf_ended_workers, (), { return Module["endedWorkers"] ? Module["endedWorkers"]() : 0; })

namespace wf::binding {
namespace {

constexpr std::size_t kStackBytes = 256 << 10;  // as that of the first thread
// Number of polls before sleeping, of a worker for the next round and of the first thread for the
// last worker: longer than the time between two products of a token, and than a piece of a product.
// After that, a worker that was preempted can use the core of the first thread.
constexpr int kSpins = 200'000;
constexpr int kSpinsOfFirst = 20'000;
constexpr std::int64_t kForEver = -1;
// Nanoseconds between two checks of the workers.
constexpr std::int64_t kWakeInterval = 100'000'000;

// Returns false on timeout.
bool sleep_while(std::atomic<int>& word, int value, std::int64_t nanoseconds) {
  constexpr int kTimedOut = 2;
  return __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), value, nanoseconds) !=
         kTimedOut;
}

void wake(std::atomic<int>& word, int sleepers) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word),
                                      static_cast<unsigned>(sleepers));
}

// A round of work is open while the first thread takes part. When it closes, the first thread waits
// for workers that have entered; workers that are late find it closed and sleep again, so no thread
// waits for one that has not started.
class Pool final : public Executor {
 public:
  Status start(int workers, bool may_sleep) {
    may_sleep_ = may_sleep;
    WF_RETURN_IF_ERROR(reserve_matmul_lanes(workers + 1));
    for (; workers_ < workers; ++workers_)
      WF_RETURN_IF_ERROR(blocks_[workers_].reserve(tls_bytes() + kStackBytes));
    return {};
  }
  // Memory of one worker: the linker's thread-local storage, then the stack, which grows downwards.
  std::uintptr_t block(int worker) const {
    return reinterpret_cast<std::uintptr_t>(blocks_[worker].data());
  }
  std::uintptr_t stack_top(int worker) const { return block(worker) + tls_bytes() + kStackBytes; }

  int workers() const { return workers_; }
  int threads() const override { return is_busy_ ? 1 : workers_ + 1; }

  void run(int count, void (*task)(void*, int), void* context) override {
    if (count <= 1 || threads() == 1) {
      for (int i = 0; i < count; ++i) task(context, i);
      return;
    }
    is_busy_ = true;
    count_ = count;
    task_ = task;
    context_ = context;
    next_ = 0;
    state_ = kOpen;
    ++round_;
    if (sleepers_) wake(round_, count - 1);
    take_all();
    state_ &= ~kOpen;
    wait_for_workers();
    is_busy_ = false;
    if (has_failed_) __builtin_trap();
  }

  // The main loop of a worker, until JavaScript ends it.
  void serve(int worker) {
    for (int seen = 0;;) {
      for (int spins = 0; spins < kSpins && round_ == seen; ++spins) {
      }
      // Counted before the check, so that either the opener of a new round sees a sleeper, or the
      // worker sees the round.
      ++sleepers_;
      while (round_ == seen) sleep_while(round_, seen, kForEver);
      --sleepers_;
      seen = round_;
      join(1 << worker);
    }
  }

  // Called if a worker has trapped in its part.
  void fail(int worker) {
    has_failed_ = true;
    leave(1 << worker);
  }

 private:
  static constexpr int kOpen = 1 << 30;

  static std::size_t tls_bytes() { return (__builtin_wasm_tls_size() + 63) / 64 * 64; }

  void join(int bit) {
    int state = state_;
    do {
      if (!(state & kOpen)) return;
    } while (!state_.compare_exchange_weak(state, state | bit));
    take_all();
    leave(bit);
  }
  void leave(int bit) {
    if (state_.fetch_and(~bit) == bit && does_first_sleep_) wake(state_, 1);
  }
  // Waits until all workers that entered have left. A worker that had ended at the last check and
  // has still not left was ended in the middle of its part, and never will.
  void wait_for_workers() {
    int ended = 0;
    for (int spins = 0, inside; (inside = state_) != 0; ++spins) {
      if (spins <= kSpinsOfFirst || !may_sleep_) continue;
      does_first_sleep_ = true;
      if (sleep_while(state_, inside, kWakeInterval)) continue;
      if (ended & state_) {
        has_failed_ = true;
        return;
      }
      ended = wf_ended_workers();
    }
    does_first_sleep_ = false;
  }
  void take_all() {
    for (int i; (i = next_.fetch_add(1)) < count_;) task_(context_, i);
  }

  Buffer<std::uint8_t> blocks_[kMaxThreads - 1];
  int workers_ = 0;
  bool may_sleep_ = false;
  std::atomic<bool> is_busy_{false}, has_failed_{false}, does_first_sleep_{false};
  std::atomic<int> round_{0};  // workers sleep on it
  std::atomic<int> sleepers_{0};
  std::atomic<int> state_{
      0};  // kOpen, and a bit for each worker that is inside; the first thread sleeps on it
  std::atomic<int> next_{0};
  int count_ = 0;
  void (*task_)(void*, int) = nullptr;
  void* context_ = nullptr;
};

Pool pool;

// The function that gives a worker its stack, so it must not use one.
void begin(void* block, void* top) {
  __wasm_init_tls(block);
  _emscripten_stack_restore(top);
}
void serve(int worker) { pool.serve(worker); }
void fail(int worker) { pool.fail(worker); }

}  // namespace

Status start_threads(int workers, bool may_sleep) {
  if (workers < 0 || workers >= kMaxThreads)
    return WF_UNEXPECTED("threads", "%d", "1 to %d", workers + 1, kMaxThreads);
  return pool.start(workers, may_sleep);
}

ThreadFunctions thread_functions() {
  return {reinterpret_cast<std::uintptr_t>(&begin), reinterpret_cast<std::uintptr_t>(&serve),
          reinterpret_cast<std::uintptr_t>(&fail)};
}

ThreadMemory thread_memory(int worker) {
  if (worker < 0 || worker >= pool.workers()) return {};
  return {pool.block(worker), pool.stack_top(worker)};
}

void use_threads() { shared_threads() = &pool; }

}  // namespace wf::binding
