// An attention with a valid request, which tests change into invalid ones.
#pragma once

#include "bindings/call_arguments.h"
#include "calls/attention.h"

namespace wf::testing {

using calls::Attention;
using calls::AttentionCache;
using calls::AttentionRequest;
using calls::ConfiguredScheme;
using calls::List;
using calls::RecordRequest;

constexpr int kHeads = 4, kKvHeads = 2, kChannels = 8, kTokens = 5;

inline AttentionConfig settings_of(int value_dim = 0) {
  return {.num_heads = kHeads,
          .num_kv_heads = kKvHeads,
          .head_dim = kChannels,
          .value_dim = value_dim,
          .is_causal = true};
}

inline std::unique_ptr<ConfiguredScheme> scheme_of(const char* id) {
  auto made = ConfiguredScheme::make(*chosen_scheme(id), {kHeads, kKvHeads, kChannels, 0});
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

struct AttentionTrial {
  explicit AttentionTrial(const AttentionConfig& settings = settings_of()) {
    auto made = Attention::make(arguments.workspace, settings, {});
    REQUIRE_MESSAGE(made.ok(), made.status().message());
    attention = made.take();
    const int values = settings.value_dim ? settings.value_dim : settings.head_dim;
    request.queries = request.keys = kTokens;
    request.q = arguments.some_floats(kHeads * kTokens * kChannels);
    request.k = arguments.some_floats(kKvHeads * kTokens * kChannels);
    request.v = arguments.some_floats(kKvHeads * kTokens * values);
    request.query_positions = request.key_positions = arguments.places(kTokens);
    out = arguments.room(kHeads * kTokens * values);
  }

  Status run(const RecordRequest& record = {}) {
    return attention->run(arguments.workspace, request, record, out);
  }
  Status run_with(const AttentionRequest& other) {
    return attention->run(arguments.workspace, other, {}, out);
  }
  // Runs with one field of the request changed.
  template <class T>
  Status run_with(T AttentionRequest::* field, T value) {
    AttentionRequest changed = request;
    changed.*field = value;
    return run_with(changed);
  }
  void refuses_wrong(List AttentionRequest::* field, std::size_t element_size = sizeof(float)) {
    refuses_wrong_lists(
        arguments, request.*field, [&](List list) { return run_with(field, list); }, element_size);
  }

  CallArguments arguments;
  std::unique_ptr<Attention> attention;
  AttentionRequest request;
  List out;
};

}  // namespace wf::testing
