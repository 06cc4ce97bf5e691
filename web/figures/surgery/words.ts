/** The words of the figure with surgery on a trained model. */

import type { SurgeryKind } from "../../defaults.js";
import type { Bilingual } from "../../text/index.js";

export interface SurgeryWords {
  name: string;
  titles: Record<SurgeryKind, string>;
  model: string;
  layer: string;
  head: string;
  maps: Record<"before" | "after" | "difference", string>;
  mapLabel: (which: string) => string;
  max: (largest: string) => string;
  note: (scored: number, milliseconds: number) => string;
  caveat: string;
  empty: string;
  difference: string;
}

const en: SurgeryWords = {
  name: "An operation on a trained model: one map and the held-out loss, with and without",
  titles: {
    zero: "Take one term out of the scores: what breaks?",
    drop: "Leave one pair of channels out: what breaks?",
    freeze: "Stop one pair from turning: what breaks?",
    option: "Turn the dial after training: what breaks?",
    remap: "Give far keys other positions: what breaks?",
    scheme: "Exchange the scheme after training: what breaks?",
    move: "Move one token: who notices?",
    copy: "Give two tokens one position: who notices?",
  },
  model: "Model",
  layer: "Layer",
  head: "Head",
  maps: { before: "Before", after: "After", difference: "After minus before" },
  mapLabel: (which) => `Attention map: ${which}`,
  max: (largest) => ` In this map the largest change is ${largest}.`,
  note: (scored, milliseconds) =>
    `Loss: the first ${scored / 2} tokens of the held-out English and as many of the Chinese, in windows of 128, read anew with each operation. The last one took ${milliseconds.toFixed(0)} ms.`,
  caveat:
    "What changes here is caused by the operation, in a model that was trained without it; a model trained that way from the start may do as well by other means. A few hundred tokens give the direction, not the third decimal. Terms, pairs, options and schemes are changed where you say; a moved token is moved in all layers, in the held-out text the token with the same number in each window. A new scheme that trains numbers of its own begins with untrained ones.",
  empty: "Type two words or more in the figure above.",
  difference: "change of weight",
};

const zh: SurgeryWords = {
  name: "改动训练好的模型：一张注意力图和留出文本上的损失，改动前后各是多少",
  titles: {
    zero: "从得分里拿掉一个分项：会出什么问题？",
    drop: "去掉一对通道：会出什么问题？",
    freeze: "让一对通道不再转动：会出什么问题？",
    option: "训练完再拧旋钮：会出什么问题？",
    remap: "给远处的键换位置：会出什么问题？",
    scheme: "训练完再换方案：会出什么问题？",
    move: "挪动一个词元：谁会察觉？",
    copy: "让两个词元站在同一处：谁会察觉？",
  },
  model: "模型",
  layer: "层",
  head: "头",
  maps: { before: "改动前", after: "改动后", difference: "改动后减改动前" },
  mapLabel: (which) => `注意力图：${which}`,
  max: (largest) => `这张图里变化最大的一格变了 ${largest}。`,
  note: (scored, milliseconds) =>
    `损失取自留出的英文和中文各自开头的 ${scored / 2} 个词元，每 128 个一段，每改动一次就重读一遍。上一次用了 ${milliseconds.toFixed(0)} 毫秒。`,
  caveat:
    "这里的变化是改动造成的，而模型训练时并没有这样改过；若从头就这样训练，模型也许会另找办法，做得一样好。几百个词元只够看出方向，小数点后第三位不必当真。分项、通道对、选项和方案，只在你指定的范围里改；挪动词元则对所有层生效，在留出文本里挪的是每一段中序号相同的那个词元。新方案若有自己要训练的参数，用的是未经训练的初值。",
  empty: "请在上面那幅图里打两个词以上。",
  difference: "权重的变化",
};

export const surgeryWords: Bilingual<SurgeryWords> = { en, zh };
