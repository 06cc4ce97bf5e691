#include "bindings/call_arguments.h"

#include <cstring>

#include "schemes/registry.h"
#include "tensor/random.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace wf::testing {

using calls::ChosenScheme;
using calls::List;

namespace {

constexpr std::uintptr_t kUnit = 64;

std::uintptr_t rounded(std::uintptr_t place) { return (place + kUnit - 1) / kUnit * kUnit; }

}  // namespace

CallArguments::CallArguments(double bytes) {
  REQUIRE(workspace.reserve(bytes).ok());
  ASAN_POISON_MEMORY_REGION(reinterpret_cast<void*>(workspace.address()), workspace.size());
  next_ = workspace.address();
}

List CallArguments::put(const void* data, std::size_t count, std::size_t element_size) {
  const List list = {next_, static_cast<int>(count)};
  const std::size_t bytes = count * element_size;
  REQUIRE(next_ + bytes <= workspace.address() + workspace.size());
  next_ = rounded(next_ + bytes) + kUnit;
  ASAN_UNPOISON_MEMORY_REGION(reinterpret_cast<void*>(list.address), bytes);
  if (bytes) std::memcpy(reinterpret_cast<void*>(list.address), data, bytes);
  return list;
}

List CallArguments::some_floats(int count) {
  Random random(7);
  std::vector<float> list(count);
  for (float& number : list) number = 2 * random.uniform() - 1;
  return put(list);
}

List CallArguments::places(int count) {
  std::vector<std::int32_t> list(count);
  for (int i = 0; i < count; ++i) list[i] = i;
  return put(list);
}

List CallArguments::room(int count) { return put(std::vector<float>(count, -77.0f)); }

std::vector<List> CallArguments::wrong(List right, std::size_t element_size,
                                       Lengths lengths) const {
  const std::uintptr_t first = workspace.address(), end = first + workspace.size();
  const std::uintptr_t bytes = right.length * element_size;
  std::vector<List> list;
  for (const int length : {-right.length, -1, INT32_MIN, INT32_MAX, right.length + (1 << 30)})
    list.push_back({right.address, length});
  if (lengths == Lengths::kFixed) {
    if (right.length > 1) list.push_back({right.address, right.length - 1});
    list.push_back({right.address, right.length + 1});
  }
  for (const std::uintptr_t address :
       {std::uintptr_t{0}, std::uintptr_t{element_size}, first - element_size,
        end - bytes + element_size, end, end + element_size, ~std::uintptr_t{0} - bytes + 1,
        ~std::uintptr_t{0} / element_size * element_size})
    list.push_back({address, right.length});
  for (std::size_t shift = 1; shift < element_size; ++shift)
    list.push_back({right.address + shift, right.length});
  return list;
}

std::string said(const Status& status) {
  return std::string(word_of(status.code())) + ": " + status.message();
}

bool is_refused(const Status& status, const std::string& expected) {
  const std::string ellipsis = "…", found = said(status);
  const bool is_beginning = expected.ends_with(ellipsis);
  const std::string beginning =
      is_beginning ? expected.substr(0, expected.size() - ellipsis.size()) : expected;
  const bool fits = is_beginning ? found.starts_with(beginning) : found == expected;
  if (!fits) MESSAGE(found);
  return fits && !status.ok();
}

int scheme_index(const char* id) {
  const auto entries = all_scheme_entries();
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (std::strcmp(entries[i]->description->id, id) == 0) return static_cast<int>(i);
  FAIL("no scheme " << id);
  return -1;
}

int option_index(const char* id, const char* key) {
  const auto options = all_scheme_entries()[scheme_index(id)]->description->options;
  for (std::size_t i = 0; i < options.size(); ++i)
    if (std::strcmp(options[i].key, key) == 0) return static_cast<int>(i);
  FAIL("no option " << key);
  return -1;
}

std::unique_ptr<ChosenScheme> chosen_scheme(const char* id,
                                            const std::vector<OptionNumbers>& options) {
  auto chosen = ChosenScheme::make(scheme_index(id));
  REQUIRE(chosen.ok());
  CallArguments arguments;
  for (const auto& [key, numbers] : options) {
    const Status status = chosen.value()->set_option(arguments.workspace, option_index(id, key),
                                                     arguments.doubles(numbers));
    REQUIRE_MESSAGE(status.ok(), status.message());
  }
  return chosen.take();
}

}  // namespace wf::testing
