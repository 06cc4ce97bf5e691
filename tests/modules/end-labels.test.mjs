// Names at the ends of curves: they never overlap, and each is as near to its curve as possible.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let labels;
before(async () => {
  sources = await openSources();
  labels = await sources.load("/figures/shared/pictures/end-labels.ts");
});
after(() => sources.close());

const ends = { top: 0, bottom: 260 };
const measure = (text, size) => text.length * size * 0.5;
const nouns = ["query", "content", "position", "key", "ink", "soft"];
const palette = Object.fromEntries(nouns.map((name, at) => [name, `#00000${at}`]));

/** Yields heights and positions that are the same in every run. */
function* drawn(count) {
  let seed = 1;
  const next = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  for (let index = 0; index < count; index++) {
    const crowd = next() < 0.5 ? 20 : 260;
    yield Array.from({ length: 1 + Math.floor(next() * 7) }, () => ({
      wanted: next() * crowd,
      height: next() < 0.5 ? 17 : 30,
    }));
  }
}

test("names do not overlap, keep the order of their curves, and stay within the frame", () => {
  for (const boxes of drawn(300)) {
    const places = labels.spacedApart(boxes, ends);
    const order = boxes.map((_, index) => index).sort((a, b) => boxes[a].wanted - boxes[b].wanted);
    let above = ends.top;
    for (const index of order) {
      const { height } = boxes[index];
      assert.ok(
        places[index] - height / 2 >= above - 1e-6,
        `${places} for ${JSON.stringify(boxes)}`,
      );
      above = places[index] + height / 2;
    }
    assert.ok(above <= ends.bottom + 1e-6, `${places}`);
  }
});

test("a name is at its curve; two at one height are above and below it", () => {
  const alone = [40, 200].map((wanted) => ({ wanted, height: 17 }));
  assert.deepEqual(labels.spacedApart(alone, ends), [40, 200]);
  const together = [100, 100].map((wanted) => ({ wanted, height: 20 }));
  assert.deepEqual(labels.spacedApart(together, ends), [90, 110]);
  assert.deepEqual(labels.spacedApart([{ wanted: -50, height: 20 }], ends), [10]);
  // A name that is pushed away from the edge pushes the next one.
  const low = [250, 240].map((wanted) => ({ wanted, height: 20 }));
  assert.deepEqual(labels.spacedApart(low, ends), [250, 230]);
});

test("a name has its curve's colour, and a leader if moved; without an end it is lowest", () => {
  const lines = [
    { look: 0, name: "first", y: 100 },
    { look: 2, name: "third", y: 101 },
    { look: 6, name: "last: not defined", y: undefined },
  ];
  const room = labels.labelRoom(
    lines.map(({ name }) => name),
    60,
    measure,
  );
  assert.equal(room, 60);
  const place = { edge: 300, room, ...ends };
  const marks = labels.endLabels(lines, place, palette, measure);
  const texts = marks.filter(({ kind }) => kind === "text");
  assert.deepEqual(
    texts.map(({ text, fill }) => [text, fill]),
    [
      ["first", palette.query],
      ["third", palette.position],
      ["last: not", palette.soft],
      ["defined", palette.soft],
    ],
  );
  const leaders = marks.filter(({ kind }) => kind === "path");
  assert.deepEqual(
    leaders.map(({ d, stroke }) => [d.split("L")[0], stroke]),
    [
      ["M304 100", palette.query],
      ["M304 101", palette.position],
    ],
  );
  const lowest = Math.max(...texts.map(({ y }) => y));
  assert.equal(texts.at(-1).y, lowest);
  assert.ok(lowest <= ends.bottom);
});

test("the space beside the frame fits at least the longest word", () => {
  const room = labels.labelRoom(["Transformer-XL's relative attention", "RoPE"], 40, measure);
  assert.equal(room, measure("Transformer-XL's", 13));
  assert.equal(labels.labelRoom(["RoPE"], 100, measure), measure("RoPE", 13));
});
