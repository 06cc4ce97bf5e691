// A workspace as JavaScript uses one: lists are laid one after the other in its block.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "calls/scheme.h"
#include "calls/workspace.h"

namespace wf::testing {

class Block {
 public:
  explicit Block(int bytes = 1 << 16) { REQUIRE(workspace.reserve(bytes).ok()); }

  template <class T>
  calls::List put(const std::vector<T>& numbers) {
    const calls::List list = room(static_cast<int>(numbers.size()), sizeof(T));
    if (!numbers.empty())
      std::memcpy(reinterpret_cast<void*>(list.address), numbers.data(),
                  numbers.size() * sizeof(T));
    return list;
  }
  calls::List floats(int count, float value = 0.5f) {
    return put(std::vector<float>(static_cast<std::size_t>(count), value));
  }
  calls::List room(int count, std::size_t element_size = sizeof(float)) {
    const calls::List list = {workspace.address() + used_, count};
    used_ += (static_cast<std::size_t>(count) * element_size + 63) / 64 * 64;
    REQUIRE(used_ <= workspace.size());
    return list;
  }
  void clear() { used_ = 0; }

  calls::Workspace workspace;

 private:
  std::size_t used_ = 0;
};

inline float at(calls::List list, int index) {
  return reinterpret_cast<const float*>(list.address)[index];
}

inline void check_refused(const Status& status, const char* what,
                          Code code = Code::kInvalidArgument) {
  INFO(std::string(status.message()));
  CHECK(status.code() == code);
  CHECK(std::string(status.message()).find(what) != std::string::npos);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kMostInt = std::numeric_limits<int>::max();
constexpr int kLeastInt = std::numeric_limits<int>::min();

// Lists that must never be read: for a block, of elements of 4 bytes.
inline std::vector<calls::List> hostile_lists(const calls::Workspace& workspace) {
  const std::uintptr_t first = workspace.address(), size = workspace.size();
  return {{0, 4},
          {first - 4, 4},
          {first + size, 1},
          {first + size - 12, 4},
          {first + 1, 4},
          {first + 2, 4},
          {first, -1},
          {first, kLeastInt},
          {first, kMostInt},
          {~std::uintptr_t{0}, 4},
          {~std::uintptr_t{3}, kMostInt},
          {first + 64, static_cast<int>(size / 4)}};
}

// A scheme by its id, with default options.
inline std::unique_ptr<calls::ConfiguredScheme> scheme_of(const char* id,
                                                          const calls::SchemeSizes& sizes) {
  const auto entries = scheme_entries();
  for (int i = 0; i < static_cast<int>(entries.size()); ++i) {
    if (std::strcmp(entries[i]->description->id, id)) continue;
    auto chosen = calls::ChosenScheme::make(i);
    REQUIRE(chosen.ok());
    auto made = calls::ConfiguredScheme::make(*chosen.value(), sizes);
    REQUIRE_MESSAGE(made.ok(), made.status().message());
    return made.take();
  }
  FAIL("no such scheme");
  return nullptr;
}

}  // namespace wf::testing
