// Node shows an uncaught error with the line that threw it, which must be short: in a script on a
// single line the whole script would precede the message.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const dist = new URL("../../dist/", import.meta.url);

test("Node shows an uncaught error's message within the first screen", () => {
  for (const [entry, code] of Object.entries({
    "index.js": "await (await load({ variant: 'simd' })).scheme('rpoe')",
    "worker.js": "await (await load({ variant: 'simd' })).model({ vocabSize: -1 })",
  })) {
    const program = `import { load } from ${JSON.stringify(new URL(entry, dist).href)}; ${code};`;
    const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
      timeout: 60_000,
    });
    assert.equal(status, 1, entry);
    assert.match(stderr, /\[WhereformerError\]: /, entry);
    const before = stderr.slice(0, stderr.indexOf("[WhereformerError]"));
    assert.ok(before.length < 2000, `${entry}: ${before.length} characters before the message`);
  }
});

test("lines of scripts are short, except for long strings", () => {
  const names = readdirSync(dist).filter((name) => /^[a-z-]+\.js$/.test(name));
  assert.ok(names.length > 20);
  const long = names.flatMap((name) =>
    readFileSync(new URL(name, dist), "utf8")
      .split("\n")
      .filter((line) => line.length > 4000)
      // Strings and binaries within a script, texts in both languages.
      .filter((line) => !/"[^"\\]{2000}|`[^`]{500}|"(?:[^"\\]|\\.){2000}|words/.test(line))
      .map((line) => `${name}: ${line.length}: ${line.slice(0, 60)}`),
  );
  assert.deepEqual(long, []);
});
