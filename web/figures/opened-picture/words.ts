/** The words of the figure in which the reader's own model looks at the reader's own picture. */
import type { OpenedModel } from "../../engine/both/checkpoint-messages.js";
import type { Bilingual } from "../../text/index.js";
import { counted, megabytes, percent, seconds } from "../../text/numbers.js";
import { panelWords } from "../shared/opened/words.js";

/** A token by its name: a patch's row and column, from 1, or one of those before the patches. */
export type NamedToken = { row: number; column: number } | { special: string };

const [enPanel, zhPanel] = [panelWords.en, panelWords.zh];
const noModelEn =
  "A model of pictures is a folder with config.json, model.safetensors and, where it has one, preprocessor_config.json.";
const noModelZh =
  "图片模型是一个文件夹，有 config.json、model.safetensors，一般还有 preprocessor_config.json。";

const specialEn = (label: string): string =>
  label === "class"
    ? "the class token"
    : label === "distillation"
      ? "the distillation token"
      : label;
const tokenEn = (token: NamedToken): string =>
  "special" in token
    ? specialEn(token.special)
    : `the patch in row ${token.row}, column ${token.column}`;
const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

const en = {
  name: "Your own picture, seen by your own model: whom each patch asks",
  heading: (name: string) => `Whom a patch asks, in ${name}`,
  closedHeading: "Open a model that reads pictures",
  sampleName: "a small model of this page’s",
  empty: "No model is open. Choose files, or take the small one.",
  source: {
    ...enPanel.source,
    drop: "Drop a picture here, or a model that reads pictures, or both: ViT, DeiT, DINOv2 (with registers or without), DINOv3, and the picture towers of CLIP, SigLIP and SigLIP 2, as Hugging Face folders or their files.",
    picture: "Choose a picture",
  },
  failure: {
    ...enPanel.failure,
    causes: {
      ...enPanel.failure.causes,
      malformed_file: `The contents of the files are wrong. ${noModelEn}`,
      invalid_argument: `There is no model among these files. ${noModelEn}`,
    },
  },
  unreadable: (name: string) => `${name} is no picture that this browser can read.`,
  model: ({
    family,
    parameterCount,
    weightBytes,
    numLayers,
    numHeads,
    milliseconds,
  }: OpenedModel) =>
    `${family}: ${counted(parameterCount, "en")} numbers, ${megabytes(weightBytes)} MB, ${numLayers} layers of ${numHeads} heads; opened in ${seconds.en(milliseconds)} s.`,
  picture: "Picture",
  pictures: { cat: "a cat", owl: "an owl", half: "half a cat" } as Record<string, string>,
  yourPicture: "yours",
  looking: "The model is looking at the picture …",
  layer: "Layer",
  head: "Head",
  over: "The picture, in patches; clear where the asking one looks",
  overLabel: "Patches of the picture, and where the asking one looks",
  tokens: "beside the patches",
  tokensLabel: "Tokens before the patches",
  short: { class: "class", distillation: "distil." } as Record<string, string>,
  allHeads: "The same question in every head",
  headsOfLayer: (layer: number) => `The same question in every head of layer ${layer}`,
  headsNote: "layers down, heads across",
  headCell: (layer: number, head: number) => `layer ${layer}, head ${head}`,
  patchCell: (row: number, column: number, share: number) =>
    `row ${row}, column ${column}: ${percent(share)} of attention`,
  specialCell: (label: string, share: number) =>
    `${specialEn(label)}: ${percent(share)} of attention`,
  veil: (limit: number) => `0 to ${percent(limit)} of attention: veiled to clear`,
  legendQuery: "asks; point at another, drag, or walk with the arrow keys",
  legendKey: "gets most",
  caption: (
    { layer, head }: { layer: number; head: number },
    query: NamedToken,
    key: NamedToken,
    share: number,
    ofPatches: number | undefined,
  ) =>
    `${capital(tokenEn(query))} asks: in layer ${layer}, head ${head}, ${percent(share)} of its attention goes to ${tokenEn(key)}.${ofPatches === undefined ? "" : ` All patches together get ${percent(ofPatches)}.`}`,
  noteOfSample:
    "The page’s own model has 2 layers of width 64. It was trained here, in minutes, on drawn creatures of 12 × 12 tiles whose right half mirrors the left: some tiles were hidden or replaced, and it had to restore them; the class token had to tell the colour of the eyes. It restores every tile of new creatures and is right about 98% of the eyes. It has never seen a photograph, so in yours only what depends on position is to be taken seriously.",
  noteOfTheirs: (patches: number, milliseconds: number) =>
    `${patches} patches, looked at in ${seconds.en(milliseconds)} s, in a worker of its own.`,
  cropped: "The model’s files crop the picture: it sees what is shown here, and nothing beyond.",
  caveat:
    "Most of these models add positions to the patches’ vectors before the first layer, so a score has no separate term for them; DINOv3 rotates queries and keys instead. A map says where a head takes from, not what that is worth: from the second layer on a patch’s vector holds what it got from others, and large models park attention on patches that mean little.",
};

