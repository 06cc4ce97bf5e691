// The page's own model of pictures is the one whose results are recorded, and the page says them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { openSources } from "../../scripts/build/page-sources.mjs";

const models = new URL("../../models/", import.meta.url);
const record = JSON.parse(readFileSync(new URL("creatures.json", models), "utf8"));
const [result] = Object.values(record.results);

let sources;
before(async () => {
  sources = await openSources();
});
after(() => sources.close());

test("the committed weights are those that were scored", () => {
  const bytes = readFileSync(new URL("pictures/creatures/model.safetensors", models));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  assert.deepEqual([bytes.length, sha256], [result.bytes, result.weightsSha256]);
});

test("the figure states the recorded shares of tiles and eyes", async () => {
  assert.equal(result.cells, 1);
  const share = `${Math.round(100 * result.eyes)}%`;
  const { lookWords } = await sources.load("/figures/opened-picture/words.ts");
  assert.match(lookWords.en.noteOfSample, new RegExp(`every tile .* about ${share} of the eyes`));
  assert.ok(lookWords.zh.noteOfSample.includes(share), lookWords.zh.noteOfSample);
});
