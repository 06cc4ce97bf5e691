// Who runs the parts of a step. The library has no threads of its own: a program that has some
// hands them in.
#pragma once

namespace wf {

class Executor {
 public:
  virtual ~Executor() = default;

  // Runs task(context, i) for every i in [0, count), in any order and place, and returns when all
  // are done.
  virtual void run(int count, void (*task)(void* context, int index), void* context) = 0;

  // The same for anything that can be called with an index.
  template <class Body>
  void for_each(int count, Body&& body) {
    run(
        count, [](void* context, int index) { (*static_cast<Body*>(context))(index); }, &body);
  }
};

// One after another, on the calling thread.
class SerialExecutor final : public Executor {
 public:
  void run(int count, void (*task)(void* context, int index), void* context) override {
    for (int i = 0; i < count; ++i) task(context, i);
  }
};

}  // namespace wf
