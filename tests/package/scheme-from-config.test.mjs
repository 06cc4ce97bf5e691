// Schemes from config.json: families of Hugging Face, in the forms of version 4 and 5. Facts come
// from the public config classes; files are reduced to the relevant keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sizes, unturnedFamilies, wide } from "./config-families.mjs";
import { llama31, rotaryFamilies } from "./config-families-rotary.mjs";
import { near, refused, scattered, wf } from "./golden.mjs";

const families = { ...unturnedFamilies, ...rotaryFamilies };

/** Checks a scheme's id and the expected options. */
function matches(scheme, id, expected, name) {
  assert.equal(scheme.description.id, id, name);
  for (const [key, value] of Object.entries(expected)) {
    const [group, inner] = key.split(".");
    const found = inner ? scheme.options[group][inner] : scheme.options[key];
    assert.deepEqual(found, value, `${name}: ${key}`);
  }
}

for (const [name, [id, file, expected]] of Object.entries(families)) {
  test(name, () => {
    const scheme = wf.schemeFromConfig(file);
    matches(scheme, id, expected, name);
    scheme.dispose();
  });
}

test("at least fifteen families of Hugging Face are known", () => {
  const known = new Set(wf.schemes.flatMap(({ selects }) => selects.split(" ")));
  known.delete("");
  assert.ok(known.size >= 40, [...known].join(" "));
  assert.ok(new Set(Object.values(families).map(([, { model_type }]) => model_type)).size >= 25);
});

const layered = {
  "Gemma 3, version 5: two bases": [
    {
      model_type: "gemma3_text",
      ...wide,
      layer_types: ["sliding_attention", "sliding_attention", "full_attention"],
      num_hidden_layers: 3,
      sliding_window: 512,
      rope_parameters: {
        sliding_attention: { rope_type: "default", rope_theta: 10000 },
        full_attention: { rope_type: "linear", factor: 8, rope_theta: 1e6 },
      },
    },
    [
      ["rope", { ropeTheta: 10000, "ropeScaling.ropeType": "default" }],
      ["rope", { ropeTheta: 10000 }],
      ["rope", { ropeTheta: 1e6, "ropeScaling.factor": 8 }],
    ],
  ],
  "Gemma 3, version 4, inside a model that also sees": [
    {
      model_type: "gemma3",
      vision_config: {},
      text_config: {
        model_type: "gemma3_text",
        ...wide,
        num_hidden_layers: 4,
        sliding_window: 512,
        sliding_window_pattern: 3,
        rope_theta: 1e6,
        rope_local_base_freq: 10000,
        rope_scaling: { factor: 8, rope_type: "linear" },
      },
    },
    [
      ["rope", { ropeTheta: 10000, "ropeScaling.ropeType": "default" }],
      ["rope", { ropeTheta: 10000 }],
      ["rope", { ropeTheta: 1e6, "ropeScaling.factor": 8 }],
      ["rope", { ropeTheta: 10000 }],
    ],
  ],
  "ModernBERT, version 4: its own names for two bases": [
    {
      model_type: "modernbert",
      ...sizes,
      num_hidden_layers: 4,
      global_attn_every_n_layers: 3,
      global_rope_theta: 160000,
      local_rope_theta: 10000,
      local_attention: 128,
    },
    [
      ["rope", { ropeTheta: 160000 }],
      ["rope", { ropeTheta: 10000 }],
      ["rope", { ropeTheta: 10000 }],
      ["rope", { ropeTheta: 160000 }],
    ],
  ],
  "Cohere 2: windows turn, full layers have no positions": [
    {
      model_type: "cohere2",
      ...wide,
      num_hidden_layers: 4,
      sliding_window: 4096,
      sliding_window_pattern: 4,
      rope_theta: 50000,
    },
    [
      ["rope", { interleaved: true, ropeTheta: 50000 }],
      ["rope", {}],
      ["rope", {}],
      ["nope", {}],
    ],
  ],
  "SmolLM3: every fourth layer does not turn": [
    {
      model_type: "smollm3",
      ...wide,
      num_hidden_layers: 4,
      no_rope_layers: [1, 1, 1, 0],
      rope_theta: 5e6,
    },
    [
      ["rope", { ropeTheta: 5e6 }],
      ["rope", {}],
      ["rope", {}],
      ["nope", {}],
    ],
  ],
  "Llama 4: neighbours, chunks, and a temperature where nothing turns": [
    {
      model_type: "llama4_text",
      ...wide,
      num_hidden_layers: 4,
      no_rope_layers: [1, 1, 1, 0],
      attention_chunk_size: 8192,
      attn_temperature_tuning: true,
      attn_scale: 0.1,
      floor_scale: 8192,
      rope_theta: 500000,
    },
    [
      ["rope", { interleaved: true }],
      ["rope", {}],
      ["rope", {}],
      ["nope", { temperatureScale: 0.1, temperatureFloor: 8192 }],
    ],
  ],
};

