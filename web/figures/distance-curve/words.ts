/** The words of attention by distance. */
import type { Bilingual } from "../../text/index.js";
import { named } from "../../text/spacing.js";

const en = {
  name: "Attention by distance",
  title: "How far back does this head look?",
  y: "mean attention weight",
  chosen: "the chosen cell",
  thisText: "this text",
  heldOut: "held-out text",
  even: "even attention over it",
  unmeasured: "not measured over held-out text",
  caption: (list: string, heldOut: string) =>
    `Share of attention that stays on the token itself and the four before it, in this text${heldOut ? ` and over all of ${heldOut}` : ""}: ${list}.`,
  share: (name: string, share: string, heldOut: string) =>
    heldOut ? `${name} ${share} and ${heldOut}` : `${name} ${share}`,
  gridLabel: "Mean attention weight by distance",
  point: (name: string, distance: number, values: string) =>
    `${name}, ${distance} tokens back: ${values}`,
  caveat:
    "Not shown: texts of other kinds. One text is one sample: the longer the distance, the fewer of its rows reach that far, and where fewer than four do, the line ends. A short text has fewer tokens to share attention among, so its line tends to lie above the held-out text’s.",
};

export type DistanceWords = typeof en;

const zh: DistanceWords = {
  name: "注意力随距离的分布",
  title: "这个头往回看多远？",
  y: "平均注意力权重",
  chosen: "选中的格子",
  thisText: "这段文字",
  heldOut: "留出文本",
  even: "留出文本上，注意力均分时",
  unmeasured: "没有在留出文本上测过",
  caption: (list, heldOut) =>
    `落在自身和前四个词元上的注意力${heldOut ? `，先是这段文字，后是全部${heldOut}` : ""}：${list}。`,
  share: (name, share, heldOut) => named(name, heldOut ? `${share}、${heldOut}` : share),
  gridLabel: "各距离上的平均注意力权重",
  point: (name, distance, values) => `${name}，回看 ${distance} 个词元：${values}`,
  caveat:
    "图上看不出的：别种文字。一段文字只是一个样本，距离越远，够得着的行越少；不足四行时，线就到此为止。文字短，可分的词元就少，所以它的线往往高过留出文本。",
};

export const distanceWords: Bilingual<DistanceWords> = { en, zh };
