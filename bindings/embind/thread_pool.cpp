#include "thread_pool.h"

#include <emscripten/em_js.h>

#include <atomic>

#include "executor.h"
#include "kernels/matmul.h"

// The linker's, and Emscripten's.
extern "C" void __wasm_init_tls(void* block);
extern "C" void _emscripten_stack_restore(void* top);

// A bit for each worker that has ended; none where JavaScript cannot tell while it waits.
EM_JS(int, wf_ended_workers, (), { return Module["endedWorkers"] ? Module["endedWorkers"]() : 0; })

namespace wf::binding {
namespace {

constexpr std::size_t kStackBytes = 256 << 10;  // as the first thread's
// How long a worker looks for the next round, and the first thread for the last worker: longer
// than what lies between the products of a token, and than a piece of one; who was not given a core
// meanwhile gets that of the first thread, which sleeps.
constexpr int kSpins = 200'000;
constexpr int kSpinsOfFirst = 20'000;
constexpr std::int64_t kForEver = -1;
constexpr std::int64_t kWakeInterval = 100'000'000;  // nanoseconds between two looks at the workers

// False when the time is over.
bool sleep_while(std::atomic<int>& word, int value, std::int64_t nanoseconds) {
  constexpr int kTimedOut = 2;
  return __builtin_wasm_memory_atomic_wait32(reinterpret_cast<int*>(&word), value, nanoseconds) !=
         kTimedOut;
}

void wake(std::atomic<int>& word, int sleepers) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word),
                                      static_cast<unsigned>(sleepers));
}

// A round of work is open while the first thread takes part. Who is inside when it closes is waited
// for; who is late finds it closed and sleeps on, so that nobody waits for a thread that has not
// begun.
class Pool final : public Executor {
 public:
  Status start(int workers, bool may_sleep) {
    may_sleep_ = may_sleep;
    WF_RETURN_IF_ERROR(reserve_matmul_lanes(workers + 1));
    for (; workers_ < workers; ++workers_)
      WF_RETURN_IF_ERROR(blocks_[workers_].reserve(tls_bytes() + kStackBytes));
    return {};
  }
  // Memory of its own of a worker: what the linker puts there, then the stack, which grows
  // downwards.
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

  // The life of a worker, until JavaScript ends it.
  void serve(int worker) {
    for (int seen = 0;;) {
      for (int spins = 0; spins < kSpins && round_ == seen; ++spins) {
      }
      // Counted first, so that a round that is opened meanwhile sees a sleeper, or is seen here.
      ++sleepers_;
      while (round_ == seen) sleep_while(round_, seen, kForEver);
      --sleepers_;
      seen = round_;
      join(1 << worker);
    }
  }

  // A worker has trapped in its part.
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
  // Until all that are inside have left. One that had ended at the last look already, and is still
  // inside, never will: it was ended in the middle of its part.
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

// The first gives a worker its stack, so it must do without one.
void begin(void* block, void* top) {
  __wasm_init_tls(block);
  _emscripten_stack_restore(top);
}
void serve(int worker) { pool.serve(worker); }
void fail(int worker) { pool.fail(worker); }

}  // namespace

Status start_threads(int workers, bool may_sleep) {
  if (workers < 0 || workers >= kMaxThreads)
    return Status::error(Code::kInvalidArgument, "threads: %d; allowed is 1 to %d", workers + 1,
                         kMaxThreads);
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
