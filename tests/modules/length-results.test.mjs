// Curves measured beforehand, read from the file that the experiment writes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { lengthFile } from "./length-file.mjs";
import { openSources } from "./sources.mjs";

let sources;
before(async () => {
  sources = await openSources();
});
after(() => sources.close());

test("means and ranges over seeds, and nothing beyond the end of a table", async () => {
  const { bestAtEnd, readResults } = await sources.load("/engine/page/length-results.ts");
  const results = readResults(lengthFile);
  assert.deepEqual([...results.curves.keys()], Object.keys(lengthFile.results));
  const [first, end] = results.curves.get("learned").en;
  assert.ok(Math.abs(first.mean - 1.9) < 1e-12);
  assert.deepEqual([first.min, first.max, first.count], [1.9 - 0.1, 1.9 + 0.1, 3]);
  assert.equal(end, undefined);
  assert.equal(bestAtEnd(results, "en").scheme, "sandwich");
  assert.equal(bestAtEnd(results, "zh").scheme, "alibi");

  const { clippedPath, scaleOf } = await sources.load("/figures/length-curves/picture.ts");
  assert.deepEqual(scaleOf([results.curves.get("rope").zh]), { minY: 7, maxY: 11 });
  const at = (mean) => ({ mean, min: mean, max: mean, count: 1 });
  const frame = { left: 0, top: 0, width: 20, height: 10, maxX: 2, minY: 0, maxY: 10 };
  // The curve leaves the frame half-way between its points, and returns in the same way.
  assert.equal(clippedPath([at(5), at(15), at(5)], frame), "M0.0 5.0L5.0 0.0M15.0 0.0L20.0 5.0");
  assert.equal(clippedPath([at(5), undefined, at(5)], frame), "M0.0 5.0M20.0 5.0");
});
