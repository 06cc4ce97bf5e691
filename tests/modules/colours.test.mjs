// The colours of the nouns differ for every kind of colour vision, and have enough contrast for
// text.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { openSources } from "./sources.mjs";

let sources;
let colour;
const palettes = {};

before(async () => {
  sources = await openSources();
  colour = await sources.load("/drawing/colour.ts");
  const css = readFileSync(new URL("../../web/styles/tokens.css", import.meta.url), "utf8");
  const declared = new Map([...css.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map((m) => [m[1], m[2]]));
  const read = (property) => declared.get(property) ?? "";
  palettes.light = colour.readPalette(read, false);
  palettes.dark = colour.readPalette(read, true);
});

after(() => sources.close());

const linear = (hex) =>
  [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });

// Machado, Oliveira and Fernandes 2009, severity 1.0, in linear sRGB.
const eyes = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

function lab(hex, eye) {
  const rgb = linear(hex);
  const [r, g, b] = eye.map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, factor, index) => sum + factor * rgb[index], 0),
      ),
    ),
  );
  const xyz = [
    (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
    0.2126729 * r + 0.7151522 * g + 0.072175 * b,
    (0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883,
  ].map((value) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116));
  return [116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])];
}

/** CIE 1976 colour difference. */
const deltaE = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

test("the tokens have a colour for every name, in both themes", () => {
  for (const palette of Object.values(palettes)) {
    for (const [name, value] of Object.entries(palette)) {
      if (name === "dark") continue;
      for (const one of [value].flat()) assert.match(one, /^#[0-9a-f]{6}$/i, name);
    }
  }
});

test("nouns and ink differ by at least 20 for normal, protan, deutan and tritan eyes", () => {
  for (const [theme, palette] of Object.entries(palettes)) {
    const names = ["query", "key", "content", "position", "ink"];
    for (const [kind, eye] of Object.entries(eyes)) {
      names.forEach((a, index) => {
        for (const b of names.slice(0, index)) {
          const difference = deltaE(lab(palette[a], eye), lab(palette[b], eye));
          assert.ok(
            difference >= 20,
            `${theme}, ${kind}: ${a} and ${b} differ by ${difference.toFixed(1)}`,
          );
        }
      });
    }
  }
});

test("schemes have the colours of their families, on the pages too", async () => {
  const { familyHues, families } = await sources.load("/drawing/family-colours.ts");
  const folder = new URL("../../src/schemes/", import.meta.url);
  const registry = readFileSync(new URL("registry.cpp", folder), "utf8");
  const ids = [...registry.matchAll(/^\s*X\((\w+)\)/gm)].map(([, id]) => id).concat("formula");
  assert.ok(ids.length > 20, `${ids.length}`);
  assert.deepEqual(Object.keys(families).sort(), ids.sort());
  for (const [id, family] of Object.entries(families)) {
    const source = readFileSync(new URL(`${id}.cpp`, folder), "utf8");
    assert.ok(source.includes(`.family = "${family}"`), id);
  }
  const page = readFileSync(new URL("../../web/styles/schemes.css", import.meta.url), "utf8");
  for (const [family, hue] of Object.entries(familyHues)) {
    const rule = new RegExp(`\\.family\\.${family}[^}]*\\{\\s*color: var\\(--wf-${hue}\\)`);
    assert.match(page, rule, family);
  }
});

test("weights of 0.30 and 0.37 are told apart, and lightness falls or rises in even steps", () => {
  for (const palette of Object.values(palettes)) {
    // A difference of lightness (L* of CIE 1976) of 2 or 3 is just seen between areas side by side.
    const lightness = (share) => lab(colour.weightColour(palette, share, 1), eyes.normal)[0];
    const apart = Math.abs(lightness(0.37) - lightness(0.3));
    assert.ok(apart >= 5.5, `${apart.toFixed(1)}`);
    const steps = Array.from({ length: 20 }, (_, at) =>
      Math.abs(lightness((at + 1) / 20) - lightness(at / 20)),
    );
    const mean = steps.reduce((a, b) => a + b) / steps.length;
    assert.ok(
      Math.min(...steps) >= 0.8 * mean,
      `${Math.min(...steps).toFixed(1)} of ${mean.toFixed(1)}`,
    );
  }
});

test("text colours have a contrast of at least 4.5 on the paper", () => {
  for (const palette of Object.values(palettes)) {
    for (const name of ["ink", "soft", "query", "key", "content", "position"]) {
      const ratio = colour.contrast(palette[name], palette.paper);
      assert.ok(ratio >= 4.5, `${name} has ${ratio.toFixed(2)}`);
    }
  }
});

test("the ramp of weights begins at the paper, and its lightness is monotone", () => {
  for (const palette of Object.values(palettes)) {
    assert.equal(palette.weight[0], palette.paper);
    const steps = Array.from({ length: 41 }, (_, index) => {
      const shade = colour.weightColour(palette, index / 40, 1);
      return lab(shade, eyes.normal)[0];
    });
    const direction = palette.dark ? 1 : -1;
    for (let index = 1; index < steps.length; index++) {
      assert.ok((steps[index] - steps[index - 1]) * direction > 0, `step ${index}`);
    }
  }
});

test("numbers in cells can be read on every shade", () => {
  for (const palette of Object.values(palettes)) {
    for (let index = 0; index <= 40; index++) {
      for (const ground of [
        colour.weightColour(palette, index / 40, 1),
        colour.signedColour(palette, index / 20 - 1, 1),
      ]) {
        const ratio = colour.contrast(colour.textOn(palette, ground), ground);
        assert.ok(ratio >= 4.5, `${ground} has ${ratio.toFixed(2)}`);
      }
    }
  }
});

test("zero of a signed map is the paper, and the two signs are not the same colour", () => {
  const { signedColour } = colour;
  for (const palette of Object.values(palettes)) {
    assert.equal(signedColour(palette, 0, 1), palette.paper);
    assert.notEqual(signedColour(palette, 1, 1), signedColour(palette, -1, 1));
  }
});