export type LookWords = typeof en;

const specialZh = (label: string): string =>
  label === "class"
    ? "类别词元"
    : label === "distillation"
      ? "蒸馏词元"
      : label.replace("register", "寄存器");
const tokenZh = (token: NamedToken): string =>
  "special" in token ? specialZh(token.special) : `第 ${token.row} 行第 ${token.column} 列的图块`;

const zh: LookWords = {
  name: "用你自己的模型看你自己的图片：每个图块在问谁",
  heading: (name) => `图块在问谁：${name}`,
  closedHeading: "打开一个读图片的模型",
  sampleName: "本页自带的小模型",
  empty: "还没有打开模型。请选择文件，或者先用自带的小模型。",
  source: {
    ...zhPanel.source,
    drop: "把图片拖到这里，或者拖一个读图片的模型，也可以一起拖：ViT、DeiT、DINOv2（带不带寄存器都行）、DINOv3，以及 CLIP、SigLIP 和 SigLIP 2 的图片塔；要 Hugging Face 的文件夹，或其中的文件。",
    picture: "选择图片",
  },
  failure: {
    ...zhPanel.failure,
    causes: {
      ...zhPanel.failure.causes,
      malformed_file: `文件内容不对。${noModelZh}`,
      invalid_argument: `这些文件里没有模型。${noModelZh}`,
    },
  },
  unreadable: (name) => `${name} 不是这个浏览器能读的图片。`,
  model: ({ family, parameterCount, weightBytes, numLayers, numHeads, milliseconds }) =>
    `${family}：${counted(parameterCount, "zh")}个参数，${megabytes(weightBytes)} MB；${numLayers} 层，每层 ${numHeads} 个头；打开用了 ${seconds.zh(milliseconds)} 秒。`,
  picture: "图片",
  pictures: { cat: "猫", owl: "猫头鹰", half: "半只猫" },
  yourPicture: "你的",
  looking: "模型正在看这张图片……",
  layer: "层",
  head: "头",
  over: "图片，分成图块；正在问的图块看哪里，哪里就清楚",
  overLabel: "图片的图块，以及正在问的图块看哪里",
  tokens: "图块之外",
  tokensLabel: "图块之前的词元",
  short: { class: "类别", distillation: "蒸馏" },
  allHeads: "同一个问题，在每个头里",
  headsOfLayer: (layer) => `同一个问题，在第 ${layer} 层的每个头里`,
  headsNote: "竖向为层，横向为头",
  headCell: (layer, head) => `第 ${layer} 层第 ${head} 个头`,
  patchCell: (row, column, share) => `第 ${row} 行第 ${column} 列：占注意力的 ${percent(share)}`,
  specialCell: (label, share) => `${specialZh(label)}：占注意力的 ${percent(share)}`,
  veil: (limit) => `注意力从 0 到 ${percent(limit)}：从朦胧到清楚`,
  legendQuery: "正在问的；指向别的图块、拖动，或用方向键移动",
  legendKey: "得到最多的",
  caption: ({ layer, head }, query, key, share, ofPatches) =>
    `${tokenZh(query)}在问：在第 ${layer} 层第 ${head} 个头里，它把 ${percent(share)} 的注意力给了${tokenZh(key)}。${ofPatches === undefined ? "" : `所有图块合起来得到 ${percent(ofPatches)}。`}`,
  noteOfSample:
    "本页自带的模型有两层，宽 64 维，是在这里用几分钟训练的；训练用的图片是画出来的小动物，12 × 12 格，右半边是左半边的镜像。有些格子被遮住或换掉，它要把它们补回来；类别词元要说出眼睛的颜色。没见过的小动物，它能把每一格都补对，眼睛的颜色说对 98%。它从没见过照片，所以看你的照片时，只有取决于位置的那部分值得当真。",
  noteOfTheirs: (patches, milliseconds) =>
    `${patches} 个图块，看了 ${seconds.zh(milliseconds)} 秒，在单独的后台线程里算。`,
  cropped: "模型的文件规定要裁剪图片：它看到的就是这里显示的部分，之外的都看不到。",
  caveat:
    "这些模型大多在第一层之前就把位置加进图块的向量，所以得分里没有单独的位置分项；DINOv3 不加，改为旋转查询和键。注意力图只说明一个头从哪里取信息，不说明这信息有多大用处：从第二层起，一个图块的向量里已有它从别处取来的东西；大模型还会把注意力停在没什么内容的图块上。",
};

export const lookWords: Bilingual<LookWords> = { en, zh };
