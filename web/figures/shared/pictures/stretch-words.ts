/** Names of methods that extend rotary models to longer texts. */
import type { StretchMethod } from "../../../defaults.js";
import type { Bilingual } from "../../../text/index.js";

const en: Record<StretchMethod, string> = {
  none: "Nothing changed",
  linear: "PI (linear)",
  ntk: "NTK",
  by_parts: "NTK by parts",
  yarn: "YaRN",
  llama3: "Llama 3",
  longrope: "LongRoPE",
};

const zh: typeof en = {
  ...en,
  none: "不做改动",
  linear: "PI（线性插值）",
  by_parts: "分段 NTK",
};

export const stretchNames: Bilingual<typeof en> = { en, zh };
