/** Texts of the machine, in both languages. */
import type { Socket } from "../../engine/both/catalogue-messages.js";
import type { Bilingual } from "../../text/bilingual.js";
import type { MachineLabels } from "./picture.js";
import type { MachineSocket } from "./state.js";

/** Numbers of schemes: at each socket, those whose scores stay if all positions are shifted. */
export interface Counts {
  all: number;
  at: Record<MachineSocket, number>;
  steady: Record<MachineSocket, number>;
}

const ofAll = {
  en: ({ at, steady }: Counts, socket: Socket) =>
    steady[socket] === at[socket]
      ? "with all of them"
      : steady[socket] === 0
        ? "with none of them"
        : `with ${steady[socket]} of them`,
  zh: ({ at, steady }: Counts, socket: Socket) =>
    steady[socket] === at[socket]
      ? "这些方案的得分全都不变"
      : steady[socket] === 0
        ? "这些方案没有一种能保持得分不变"
        : `其中 ${steady[socket]} 种得分不变`,
};

const en = {
  name: "Three sockets for a position",
  choice: "Plug in at",
  sockets: {
    none: "nowhere",
    word: "1 the word",
    rotation: "2 query and key",
    bias: "3 the score",
  } as Record<MachineSocket, string>,
  titles: {
    none: "A position can enter attention at three sockets",
    word: "At the word: the position goes through both matrices",
    rotation: "At query and key: two positions go in, their distance comes out",
    bias: "At the score: the distance is a number on top",
  } as Record<MachineSocket, string>,
  labels: {
    words: ["mouse", "cat"],
    roles: ["looks", "is looked at"],
    acts: { word: "add a vector", rotation: "rotate by an angle", bias: "add a number" },
    examples: {
      word: "sinusoids, learned tables",
      rotation: "RoPE",
      bias: "T5, ALiBi, KERPLE",
    },
    positions: ["position i", "position j"],
    distance: "distance i − j",
    weights: "weight",
    before: "before the first layer",
    inside: "in every layer",
    values: "value",
    output: ["what “mouse” takes", "from “cat”"],
    joiner: " ",
  } as MachineLabels,
  captions: {
    none: ({ all, at }: Counts) =>
      `With nothing plugged in, q · k compares two words and knows nothing of where they stand. Of the ${all} schemes on this site, ${at.word} plug in at the word, ${at.rotation} at query and key, ${at.bias} at the score; ${at.none} at none of the three.`,
    word: (counts: Counts) =>
      `Each word gets the vector of its position, before the first layer. From there both go through the same matrices, which blend them, and into the value as well. ${counts.at.word} of ${counts.all} schemes plug in here; ${ofAll.en(counts, "word")} scores stay the same if the whole text moves on.`,
    rotation: (counts: Counts) =>
      `The matrices see words alone. Then query and key are rotated, each by the angle of its position, and q · k keeps only the angle between them. The value is not rotated. ${counts.at.rotation} of ${counts.all} schemes plug in here; ${ofAll.en(counts, "rotation")} scores stay the same if the whole text moves on.`,
    bias: (counts: Counts) =>
      `Words, queries and keys stay as they are. The score gets a number for the distance; with some schemes it depends on the words too. ${counts.at.bias} of ${counts.all} schemes plug in here; ${ofAll.en(counts, "bias")} scores stay the same if the whole text moves on.`,
  },
  lists: {
    none: "At none of the three: ",
    word: "At the word: ",
    rotation: "At query and key: ",
    bias: "At the score: ",
  } as Record<MachineSocket, string>,
  joiner: ", ",
  end: ".",
  more: {
    none: ["Order without a socket: the mask", "#mask"],
    word: ["More on sinusoids: the clock", "#clock"],
    rotation: ["More on RoPE: the angle", "#angle"],
    bias: ["More on biases: curves by distance", "#distance"],
  } as Record<MachineSocket, readonly [text: string, href: string]>,
  keys: "Left and right, or up and down, go from socket to socket.",
  small: {
    none: "Of the three sockets of a layer it uses none.",
    word: "It plugs in at the word.",
    rotation: "It plugs in at query and key.",
    bias: "It plugs in at the score.",
  } as Record<MachineSocket, string>,
  about: "Three sockets",
  note: "Where a scheme plugs in, with its default options, is what the engine says of it. The dotted line shows how far the position comes along.",
  caveat:
    "Not shown: the other words, heads and layers, and the norm before W. A few schemes also act on the output.",
};

