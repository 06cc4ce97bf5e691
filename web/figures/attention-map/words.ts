/** The words of the map of any numbers. */
import type { Bilingual } from "../../text/index.js";
import { amid } from "../../text/spacing.js";

export interface AttentionMapWords {
  name: string;
  title: string;
  titleGiven: (name: string) => string;
  titleAgainst: (name: string, other: string) => string;
  source: Record<"scheme" | "model" | "given", (name: string) => string>;
  shortened: (longest: number) => string;
  caveat: string;
}

const en: AttentionMapWords = {
  name: "An attention map to zoom into, of a scheme, a trained model or your own numbers",
  title: "Who looks at whom, cell by cell?",
  titleGiven: (name) => `Your own map: ${name}`,
  titleAgainst: (name, other) => `What “${name}” does that “${other}” does not`,
  source: {
    scheme: (name) =>
      `An untrained attention layer, ${name}: weights from a fixed seed, no learning.`,
    model: (name) => `A small model, ${name}, trained by this project.`,
    given: () => "Numbers that were given to this map, as they stand. They stay in this tab.",
  },
  shortened: (longest) => ` Only the first ${longest} tokens are read.`,
  caveat:
    "Control and the wheel, or two fingers, zoom; a drag moves; the small map is brushed. Rows look, columns are looked at.",
};

const zh: AttentionMapWords = {
  name: "可以缩放的注意力图：某种方案、某个训练好的模型，或你自己的数据",
  title: "谁在看谁？逐格看",
  titleGiven: (name) => `你自己的图：${name}`,
  titleAgainst: (name, other) => `“${name}”与“${other}”差在哪里`,
  source: {
    scheme: (name) =>
      `未经训练的一层注意力，方案是${amid(name)}；权重由固定的种子生成，什么也没学过。`,
    model: (name) => `本项目训练的小模型，方案是${amid(name)}。`,
    given: () => "数据由外部给出，原样显示；只留在这个标签页里。",
  },
  shortened: (longest) => `只读前 ${longest} 个词元。`,
  caveat:
    "按住 Ctrl 滚动滚轮或双指捏合即可缩放，拖动可移动，也可以在小图上框选。行是查询（谁在看），列是键（看谁）。",
};

export const attentionMapWords: Bilingual<AttentionMapWords> = { en, zh };
