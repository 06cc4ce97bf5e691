/** The reader's choices in this figure, as fields of the page's state and of its address. */
import { type StretchHead, stretchMethods } from "../../defaults.js";
import { choice, count, indices } from "../../state-fields.js";

export const fields = {
  /** Method, factor and head of stretched pairs; the ends of YaRN's ramp, in rotations. */
  stretchMethod: choice("xm", "none", stretchMethods),
  stretchFactor: count("xf", 4, 32),
  stretchHead: choice<StretchHead>("xh", "small", ["small", "llama", "phi"]),
  stretchRamp: indices("xr", [32, 1]),
};
