// Compares configs of well-known checkpoints, with all their keys and small weights, with
// Transformers (tests/golden/make_checkpoints.py).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { familyFile, names } from "./families.mjs";
import { rejected, wf } from "./golden.mjs";
import { changedWeights, distanceOf, someOf } from "./made-weights.mjs";
import { safetensors } from "./safetensors.mjs";

const read = (name) =>
  JSON.parse(readFileSync(new URL(`../golden/checkpoints/${name}.json`, import.meta.url), "utf8"));
const { configs } = read("configs");
const { results, ids, decoderIds } = read("small");

/**
 * No checkpoint without experts exists; text parts are in other configs (text-part.test.mjs); the
 * config.json of a published Ministral 3 is not known here.
 */
const unknown = [
  "deepseek_v2",
  "deepseek_v3",
  "ministral3",
  "qwen2_vl_text",
  "qwen2_5_vl_text",
  "qwen3_vl_text",
];

test("every family has a well-known checkpoint here, and each has a result", () => {
  const families = new Set(Object.values(configs).map((config) => config.model_type));
  const all = new Set(names.map((name) => familyFile(name).config.model_type));
  assert.deepEqual([...families, ...unknown].sort(), [...all].sort());
  assert.deepEqual(Object.keys(results).sort(), Object.keys(configs).sort());
});

const isOfTwo = ({ model_type: type }) => ["t5", "mt5", "bart", "marian"].includes(type);

for (const [name, config] of Object.entries(configs)) {
  test(`${name}: opens by its config.json, and equals Transformers`, async () => {
    const { changes, tensors, row } = results[name];
    const model = await wf.model({
      config: { ...config, ...changes },
      weights: safetensors(changedWeights({}, tensors)),
    });
    const record = model.config.architecture?.head === "none" ? "hidden" : "vocabularyLogits";
    const texts = isOfTwo(config) ? { decoderTokens: decoderIds } : {};
    const { data, shape } = model.run(ids, { record: [record], ...texts })[record];
    model.dispose();
    const distance = distanceOf(someOf(data, shape[1], row.length), row);
    assert.ok(distance < 1e-4, `deviation of ${distance}`);
  });
}

test("a key that would change the result is refused unless its value is neutral", async () => {
  const bad = async (name, key, value) => {
    const { changes, tensors } = results[name];
    const weights = safetensors(changedWeights({}, tensors));
    const changed = wf.model({ config: { ...configs[name], ...changes, [key]: value }, weights });
    await rejected(changed, "unsupported", new RegExp(`^config\\.${key}: `));
  };
  await bad("tiiuae/falcon-7b", "apply_residual_connection_post_layernorm", true);
  await bad("stabilityai/stablelm-2-zephyr-1_6b", "rotary_scaling_factor", 2);
  await bad("CohereLabs/c4ai-command-r7b-12-2024", "rotary_pct", 0.5);
  await bad("CohereLabs/c4ai-command-r7b-12-2024", "use_qk_norm", true);
  await bad("CohereLabs/c4ai-command-r7b-12-2024", "use_gated_activation", false);
  await bad("CohereLabs/c4ai-command-r7b-12-2024", "order_of_interleaved_layers", "global_first");
  await bad("openai-community/gpt2", "pruned_heads", { 1: [0] });
  await bad("microsoft/Phi-4-mini-instruct", "lm_head_bias", true);
});
