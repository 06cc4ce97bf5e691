// The system refuses memory: WebAssembly's memory cannot grow, or cannot be allocated at all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inNode } from "./in-node.mjs";

const entry = (name) => JSON.stringify(new URL(`../../dist/${name}.js`, import.meta.url).href);

const calls = `
  const config = {
    vocabSize: 64, hiddenSize: 512, numLayers: 8, numHeads: 8, intermediateSize: 2048,
    scheme: "rope",
  };
  const big = { data: new Float32Array(2 ** 24), shape: [2 ** 12, 2 ** 12] };
  const calls = {
    matrix: (wf) => wf.matrix(big),
    tensor: (wf) => wf.tensor(big),
    matmul: (wf) => wf.matmul(big, big),
    softmax: (wf) => wf.softmax({ data: big.data, shape: [1, 2 ** 24] }),
    attention: (wf) => wf.attention({ numHeads: 1, headDim: 64 }).run({
      q: { data: big.data, shape: [1, 2 ** 18, 64] },
      k: { data: big.data, shape: [1, 2 ** 18, 64] },
      v: { data: big.data, shape: [1, 2 ** 18, 64] },
    }),
    cache: (wf) => wf.attention({ numHeads: 1, headDim: 64 }).cache({ capacity: 2 ** 19 }),
    bias: (wf) => {
      const places = Int32Array.from({ length: 2 ** 13 }, (_, i) => i);
      return wf.scheme("alibi", { numHeads: 1, headDim: 4 }).bias(places, places);
    },
    model: (wf) => wf.model(config),
    trainer: (wf) => wf.trainer({ config, task: { id: "copy" } }),
    load: (wf) => wf.model({ config: wide, weights: checkpoint(wide) }),
  };
  // A table of 134 MB in float32, from a file of half as much.
  const wide = {
    vocabSize: 2 ** 20, hiddenSize: 32, numLayers: 1, numHeads: 2, intermediateSize: 8,
  };
  function checkpoint({ vocabSize: V, hiddenSize: E, intermediateSize: I }) {
    const block = {
      "input_layernorm": [E], "post_attention_layernorm": [E],
      "self_attn.q_proj": [E, E], "self_attn.k_proj": [E, E],
      "self_attn.v_proj": [E, E], "self_attn.o_proj": [E, E],
      "mlp.gate_proj": [I, E], "mlp.up_proj": [I, E], "mlp.down_proj": [E, I],
    };
    const shapes = { "model.embed_tokens": [V, E], "model.norm": [E] };
    for (const [name, shape] of Object.entries(block)) shapes["model.layers.0." + name] = shape;
    let end = 0;
    const tensors = Object.entries(shapes).map(([name, shape]) => {
      const begin = end;
      end += 2 * shape.reduce((product, size) => product * size);
      return [name + ".weight", { dtype: "F16", shape, data_offsets: [begin, end] }];
    });
    const head = JSON.stringify(Object.fromEntries(tensors));
    const file = new Uint8Array(8 + head.length + end);
    new DataView(file.buffer).setUint32(0, head.length, true);
    new TextEncoder().encodeInto(head, file.subarray(8));
    return file;
  }
  const one = { data: [3], shape: [1, 1] };
  const works = (wf) => wf.matmul(one, one).data[0] === 9;`;

for (const name of ["index", "threads"]) {
  test(`${name}: memory that cannot grow gives out_of_memory; other calls work`, () => {
    const script = `
      const { load } = await import(${entry(name)});
      const wf = await load({ ${name === "threads" ? "threads: 2" : "training: true"} });
      ${calls}
      const { grow } = WebAssembly.Memory.prototype;
      for (const [name, call] of Object.entries(calls)) {
        let asked = 0;
        WebAssembly.Memory.prototype.grow = () => {
          asked++;
          throw new RangeError("no more memory");
        };
        const code = await (async () => call(wf))().then(() => "nothing", (error) => error.code);
        WebAssembly.Memory.prototype.grow = grow;
        if (code !== "out_of_memory" || !asked || !works(wf))
          console.log(name, code, asked, works(wf));
      }
      const kept = wf.tensor({ data: new Float32Array(2 ** 22), shape: [2 ** 22] });
      console.log(kept.shape[0], works(wf));
      wf.dispose?.();`;
    assert.equal(inNode(script), `${2 ** 22} true`);
  });
}

test("an engine without any memory fails with out_of_memory, and the next one loads", () => {
  const script = `
    ${calls}
    const { Memory, instantiate } = WebAssembly;
    const none = () => { throw new RangeError("could not allocate memory"); };
    for (const [name, options] of [["index", {}], ["threads", { threads: 2 }], ["worker", {}]]) {
      const entries = {
        index: ${entry("index")}, threads: ${entry("threads")}, worker: ${entry("worker")},
      };
      const { load } = await import(entries[name]);
      if (name !== "worker") {
        WebAssembly.Memory = class { constructor() { none(); } };
        WebAssembly.instantiate = async () => none();
        await load(options).catch((error) => console.log(name, error.code, error.message));
        Object.assign(WebAssembly, { Memory, instantiate });
      }
      const wf = await load(options);
      console.log(name, (await wf.matmul(one, one)).data[0]);
      wf.dispose?.();
    }`;
  const said = "out_of_memory out of memory: could not allocate memory";
  assert.equal(inNode(script), `index ${said}\nindex 9\nthreads ${said}\nthreads 9\nworker 9`);
});