for (const [name, [file, expected]] of Object.entries(layered)) {
  test(name, () => {
    refused(() => wf.schemeFromConfig(file), "invalid_argument", /layer: undefined \(expected/);
    expected.forEach(([id, options], layer) => {
      const scheme = wf.schemeFromConfig(file, { layer });
      matches(scheme, id, options, `${name}, layer ${layer}`);
      scheme.dispose();
    });
    refused(
      () => wf.schemeFromConfig(file, { layer: expected.length }),
      "invalid_argument",
      /layer/,
    );
  });
}

test("an unknown family is refused by its name, with a list of the known ones", () => {
  const unknown = (file, message) =>
    refused(() => wf.schemeFromConfig(file), "unsupported", message);
  unknown(
    { model_type: "compass", ...wide, rope_theta: 1e4 },
    /config\.model_type: "compass" \(expected one of .*llama/,
  );
  unknown(
    { model_type: "bert", ...sizes, position_embedding_type: "spiral" },
    /config of bert.*position_embedding_type/,
  );
  unknown(
    { model_type: "llama", ...wide, rope_scaling: { rope_type: "yarn", factor: 2, twist: 1 } },
    /config\.rope_scaling\.twist/,
  );
  unknown(
    {
      model_type: "deberta",
      ...sizes,
      relative_attention: true,
      max_relative_positions: -1,
      position_biased_input: true,
      pos_att_type: "c2p",
    },
    /config of deberta/,
  );
  unknown({ ...sizes }, /config/);
  refused(
    () =>
      wf.schemeFromConfig({ model_type: "llama", ...wide, rope_scaling: { rope_type: "spiral" } }),
    "invalid_argument",
    /ropeScaling\.ropeType: "spiral"/,
  );
  refused(
    () =>
      wf.schemeFromConfig({ model_type: "llama", ...wide, rope_scaling: { rope_type: "linear" } }),
    "invalid_argument",
    /rope_scaling\.factor/,
  );
  refused(
    () => wf.schemeFromConfig({ model_type: "llama", ...wide, rope_scaling: 4 }),
    "invalid_argument",
    /rope_scaling/,
  );
});

test("BLOOM's slopes and Falcon-RW's division follow from their configs", () => {
  const bloom = wf.schemeFromConfig({
    model_type: "bloom",
    hidden_size: 64,
    n_head: 4,
    n_layer: 2,
  });
  near(bloom.bias([1], [0, 1]).data.slice(0, 1), [-0.25], 1e-7);
  const falcon = wf.schemeFromConfig({ model_type: "falcon", ...sizes, alibi: true });
  near(falcon.bias([1], [0, 1]).data.slice(0, 1), [-0.25 / 4], 1e-7);
});

test("a scheme from a config rotates by that config", () => {
  const file = { model_type: "llama", ...wide, rope_theta: 500000, rope_scaling: llama31 };
  const scheme = wf.schemeFromConfig(file);
  const { inverseFrequencies } = scheme.frequencies();
  assert.equal(inverseFrequencies.length, 8);
  near([inverseFrequencies[7]], [500000 ** (-14 / 16) / 8], 1e-11);
  assert.equal(scheme.rotate(scattered([4, 2, 16])).shape[2], 16);
});
