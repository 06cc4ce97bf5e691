// A configured scheme as JavaScript holds it.
#pragma once

#include "attention/position_table.h"
#include "call.h"
#include "schemes/registry.h"

namespace wf::binding {

// A scheme and the options that were given: its index in the registry, their number, and for each
// its index and a list of its numbers; a choice is the index of its word. Errors: as set_option.
Status read_choice(Arguments& arguments, const SchemeEntry*& entry, OptionValues& options);
// All options in order: a list of numbers each.
void add_options(const SchemeDescription& description, const OptionValues& options, Answer& answer);

// What a scheme trains, as it stands alone: one layer's.
struct SchemeParameters {
  Buffer<float> numbers;
  float* pointers[kMostSchemeParameters] = {};

  // What the first layer of a model of this seed begins with.
  Status begin(const SchemeInstance& instance, std::uint64_t seed);
};

class SchemeHandle : public Object {
 public:
  // Gives it what it trains, unless it has that. Errors: kOutOfMemory.
  Status need_parameters();
  // Refuses what the scheme has no hook for.
  Status need(bool has, const char* what) const;

  const SchemeInstance& instance() const { return scheme; }
  const SchemeDescription& description() const { return *scheme.entry->description; }
  const float* const* values() const { return parameters.pointers; }

  SchemeInstance scheme;
  SchemeShape shape;
  SchemeParameters parameters;
  std::uint64_t seed = 0;  // of the parameters that it begins with
  PositionTable rotation;  // of the last `rotate`
};

}  // namespace wf::binding
