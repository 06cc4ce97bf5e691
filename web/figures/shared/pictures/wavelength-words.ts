/** Words of the chart of wavelengths. */
import type { PairKind } from "../../../engine/both/stretched-pairs.js";
import type { Bilingual } from "../../../text/index.js";
import { grouped, wavelengthText } from "../../../text/numbers.js";

const en = {
  kinds: { kept: "kept", blended: "blended", divided: "divided" } as Record<PairKind, string>,
  wavelength: "tokens for one rotation",
  pair: "channel pairs, fastest first",
  trained: (length: number) => `trained length: ${grouped(length)}`,
  text: (length: number) => `text length: ${grouped(length)}`,
  beforeKey: "as trained",
  afterKey: "in this text",
  cell: (pair: number, before: number, after: number, kind: string, isNew: boolean) =>
    `pair ${pair}: ${kind}; one rotation in ${wavelengthText(after)} tokens (${wavelengthText(before)} in training); ${isNew ? "reaches angles that did not occur in training" : "no new angles"}`,
  columns: ["Pair", "Treatment", "Rotation, trained", "Rotation, now", "Divided by", "New angles"],
  yes: "yes",
  no: "no",
};

export type WavelengthWords = typeof en;

const zh: WavelengthWords = {
  kinds: { kept: "保留", blended: "过渡", divided: "除以倍数" },
  wavelength: "转一圈要多少词元",
  pair: "通道对，从最快的数起",
  trained: (length) => `训练长度：${grouped(length)}`,
  text: (length) => `这段文本：${grouped(length)}`,
  beforeKey: "训练时",
  afterKey: "现在",
  cell: (pair, before, after, kind, isNew) =>
    `第 ${pair} 对：${kind}，${wavelengthText(after)} 个词元转一圈，训练时是 ${wavelengthText(before)} 个；${isNew ? "会遇到新角度" : "没有新角度"}`,
  columns: ["通道对", "处理方式", "训练时一圈", "现在一圈", "除以", "新角度"],
  yes: "有",
  no: "无",
};

export const wavelengthWords: Bilingual<WavelengthWords> = { en, zh };
