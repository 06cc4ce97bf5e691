// What each head does over a whole text, read from heads.json.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { evenMass, headsFile, length, reach } from "./heads-file.mjs";
import { openSources } from "./sources.mjs";

let sources;
before(async () => {
  sources = await openSources();
});
after(() => sources.close());

test("shares become mean weights by distance, over the rows that reach that far", async () => {
  const { massByDistance, massWithin, readHeads, scoreOf, strongestHead, likeText } =
    await sources.load("/engine/page/corpus-heads.ts");
  const { weightByDistance } = await sources.load("/engine/both/measures.ts");
  // Counting the shares of a map of 8 rows as the file does must give the map's own mean weights.
  const n = length;
  const map = new Float32Array(n * n);
  const mass = new Array(reach + 2).fill(0);
  for (let row = 0; row < n; row++) {
    let sum = 0;
    for (let key = 0; key <= row; key++) sum += 1 + ((row * 5 + key * 3) % 7);
    for (let key = 0; key <= row; key++) {
      const weight = (1 + ((row * 5 + key * 3) % 7)) / sum;
      map[row * n + key] = weight;
      mass[Math.max(0, reach + 1 - (row - key))] += weight / n;
    }
  }
  const byDistance = massByDistance({ mass }, { length: n, reach });
  const own = weightByDistance(map, n);
  for (let distance = 0; distance <= reach; distance++)
    assert.ok(Math.abs(byDistance[distance] - own[distance]) < 1e-6, `${distance} tokens back`);
  assert.ok(Math.abs(massWithin({ mass: evenMass }, 1) - 0.6) < 1e-12);

  const { texts } = readHeads(headsFile("rotation"));
  assert.deepEqual(strongestHead(texts.en, "previous"), { layer: 1, head: 2, value: 0.91 });
  assert.deepEqual(strongestHead(texts.zh, "previous"), { layer: 2, head: 0, value: 0.91 });
  assert.deepEqual(strongestHead(texts.en, "position"), { layer: 3, head: 3, value: 0.75 });
  assert.equal(strongestHead(texts.en, "metre"), undefined, "English text has no metre");
  const alone = readHeads(headsFile(undefined)).texts.en.heads.get("0.0");
  assert.equal(
    scoreOf(alone, "position"),
    undefined,
    "a head without a position term has no share of position",
  );
  assert.deepEqual(["And God", "床前 light"].map(likeText), ["en", "zh"]);
});
