#include "core/model/model_checks.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/model/tiny_model.h"
#include "model/checkpoint.h"
#include "model/decoder.h"

namespace wf::testing {

TransformerActivations activations_for(const Transformer& model, int batch, int length,
                                       Purpose purpose) {
  auto made = TransformerActivations::make(model.config(), batch, length, purpose);
  REQUIRE_MESSAGE(made.ok(), made.status().message());
  return made.take();
}

namespace {

double loss_of(const Transformer& model, const TokenBatch& batch,
               const std::vector<std::int32_t>& targets, TransformerActivations& activations) {
  auto loss = model.loss(batch, targets.data(), activations);
  REQUIRE_MESSAGE(loss.ok(), loss.status().message());
  return loss.value().nats;
}

}  // namespace

void check_gradients(Transformer& model, const TokenBatch& batch,
                     const std::vector<std::int32_t>& targets, double step) {
  auto activations = activations_for(model, batch.batch, batch.length);
  auto gradients = model.make_gradients();
  REQUIRE(gradients.ok());
  REQUIRE(model.loss_and_gradient(batch, targets.data(), 1, activations, gradients.value()).ok());
  for (int i = 0; i < model.parameters().count(); ++i) {
    const TensorInfo& info = model.parameters().tensor(i);
    CAPTURE(info.name);
    float* values = model.values() + info.offset;
    const float* gradient = gradients.value().values() + info.offset;
    const std::vector<float> kept(values, values + info.size());
    double length = 0;
    for (std::size_t j = 0; j < info.size(); ++j)
      length += static_cast<double>(gradient[j]) * static_cast<double>(gradient[j]);
    length = std::sqrt(length);
    // A choice of experts has no slope.
    if (std::strstr(info.name, "router_preference")) {
      CHECK(length == 0);
      continue;
    }
    REQUIRE(length > 1e-3);
    double losses[2];
    for (const int side : {0, 1}) {
      const double distance = (side ? step : -step) / length;
      for (std::size_t j = 0; j < info.size(); ++j)
        values[j] = static_cast<float>(kept[j] + distance * static_cast<double>(gradient[j]));
      losses[side] = loss_of(model, batch, targets, activations);
    }
    std::copy(kept.begin(), kept.end(), values);
    const double slope = (losses[1] - losses[0]) / (2 * step);
    CHECK(slope == doctest::Approx(length).epsilon(0.01));
  }
}

void check_saving(const ModelConfig& config) {
  const Transformer model = rough_model(config, 1);
  Transformer other = rough_model(config, 2);
  auto bytes = save_model(model, Dtype::kF32);
  REQUIRE_MESSAGE(bytes.ok(), bytes.status().message());
  REQUIRE(load_model({bytes.value().data(), bytes.value().size()}, other).ok());
  CHECK(std::memcmp(model.values(), other.values(), model.parameters().total() * sizeof(float)) ==
        0);
}

std::vector<float> full_logits(const Transformer& model, const std::vector<std::int32_t>& ids) {
  auto activations = activations_for(model, 1, static_cast<int>(ids.size()), Purpose::kInference);
  std::vector<float> logits(ids.size() * static_cast<std::size_t>(model.config().vocab_size));
  TokenBatch batch;
  batch.ids = ids.data();
  batch.length = static_cast<int>(ids.size());
  const Status status = model.forward_logits(batch, activations, logits.data());
  REQUIRE_MESSAGE(status.ok(), status.message());
  return logits;
}

void check_decoding(const Transformer& model, const std::vector<std::int32_t>& ids, int chunk,
                    float tolerance) {
  CAPTURE(chunk);
  const std::size_t vocabulary = static_cast<std::size_t>(model.config().vocab_size);
  const std::vector<float> expected = full_logits(model, ids);
  auto decoder = Decoder::make(model, static_cast<int>(ids.size()));
  REQUIRE_MESSAGE(decoder.ok(), decoder.status().message());
  std::vector<float> logits(vocabulary);
  for (std::size_t done = 0; done < ids.size();) {
    const std::size_t count = std::min(static_cast<std::size_t>(chunk), ids.size() - done);
    const Status status = decoder.value().feed({ids.data() + done, count}, logits.data());
    REQUIRE_MESSAGE(status.ok(), status.message());
    done += count;
    for (std::size_t v = 0; v < vocabulary; ++v)
      CHECK(std::fabs(logits[v] - expected[(done - 1) * vocabulary + v]) < tolerance);
  }
}

}  // namespace wf::testing
