// A thread pool. The assignment of indices to threads varies between runs, but results do not
// depend on it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "training/trainer.h"

namespace trainer {

class Threads final : public wf::Executor {
 public:
  explicit Threads(int count);
  ~Threads() override;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void run(int count, void (*task)(void*, int), void* context) override;

 private:
  void take_all();
  void serve();

  std::mutex mutex_;
  std::condition_variable wakes_, done_;
  std::vector<std::thread> workers_;
  void (*task_)(void*, int) = nullptr;
  void* context_ = nullptr;
  int count_ = 0, busy_ = 0, round_ = 0;
  bool stops_ = false;
  std::atomic<int> next_{0};
};

}  // namespace trainer