export type MachineWords = typeof en;

const zh: MachineWords = {
  name: "位置的三个插口",
  choice: "接入",
  sockets: { none: "不接", word: "1 词", rotation: "2 查询和键", bias: "3 得分" },
  titles: {
    none: "位置可以从三个插口进入注意力",
    word: "接在词上：位置与词一起穿过两个矩阵",
    rotation: "接在查询和键上：进去两个位置，出来一个距离",
    bias: "接在得分上：距离就是另加的一个数",
  },
  labels: {
    words: ["老鼠", "猫"],
    roles: ["在看", "被看"],
    acts: { word: "加一个向量", rotation: "转一个角度", bias: "加一个数" },
    examples: { word: "正弦编码、可学习的位置表", rotation: "RoPE", bias: "T5、ALiBi、KERPLE" },
    positions: ["位置 i", "位置 j"],
    distance: "距离 i − j",
    weights: "权重",
    before: "进第一层之前",
    inside: "每一层都做",
    values: "值",
    output: ["“老鼠”从“猫”", "那里取走的"],
    joiner: "",
  },
  captions: {
    none: ({ all, at }) =>
      `什么都不接时，q · k 只比较两个词，不知道它们站在哪里。本站的 ${all} 种方案里，${at.word} 种接在词上，${at.rotation} 种接在查询和键上，${at.bias} 种接在得分上，${at.none} 种一个也不用。`,
    word: (counts) =>
      `进第一层之前，每个词加上自己位置的向量。此后两者一起穿过同样的矩阵，混在一处，也进了值里。${counts.all} 种方案里有 ${counts.at.word} 种接在这里；整段文本往后移，${ofAll.zh(counts, "word")}。`,
    rotation: (counts) =>
      `矩阵只见到词。随后查询和键各按自己的位置转过一个角度，q · k 里只剩下两者的夹角；值不转。${counts.all} 种方案里有 ${counts.at.rotation} 种接在这里；整段文本往后移，${ofAll.zh(counts, "rotation")}。`,
    bias: (counts) =>
      `词、查询、键都原样不动。得分按距离另加一个数；有些方案里，这个数也与词有关。${counts.all} 种方案里有 ${counts.at.bias} 种接在这里；整段文本往后移，${ofAll.zh(counts, "bias")}。`,
  },
  lists: {
    none: "三个插口都不用：",
    word: "接在词上：",
    rotation: "接在查询和键上：",
    bias: "接在得分上：",
  },
  joiner: "、",
  end: "。",
  more: {
    none: ["不用插口，次序从掩码来", "#mask"],
    word: ["正弦编码：见“钟”", "#clock"],
    rotation: ["RoPE：见“角度”", "#angle"],
    bias: ["偏置：见各方案的曲线", "#distance"],
  },
  keys: "用左右键或上下键换插口。",
  small: {
    none: "一层里的三个插口，它一个也不用。",
    word: "它接在词上。",
    rotation: "它接在查询和键上。",
    bias: "它接在得分上。",
  },
  about: "三个插口",
  note: "方案按默认选项接在哪里，以引擎给出的为准。虚线表示位置一路带到了哪里。",
  caveat: "图上没有画：其他的词、头和层，以及 W 之前的归一化。有几种方案还作用于输出。",
};

export const machineWords: Bilingual<MachineWords> = { en, zh };
