#include "trainer/threads.h"

namespace trainer {

Threads::Threads(int count) {
  for (int i = 1; i < count; ++i) workers_.emplace_back([this] { serve(); });
}

Threads::~Threads() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  wakes_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void Threads::run(int count, void (*task)(void*, int), void* context) {
  std::unique_lock lock(mutex_);
  task_ = task;
  context_ = context;
  count_ = count;
  next_ = 0;
  busy_ = static_cast<int>(workers_.size());
  ++round_;
  wakes_.notify_all();
  lock.unlock();
  take_all();
  lock.lock();
  done_.wait(lock, [this] { return busy_ == 0; });
}

void Threads::take_all() {
  for (int index; (index = next_.fetch_add(1)) < count_;) task_(context_, index);
}

void Threads::serve() {
  std::unique_lock lock(mutex_);
  for (int seen = 0;;) {
    wakes_.wait(lock, [&] { return stops_ || round_ != seen; });
    if (stops_) return;
    seen = round_;
    lock.unlock();
    take_all();
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace trainer
