// The short programs on the schemes' pages (docs/code): each computes the same numbers as the
// engine. Those in NumPy run if this machine has it, those in PyTorch likewise.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "whereformer";

const folder = fileURLToPath(new URL("../../docs/code/", import.meta.url));
const python = process.env.PYTHON ?? "python3";

/** Runs Python in the folder of the programs; undefined if it fails to import the library. */
function printedBy(library, code) {
  const run = (text) => spawnSync(python, ["-c", text], { cwd: folder, encoding: "utf8" });
  if (run(`import ${library}`).status !== 0) return undefined;
  const { status, stdout, stderr } = run(code);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const [heads, n, d] = [4, 24, 8];
const wave = (length) => Array.from({ length }, (_, at) => Math.round(1000 * Math.sin(at)) / 1000);
const positions = Array.from({ length: n }, (_, at) => at);
const array = (values, ...shape) => `array(${JSON.stringify(values)}).reshape(${shape})`;

/** By scheme: the call, with `array` for the library's own, and the engine's numbers. */
const cases = {
  sinusoidal: {
    call: `sinusoidal(${n}, ${heads * d})`,
    of: (scheme) => scheme.embeddings(positions),
  },
  rope: {
    call: `rope(${array(wave(heads * n * d), heads, n, d)})`,
    of: (scheme) => scheme.rotate({ data: wave(heads * n * d), shape: [heads, n, d] }),
  },
  alibi: { call: `alibi(${heads}, ${n})`, of: (scheme) => scheme.bias(positions, positions) },
  t5: {
    call: `t5(${array(wave(32 * heads), 32, heads)}, ${n})`,
    parameters: { relative_attention_bias: { data: wave(32 * heads), shape: [32, heads] } },
    of: (scheme) => scheme.bias(positions, positions),
  },
  kerple: {
    call: `kerple(${array([0.5, 1, 1.5, 2], heads)}, ${array([0.25, 0.5, 1, 2], heads)}, ${n})`,
    parameters: {
      bias_p: { data: [0.5, 1, 1.5, 2], shape: [heads] },
      bias_a: { data: [0.25, 0.5, 1, 2], shape: [heads] },
    },
    of: (scheme) => scheme.bias(positions, positions),
  },
};

const libraries = {
  numpy: "from numpy import array",
  torch: "import torch\narray = lambda values: torch.tensor(values, dtype=torch.float64)",
};

test("there is a program in NumPy and one in PyTorch for each of these schemes", () => {
  const wanted = Object.keys(cases).flatMap((id) => [`${id}_numpy.py`, `${id}_torch.py`]);
  assert.deepEqual(
    readdirSync(folder)
      .filter((name) => name.endsWith(".py"))
      .sort(),
    wanted.sort(),
  );
});

for (const [id, { call, parameters, of }] of Object.entries(cases))
  for (const [library, arrays] of Object.entries(libraries))
    test(`${id} in ${library}: the engine's numbers`, async (context) => {
      const code = [
        "import json",
        `from ${id}_${library} import *`,
        arrays,
        `print(json.dumps(${call}.tolist()))`,
      ].join("\n");
      const printed = printedBy(library, code);
      if (!printed) return context.skip(`${python} has no ${library}`);
      const wf = await load();
      const scheme = wf.scheme(id, {
        numHeads: heads,
        headDim: d,
        ...(parameters ? { parameters } : {}),
      });
      const expected = of(scheme);
      const found = printed.flat(Number.POSITIVE_INFINITY);
      assert.equal(found.length, expected.data.length);
      for (const [at, value] of found.entries()) {
        // Keys after the query are masked in a decoder.
        const [query, key] = [Math.floor(at / n) % n, at % n];
        if (id === "t5" && key > query) continue;
        assert.ok(
          Math.abs(value - expected.data[at]) < 2e-5,
          `${at}: ${value}, ${expected.data[at]}`,
        );
      }
      scheme.dispose();
    });
