/** The classics as formulas, in the texts of docs/formulas.md; numbers to slide are parameters. */
import type { FormulaPreset } from "../../../defaults.js";
import type { Written } from "./slots.js";

export const presets: Readonly<Record<FormulaPreset, Written>> = {
  alibi: { bias: "-2^(-m*(h+1)/H) * abs(r)", parameters: "frozen m = 8" },
  kerple: {
    bias: "-p[h] * log(1 + a[h] * abs(r))",
    parameters: "positive p[H] = 1\npositive a[H] = 1",
  },
  t5: { bias: "t[h, bucket(r, 32, 128)]", logitScale: "1", parameters: "t[H, 32] = 0" },
  window: { bias: "r < -w ? -inf : -log1p(abs(r))", parameters: "frozen w = 16" },
  rope: { frequency: "base^(-2*k/D)", parameters: "frozen base = 10000" },
  xpos: {
    frequency: "10000^(-2*k/D)",
    queryScale: "((2 * floor(c/2) + 0.4*D) / (1.4*D))^(i/s0)",
    keyScale: "((2 * floor(c/2) + 0.4*D) / (1.4*D))^(-j/s0)",
    parameters: "frozen s0 = 512",
    pairing: "interleaved",
  },
  sinusoidal: {
    add: "c % 2 == 0 ? sin(i / base^(c/E)) : cos(i / base^((c-1)/E))",
    parameters: "frozen base = 10000",
  },
  nope: {},
  grid_distance: { bias: "-m * (abs(r.x) + abs(r.y)) / (h + 1)", parameters: "frozen m = 1" },
  grid_rotation: {
    angle: "(k < D/4 ? i.y : i.x) * base^(-2*(k % (D/4))/(D/2))",
    parameters: "frozen base = 100",
  },
  grid_sines: {
    add: `let p = c < E/2 ? i.x : i.y;
let a = p * base^(-4*(c % (E/4))/E);
c % (E/2) < E/4 ? sin(a) : cos(a)`,
    parameters: "frozen base = 100",
  },
};
