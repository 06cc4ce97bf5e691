#include "bindings/attention_trial.h"

namespace wf {

using namespace testing;

TEST_CASE("A cache has room for what memory can hold, and is used by its own attention alone") {
  AttentionTrial one;
  const auto make = [&](int capacity) { return one.attention->make_cache(capacity).status(); };
  for (const int wrong : {0, -1, INT32_MIN}) CHECK(make(wrong).code() == Code::kInvalidArgument);
  // 2 heads · 2^28 tokens · 8 channels are 2^32 floats.
  for (const int much : {1 << 28, 1 << 30, INT32_MAX})
    CHECK(make(much).code() == Code::kOutOfMemory);

  auto made = one.attention->make_cache(2 * kTokens);
  REQUIRE(made.ok());
  AttentionCache& cache = *made.value();
  AttentionTrial other;
  CHECK(is_refused(
      other.attention->decode(other.arguments.workspace, cache, other.request, other.out),
      "invalid_argument: cache: made by another attention (expected a cache of this attention)"));
  const auto decode = [&](const AttentionRequest& request, List out) {
    return one.attention->decode(one.arguments.workspace, cache, request, out);
  };
  for (List AttentionRequest::* field :
       {&AttentionRequest::q, &AttentionRequest::k, &AttentionRequest::v,
        &AttentionRequest::query_positions, &AttentionRequest::key_positions})
    refuses_wrong_lists(one.arguments, one.request.*field, [&](List list) {
      AttentionRequest wrong = one.request;
      wrong.*field = list;
      return decode(wrong, one.out);
    });
  refuses_wrong_lists(one.arguments, one.out, [&](List list) { return decode(one.request, list); });
  for (const int wrong : testing::kWrongSizes) {
    AttentionRequest request = one.request;
    request.queries = wrong;
    CHECK(!decode(request, one.out).ok());
    request.keys = wrong;
    CHECK(!decode(request, one.out).ok());
  }
  CHECK(cache.length() == 0);
  REQUIRE(decode(one.request, one.out).ok());
  REQUIRE(decode(one.request, one.out).ok());
  CHECK(cache.length() == 2 * kTokens);
  CHECK(is_refused(decode(one.request, one.out), "invalid_argument: cache: 5 more tokens …"));
  for (const int wrong : {-1, 2 * kTokens + 1, INT32_MIN, INT32_MAX})
    CHECK(is_refused(cache.truncate(wrong), "invalid_argument: length: …"));
  auto copied = cache.clone();
  REQUIRE(copied.ok());
  CHECK(copied.value()->length() == 2 * kTokens);
  CHECK(cache.truncate(0).ok());
  CHECK(decode(one.request, one.out).ok());
  CHECK(one.attention->decode(one.arguments.workspace, *copied.value(), one.request, one.out)
            .code() == Code::kInvalidArgument);
}

TEST_CASE("A cache of a short text takes positions of any axes, and none that are too far") {
  for (const char* id : {"rope", "mrope", "alibi", "t5", "xpos", "cope", "fire", "shaw"}) {
    CAPTURE(id);
    AttentionTrial one;
    REQUIRE(one.attention->add_scheme(*scheme_of(id)).ok());
    auto made = one.attention->make_cache(4 * kTokens);
    REQUIRE(made.ok());
    constexpr std::int32_t kFar = (1 << 30) - 1;
    for (int axes = 1; axes <= 3; ++axes)
      for (const std::int32_t first : {0, kFar - 16, -kFar}) {
        std::vector<std::int32_t> places(kTokens * axes);
        for (std::size_t i = 0; i < places.size(); ++i) places[i] = first + static_cast<int>(i);
        AttentionRequest request = one.request;
        request.query_positions = request.key_positions = one.arguments.integers(places);
        const int before = made.value()->length();
        const Status status =
            one.attention->decode(one.arguments.workspace, *made.value(), request, one.out);
        CHECK(made.value()->length() == before + (status.ok() ? kTokens : 0));
      }
  }
}

}  // namespace wf
