/** Words about a head over the whole held-out text. */

import type { Language } from "../../defaults.js";
import type { ScoreKind } from "../../engine/page/corpus-heads.js";
import type { Bilingual } from "../../text/index.js";

export interface ScoresWords {
  /** Names inside a sentence. */
  names: Record<Language, string>;
  /** Names in the key of the charts. */
  heldOut: Record<Language, string>;
  title: (layer: number, head: number, language: Language) => string;
  kinds: Record<ScoreKind, { name: string; meaning: string }>;
  /** Texts for a head without such a score. */
  none: Record<ScoreKind, string>;
  even: (value: string) => string;
  strongest: (layer: number, head: number, value: string) => string;
  isStrongest: string;
  /** Accessible name of a button that shows `shown`, with its kind of score and its model. */
  jump: (shown: string, kind: string, model: string) => string;
  note: (length: number) => string;
  missing: string;
}

const namesEn = { en: "the held-out English text", zh: "the held-out Chinese text" };
const namesZh = { en: "英文留出文本", zh: "中文留出文本" };

const en: ScoresWords = {
  names: namesEn,
  heldOut: { en: "held-out English text", zh: "held-out Chinese text" },
  title: (layer, head, language) =>
    `What layer ${layer}, head ${head} does over all of ${namesEn[language]}`,
  kinds: {
    previous: {
      name: "Previous token",
      meaning: "Mean share of its attention on the token just before.",
    },
    induction: {
      name: "Induction",
      meaning:
        "Where the present token has occurred before: mean share on the tokens that followed it then, as if to say what comes next.",
    },
    delimiter: {
      name: "Punctuation",
      meaning: "Mean share on punctuation, line ends and the ends of texts, where idle heads rest.",
    },
    metre: {
      name: "Metre",
      meaning: "In verse: mean share on the same place in the line before.",
    },
    position: {
      name: "Position in its scores",
      meaning:
        "The scores of a row differ from key to key. Each term’s part of these differences; the parts add up to 1, so one can exceed 1 where another works against it and is negative. “Strongest” is the head with the least due to content.",
    },
  },
  none: {
    previous: "not measured",
    induction: "not measured",
    delimiter: "not measured",
    metre: "no verse",
    position: "no term of its own",
  },
  even: (value) => `(evenly spread: ${value})`,
  strongest: (layer, head, value) => `strongest: layer ${layer}, head ${head} (${value})`,
  isStrongest: "the model’s strongest",
  jump: (shown, kind, model) => `${shown}; ${kind}, ${model}: show it`,
  note: (length) =>
    `The held-out text was kept from training: the books of Ruth, Jonah and Jude, and a slice of Tang poems, read in windows of ${length} tokens.`,
  missing: "These models’ heads have not been measured over the held-out text.",
};

const zh: ScoresWords = {
  names: namesZh,
  heldOut: namesZh,
  title: (layer, head, language) =>
    `第 ${layer} 层第 ${head} 个头在全部${namesZh[language]}上做什么`,
  kinds: {
    previous: { name: "前一个词元", meaning: "注意力落在紧挨着的前一个词元上的平均注意力。" },
    induction: {
      name: "归纳头",
      meaning:
        "当前词元若在前文出现过：落在它以往各次出现之后那个词元上的平均注意力，像是在问“以前接下来是什么”。",
    },
    delimiter: {
      name: "标点",
      meaning: "落在标点、行末和篇末上的平均注意力；没事可做的头常停在那里。",
    },
    metre: { name: "上句同位", meaning: "读诗时：落在上一句同一位置上的平均注意力。" },
    position: {
      name: "得分里的位置",
      meaning:
        "一行得分的起伏，各个分项各贡献几成，合计为 1；作用相反的记为负数。这一项的“最强”，是指内容占比最小的头。",
    },
  },
  none: {
    previous: "没有测过",
    induction: "没有测过",
    delimiter: "没有测过",
    metre: "不是诗",
    position: "位置没有单独的分项",
  },
  even: (value) => `（若平均分配：${value}）`,
  strongest: (layer, head, value) => `最强：第 ${layer} 层第 ${head} 个头（${value}）`,
  isStrongest: "这个模型里最强的",
  jump: (shown, kind, model) => `${shown}；${kind}，${model}模型：去看这个头`,
  note: (length) =>
    `留出文本没有参加训练：《圣经》中的《路得记》《约拿书》《犹大书》和一部分唐诗，每 ${length} 个词元一段。`,
  missing: "这些模型的注意力头还没有在留出文本上测过。",
};

export const scoresWords: Bilingual<ScoresWords> = { en, zh };
