// GGUF files that are refused: each message says what the file is, by which key or tensor.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bothForms, ggufBytes } from "./gguf-bytes.mjs";
import { f32, fromFile, opened, text, u32, withKeys, yarnKeys } from "./gguf-forms.mjs";
import { rejected, wf } from "./golden.mjs";

test("keys that contradict each other are refused by name", async () => {
  const refusals = [
    ["llama", { "rope.scaling.attn_factor": f32(1.5) }, /attn_factor: 1\.5 .*yarn/],
    ["llama", yarnKeys({ "rope.scaling.yarn_attn_factor": f32(2) }), /yarn_attn_factor: 2/],
    ["llama", yarnKeys({ "rope.scaling.yarn_ext_factor": f32(0) }), /yarn_ext_factor: 0/],
    ["llama", { "rope.scaling.type": text("longrope") }, /scaling\.type: "longrope"/],
    [
      "gemma2",
      { "rope.scaling.type": text("none"), "rope.scaling.factor": f32(4) },
      /gemma2\.rope\.scaling\.factor: 4/,
    ],
    ["llama", { "attention.value_length": u32(5) }, /value_length: 5 \(expected 6/],
    // llama.cpp's default is the width divided by the heads, 5.
    ["llama", { "attention.value_length": undefined }, /value_length \(omitted\): 5/],
    ["llama", { "rope.dimension_count": u32(4) }, /dimension_count: 4 \(expected 6/],
    ["llama", { "attention.scale": f32(0.5) }, /attention\.scale: 0\.5/],
    ["llama", { "attention.sliding_window": u32(36) }, /window: 36 \(expected 0 or a .* 37/],
  ];
  for (const [arch, keys, message] of refusals)
    await rejected(opened(withKeys(bothForms(arch), arch, keys)), "unsupported", message);
  for (const count of [3, 8])
    await rejected(
      opened(withKeys(bothForms("gemma"), "gemma", { "rope.dimension_count": u32(count) })),
      "malformed_file",
      /gemma\.rope\.dimension_count: \d \(expected an even number up to 6/,
    );
  const neutral = { "attention.scale": f32(6 ** -0.5), "attention.sliding_window": u32(37) };
  const scaled = withKeys(bothForms("llama"), "llama", neutral);
  assert.deepEqual(await fromFile("llama", scaled), await fromFile("llama", bothForms("llama")));
});

test("files that are no models of a known architecture are refused with the reason", async () => {
  const form = bothForms("llama");
  const refusals = [
    [{ "general.type": text("adapter") }, /general\.type: "adapter".*LoRA/],
    [{ "adapter.type": text("lora") }, /general\.type: "adapter".*LoRA/],
    [
      { "general.type": text("imatrix"), "general.architecture": undefined },
      /"imatrix".*importance matrix/,
    ],
    [{ "general.type": text("mmproj") }, /"mmproj".*encoder of images/],
    [{ "general.type": text("other") }, /general\.type: "other" \(expected "model"/],
    [{ "general.architecture": undefined }, /general\.architecture: undefined .*llama, qwen2/],
    [{ "general.architecture": text("mamba") }, /general\.architecture: "mamba"/],
    [{ "general.quantization_version": u32(3) }, /general\.quantization_version: 3/],
    [{ expert_used_count: u32(2) }, /expert_used_count: 2 \(expected 0 without experts/],
  ];
  for (const [keys, message] of refusals)
    await rejected(opened(withKeys(form, "llama", keys)), "unsupported", message);
  const experts = withKeys(bothForms("qwen2"), "qwen2", { expert_count: u32(8) });
  await rejected(opened(experts), "unsupported", /expert_count: 8 .*experts, which are not read/);
  for (const wrong of [u32(1), { type: "text", value: ["llama"] }])
    await rejected(
      opened(withKeys(form, "llama", { "general.architecture": wrong })),
      "malformed_file",
      /general\.architecture/,
    );
  const numbered = withKeys(form, "llama", {
    "tokenizer.ggml.tokens": { type: "u32", value: [1, 2] },
  });
  await rejected(opened(numbered), "malformed_file", /tokenizer\.ggml\.tokens/);
  const twice = { ...form.keys };
  const bytes = Buffer.from(
    ggufBytes({ ...form, keys: { ...twice, "a.one": u32(1), "a.two": u32(1) } }),
  );
  bytes.write("a.one", bytes.indexOf("a.two"));
  await rejected(wf.model(new Blob([bytes])), "malformed_file", /a\.one appears twice/);
});

test("the number of tokens counts, not the key for the vocabulary's size", async () => {
  const form = bothForms("llama");
  const other = withKeys(form, "llama", { vocab_size: u32(31) });
  assert.deepEqual(await fromFile("llama", other), await fromFile("llama", form));
  const without = { "tokenizer.ggml.tokens": undefined };
  await rejected(opened(withKeys(form, "llama", without)), "malformed_file", /llama\.vocab_size/);
  const said = withKeys(form, "llama", { ...without, vocab_size: u32(29) });
  assert.deepEqual(await fromFile("llama", said), await fromFile("llama", form));
});

test("the vocabulary gives the number of BERT's token types", async () => {
  const form = bothForms("bert");
  for (const [value, message] of [
    [undefined, /token_type_count: undefined/],
    [u32(0), /token_type_count: 0/],
    [text("2"), /token_type_count: "2"/],
  ]) {
    const changed = withKeys(form, "bert", { "tokenizer.ggml.token_type_count": value });
    await rejected(opened(changed), "malformed_file", message);
  }
  // Heads of tasks, which are computed from the states.
  const cls = { "cls.output.weight": { shape: [2, 15], data: new Float32Array(30) } };
  assert.deepEqual(
    await fromFile("bert", { ...form, tensors: { ...form.tensors, ...cls } }),
    await fromFile("bert", form),
  );
});

test("an unsupported tensor type is reported by its number, after faults of keys", async () => {
  const form = bothForms("llama");
  const typed = (number, data) => {
    const shape = [1, data];
    const tensor = { shape, data: new Float32Array(data), number };
    return { ...form, tensors: { "blk.0.attn_q.weight": tensor, ...form.tensors } };
  };
  for (const [number, words] of [
    [10, "Q2_K \\(ggml's number 10\\)"],
    [34, "TQ1_0 \\(ggml's number 34\\)"],
    [5, "ggml's number 5"],
    [999, "ggml's number 999"],
  ]) {
    const message = new RegExp(
      `tensor blk\\.0\\.attn_q\\.weight: dtype ${words} \\(expected .*Q8_0`,
    );
    const own = { ...typed(number, 256) };
    own.tensors = { "blk.0.attn_q.weight": own.tensors["blk.0.attn_q.weight"] };
    own.tensors["blk.0.attn_q.weight"] = {
      shape: [1, 256],
      data: new Float32Array(256),
      number,
    };
    await rejected(opened(own), "unsupported", message);
    const newer = withKeys(own, "llama", { "general.quantization_version": u32(3) });
    await rejected(opened(newer), "unsupported", /quantization_version: 3/);
    const other = withKeys(own, "llama", { "general.architecture": text("mamba") });
    await rejected(opened(other), "unsupported", /general\.architecture: "mamba"/);
  }
});

test("a truncated file, another version or byte order is refused with that reason", async () => {
  const form = bothForms("llama");
  const bytes = ggufBytes(form);
  const cut = (length) => wf.model(new Blob([bytes.subarray(0, length)]));
  await rejected(cut(0), "malformed_file", /an empty file/);
  await rejected(cut(300), "malformed_file", /header ends early/);
  await rejected(cut(bytes.length - 100), "malformed_file", /tensor .* past the end .*may be cut/);
  for (const [version, message] of [
    [1, /GGUF version: 1 \(expected 2 or 3/],
    [4, /GGUF version: 4 \(expected 2 or 3/],
    [0x03000000, /GGUF version: 3.*big-endian/],
  ])
    await rejected(opened({ ...form, version }), "unsupported", message);
});

test("tensors are read with the file's alignment", async () => {
  const form = bothForms("llama");
  const aligned = withKeys(form, "llama", { "general.alignment": { type: "u16", value: 64 } });
  assert.deepEqual(
    await fromFile("llama", { ...aligned, alignment: 64 }),
    await fromFile("llama", form),
  );
});
