#include "schemes/special_hooks.h"

#include <atomic>

namespace wf {

SpecialHooks::SpecialHooks() {
  static std::atomic<std::uint64_t> made{0};
  serial_ = ++made;
}

}  // namespace wf
