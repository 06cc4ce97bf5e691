// Reads the size limits from docs/size.md, the only file that defines them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

/** Returns a function from the beginning of a part's name to its limit in bytes. */
export function sizeLimits() {
  const text = readFileSync(new URL("../docs/size.md", import.meta.url), "utf8");
  const rows = [...text.matchAll(/^\| (.+?) \| ([\d.]+) KB \|/gm)];
  return (name) => {
    const [row, ...others] = rows.filter(([, part]) => part.startsWith(name));
    assert.ok(row && others.length === 0, `docs/size.md: "${name}"`);
    return Math.round(Number(row[2]) * 1000);
  };
}
