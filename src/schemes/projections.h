// The projections of a layer: those that schemes read, and how a model makes them.
#pragma once

namespace wf {

// Weights of the layer's projections; null outside a model.
struct LayerProjections {
  const float* query = nullptr;  // [H·D, E]
  const float* key = nullptr;    // [K·D, E]
  const float* query_bias = nullptr;  // [H·D], or null if the layer has none
  const float* key_bias = nullptr;    // [K·D]
  float* d_query = nullptr;      // null outside training
  float* d_key = nullptr;
  float* d_query_bias = nullptr;
  float* d_key_bias = nullptr;
};

// How a model makes the queries, keys and values of a layer. Latent: one vector [c | slice] for
// each token; the content of every key and every value are projections of c
// (model/latent_projection).
struct ProjectionPlan {
  int rank = 0;  // channels of c; 0: one matrix each for queries, keys and values
  int query_rank = 0;  // width of the vector from which queries are projected; 0: from the input
  int content = 0;  // channels of a head's query and key before the slice
  int slice = 0;  // the last channels of a key, shared by all heads
  int value_dim = 0;  // channels of a head's value; 0: D

  bool is_latent() const { return rank > 0; }
  int cached() const { return rank + slice; }  // channels of a token that a latent layer caches
};

}  // namespace wf
