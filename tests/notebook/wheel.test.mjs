// The wheel: what is in it, that it installs by itself, its tests in Python, its types.

import assert from "node:assert/strict";
import { cpSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { before, test } from "node:test";
import { root } from "../../scripts/setup/ensure.mjs";
import { run, runOrFail } from "../../scripts/setup/process.mjs";
import { makeEnvironment } from "../../scripts/setup/python.mjs";
import { emptyFolder, installWheel } from "./environment.mjs";

let built;
before(async () => {
  built = await installWheel();
});

test("it is a wheel for every platform, of at most 4 MB", () => {
  assert.match(basename(built.wheel), /^whereformer-[\d.]+-py3-none-any\.whl$/);
  const { size } = statSync(built.wheel);
  console.log(`wheel: ${(size / 1e6).toFixed(2)} MB`);
  assert.ok(size <= 4e6, `${size} bytes`);
});

test("in a fresh environment, pip brings all that it needs, and a picture is drawn", async () => {
  const folder = emptyFolder("fresh");
  const python = await makeEnvironment(join(folder, "venv"), built.program("python"));
  await runOrFail(python, ["-m", "pip", "install", "--quiet", built.wheel]);
  const code = `import numpy as np, whereformer as wf
w = wf.attention_map(np.tri(3) / np.arange(1, 4)[:, None], "a b c".split())
w.save("map.svg")
from whereformer.conformance import check
heads = lambda inputs, facts, parameters: None
check({"alibi": heads})`;
  const { output } = await runOrFail(python, ["-c", code], { cwd: folder });
  assert.match(output, /alibi +nothing done/);
  const svg = readFileSync(join(folder, "map.svg"), "utf8");
  assert.match(svg, /^<svg .*<title>.*<text [^>]*>0?\.33<\/text>/s);
});

test("what needs no browser, in Python: arrays, tensors, tokens, refusals", async () => {
  const folder = emptyFolder("unit");
  cpSync(join(root, "python/tests"), folder, { recursive: true });
  const { code, output } = await run(built.program("python"), ["-m", "unittest", "-v"], {
    cwd: folder,
  });
  assert.equal(code, 0, output.slice(-3000));
  assert.doesNotMatch(output, /skipped/, "PyTorch, JAX and Transformers are there");
});

test("ruff finds nothing, and pyright nothing in strict mode", async () => {
  const cwd = built.sources;
  for (const words of [["check"], ["format", "--check", "--exclude", "elements.py"]]) {
    const { code, output } = await run(built.program("ruff"), [...words, "."], { cwd });
    assert.equal(code, 0, output);
  }
  const types = ["--pythonpath", built.program("python")];
  const { code, output } = await run(built.program("pyright"), types, { cwd });
  assert.equal(code, 0, output.slice(-3000));
});
