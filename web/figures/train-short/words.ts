/** The words of the figure that trains in the tab. */

import type { LengthTask, lengthRecipe } from "../../defaults.js";
import type { Bilingual } from "../../text/index.js";
import { few, grouped } from "../../text/numbers.js";
import { amid } from "../../text/spacing.js";

type Tasks = Record<LengthTask, string>;

const en = {
  name: "Loss against the length of the test",
  question: (length: number) =>
    `Trained on ${length} letters at a time, tested on more: which will hold?`,
  finding: (name: string, multiple: number, value: string) =>
    `At ${multiple} times the training length, ${name} does best: ${value} bits a letter`,
  testTitle: "Tested on unseen text",
  trainTitle: "While training",
  x: "letters in a test text",
  y: "bits a letter",
  loss: "bits a letter",
  steps: "step",
  task: "They learn",
  tasks: { text: "a text", copy: "to copy", induction: "to continue a pattern" } as Tasks,
  whys: {
    text: "",
    copy: "Random symbols, a mark, and the same symbols again: each answer stands equally far back, but farther in a longer sequence than in any of training.",
    induction:
      "A row of 2 to 8 different symbols, over and over: whoever finds where the last symbol stood before knows the next. Longer sequences repeat it more often.",
  } as Tasks,
  gridLabel: "Loss of each scheme at each length",
  cell: (name: string, length: number, result: string) => `${name}, ${length} letters: ${result}`,
  spread: (min: string, max: string, count: number) => `, ${min} to ${max} over ${count} seeds`,
  cellUndefined: (name: string, length: number) => `${name}, ${length} letters: not defined`,
  atRest: (name: string, isRecorded: boolean) =>
    `${isRecorded ? "These curves were measured in advance, with the code that the button runs. One is missing. " : ""}Pull the four rings to where you think ${name} ends up. Fewer bits are better; a model that knows nothing needs nearly six, the top of the chart.`,
  recorded: "Measured in advance, with the code that the button runs. ",
  recordedKey: "measured in advance",
  band: (seeds: number) => `band: from the lowest to the highest of ${few.en(seeds)} seeds`,
  show: (name: string) => `Show ${name}`,
  changes: (from: number, to: number, list: string) =>
    list ? `From ${from} letters to ${to}, the loss changes by: ${list}, in bits a letter.` : "",
  ends: (name: string, length: number) =>
    ` At ${length} ${name} is not defined: the table has ended.`,
  endsAt: (name: string, length: number) => `${name}: the table ends at ${length}`,
  flat: (name: string) =>
    ` ${name} takes a little off for every step of distance, so its loss stays flat largely because it ignores the far text, not because it uses it.`,
  fromTo: (name: string, from: string, to: string) => `${name} from ${from} to ${to}`,
  off: (name: string, mean: string, max: string, multiple: number) =>
    ` Your guess for ${name} was off by ${mean} on average, most at ${multiple} × (${max}).`,
  guess: (name: string) => `your guess: ${name}`,
  drag: "drag",
  ring: (name: string, length: number) => `Your guess for ${name} at ${length} letters`,
  result: (value: string) => `${value} bits a letter`,
  formulaIs: "Your formula, as it will be trained:",
  formulaAgain: "Your formula has changed since it was trained; the curve is of the one before:",
  formulaChange: "change it",
  myGuess: "The rings are my guess for",
  guessFor: "Scheme to guess",
  train: "Train them yourself",
  again: "Train again",
  pause: "Pause",
  resume: "Resume",
  cancel: "Cancel",
  paused: "Paused.",
  training: "Training.",
  progressLabel: "Steps of training done",
  progress: (done: number, total: number, models: number, of: number) =>
    `${grouped(done)} of ${grouped(total)} steps, ${models} of ${of} models done.`,
  left: (seconds: number) =>
    seconds < 90
      ? `About ${Math.max(1, Math.round(seconds))} s left.`
      : `About ${Math.round(seconds / 60)} min left.`,
  tableLabel: "The numbers",
  tableCaption: (seeds: number) =>
    `Bits a letter on unseen text, by length of the test; mean of up to ${seeds} seeds ± half the range`,
  file: "Weights",
  keep: "Save",
  keepLabel: (name: string) => `Save the weights of ${name}`,
  load: "Go on with saved weights …",
  notOurs: (file: string) => `${file} was not saved here.`,
  otherRecipe: (file: string) => `${file} is of a model of other sizes.`,
  goesOn: (name: string, steps: number) => `${name} goes on from step ${steps}.`,
  continued: (name: string, steps: number) => `${name}, ${steps} steps`,
  refused: (name: string) => `${name} could not be trained:`,
  note: (
    { model, length, batchSize, steps, seeds, tableMultiple, testCharacters }: typeof lengthRecipe,
    letters: number,
  ) =>
    `${model.numLayers} layers, ${model.numHeads} heads, ${model.hiddenSize} channels; ${steps} steps of ${batchSize} texts of ${length} letters from Genesis (${letters} different signs), seeds ${seeds.join(", ")}; tested on ${grouped(testCharacters)} letters that nobody was trained on, cut into texts of each length. A table of positions has ${tableMultiple * length} rows, of which training sees the first ${length}. All is computed in this tab, and nothing leaves it.`,
  caveat:
    "Not shown: large models, long training, real lengths. Three seeds are few. Loss at a length is the mean over all positions in the text, early ones included.",
};

export type TrainWords = typeof en;

/** In place of the words for a text, if a task is learnt. */
const enOfTask: Partial<TrainWords> = {
  name: "Right answers against the length of the test",
  question: (length) =>
    `Trained on ${length} symbols at a time, tested on more: which will still know?`,
  finding: (name, multiple, value) =>
    `At ${multiple} times the training length, ${name} does best: ${value} of its answers are right`,
  testTitle: "Tested on new sequences",
  x: "symbols in a test sequence",
  y: "right answers, %",
  loss: "bits an answer",
  gridLabel: "Right answers of each scheme at each length",
  cell: (name, length, result) => `${name}, ${length} symbols: ${result}`,
  cellUndefined: (name, length) => `${name}, ${length} symbols: not defined`,
  atRest: (name, isRecorded) =>
    `${isRecorded ? "These curves were measured in advance, with the code that the button runs. One is missing. " : ""}Pull the four rings to where you think ${name} ends up; by chance about one answer in eight is right.`,
  changes: (from, to, list) =>
    list ? `Right answers, from ${from} symbols to ${to}: ${list}.` : "",
  ring: (name, length) => `Your guess for ${name} at ${length} symbols`,
  result: (value) => `${value} right`,
  tableCaption: (seeds) =>
    `Right answers on new sequences, by their length; mean of up to ${seeds} seeds ± half the range`,
  note: (recipe, symbols) => {
    const { model, length, steps, seeds, tableMultiple, testSequences } = recipe;
    const { batchSize } = recipe.ofTask;
    return `${model.numLayers} layers, ${model.numHeads} heads, ${model.hiddenSize} channels; ${steps} steps of ${batchSize} sequences of ${length} symbols (${symbols} different ones), seeds ${seeds.join(", ")}; tested on ${testSequences} new sequences of each length. Only those answers count that can be known. A table of positions has ${tableMultiple * length} rows, of which training sees the first ${length}. All is computed in this tab, and nothing leaves it.`;
  },
  caveat:
    "Not shown: large models, long training, real texts. A low share means “not learned in so few steps”, not “cannot”. Three seeds are few.",
};

const zh: TrainWords = {
  name: "损失随测试长度的变化",
  question: (length) => `每次只用 ${length} 个字母训练，测试时拉长：谁撑得住？`,
  finding: (name, multiple, value) =>
    `到训练长度的 ${multiple} 倍，${amid(name).trimStart()}最好：每字母 ${value} 比特`,
  testTitle: "在留出文本上测试",
  trainTitle: "训练过程",
  x: "测试文字的字母数",
  y: "比特 / 字母",
  loss: "比特 / 字母",
  steps: "步",
  task: "学什么",
  tasks: { text: "一段文本", copy: "抄写", induction: "接着重复" },
  whys: {
    text: "",
    copy: "先是随机的符号，再是一个记号，然后把那些符号照抄一遍：答案总在往回同样远的地方，可是序列一长，就比训练时的任何一次都远。",
    induction:
      "一串互不相同的符号反复出现，每串 2 到 8 个：只要找到上一个符号以前出现在哪里，就知道下一个是什么。序列长了，只是重复得更多。",
  },
  gridLabel: "各方案在各长度上的损失",
  cell: (name, length, result) => `${name}，${length} 个字母：${result}`,
  spread: (min, max, count) => `，${count} 个种子从 ${min} 到 ${max}`,
  cellUndefined: (name, length) => `${name}，${length} 个字母：无定义`,
  atRest: (name, isRecorded) =>
    `${isRecorded ? "这几条曲线是事先测好的，还缺一条。" : ""}猜一猜${amid(name)}在四种长度上的损失，把四个圆环拖到那里：比特越少越好；一无所知的模型要将近六比特，也就是图的顶端。`,
  recorded: "这是事先测好的结果，用的就是按钮运行的代码。",
  recordedKey: "事先测好的",
  band: (seeds) => `色带：${few.zh(seeds)}个种子里从最低到最高`,
  show: (name) => `看看${amid(name).trimEnd()}`,
  changes: (from, to, list) =>
    list ? `从 ${from} 个字母到 ${to} 个，每字母损失的变化（比特）：${list}。` : "",
  ends: (name, length) => `到 ${length} 个字母，${amid(name)}无定义：它的表到头了。`,
  endsAt: (name, length) => `${name}：表到 ${length} 为止`,
  flat: (name) =>
    `${amid(name).trimStart()}每远一步就多扣一点，所以它的损失稳得住，主要靠不看远处，不是用上了远处。`,
  fromTo: (name, from, to) => `${amid(name).trimStart()}从 ${from} 到 ${to}`,
  off: (name, mean, max, multiple) =>
    `你对${amid(name)}的猜测平均差 ${mean}，差得最多的是 ${multiple} 倍处（${max}）。`,
  guess: (name) => `你的猜测：${name}`,
  drag: "拖动",
  ring: (name, length) => `你猜${amid(name)}在 ${length} 个字母时的损失`,
  result: (value) => `每字母 ${value} 比特`,
  formulaIs: "你的公式，训练时用的就是它：",
  formulaAgain: "训练之后你又改了公式，曲线是改动之前的：",
  formulaChange: "改写",
  myGuess: "圆环是我对它的猜测：",
  guessFor: "猜哪种方案",
  train: "自己训练",
  again: "重新训练",
  pause: "暂停",
  resume: "继续",
  cancel: "取消",
  paused: "已暂停。",
  training: "正在训练。",
  progressLabel: "已训练的步数",
  progress: (done, total, models, of) =>
    `${grouped(done)} / ${grouped(total)} 步，${of} 个模型已完成 ${models} 个。`,
  left: (seconds) =>
    seconds < 90
      ? `大约还要 ${Math.max(1, Math.round(seconds))} 秒。`
      : `大约还要 ${Math.round(seconds / 60)} 分钟。`,
  tableLabel: "数值",
  tableCaption: (seeds) =>
    `留出文本上每字母的比特数，按测试长度；最多 ${seeds} 个种子的平均 ± 半个极差`,
  file: "权重",
  keep: "保存",
  keepLabel: (name) => `保存${amid(name)}的权重`,
  load: "用保存的权重接着训练……",
  notOurs: (file) => `${file} 不是在这里保存的。`,
  otherRecipe: (file) => `${file} 是另一种尺寸的模型。`,
  goesOn: (name, steps) => `${amid(name).trimStart()}从第 ${steps} 步接着训练。`,
  continued: (name, steps) => `${name}，${steps} 步`,
  refused: (name) => `${amid(name).trimStart()}训练不了：`,
  note: ({ model, length, batchSize, steps, seeds, tableMultiple, testCharacters }, letters) =>
    `${model.numLayers} 层，${model.numHeads} 个头，宽 ${model.hiddenSize} 维；训练 ${steps} 步，每步取《创世记》英文里的 ${batchSize} 段，每段 ${length} 个字母（共 ${letters} 种符号），种子为 ${seeds.join("、")}；测试用的 ${grouped(testCharacters)} 个字母没有参加训练，按各个长度切成段。位置表有 ${tableMultiple * length} 行，训练只见过前 ${length} 行。一切都在这个标签页里计算，什么也不会传出去。`,
  caveat:
    "图上看不出的：大模型、长时间的训练、真实的长度。三个种子并不多。某一长度的损失是文中所有位置的平均，开头几个位置也算在内。",
};

const zhOfTask: Partial<TrainWords> = {
  name: "正确率随测试长度的变化",
  question: (length) => `每次只用 ${length} 个符号训练，测试时拉长：谁还答得对？`,
  finding: (name, multiple, value) =>
    `到训练长度的 ${multiple} 倍，${amid(name).trimStart()}最好：答对 ${value}`,
  testTitle: "用新的序列测试",
  x: "测试序列的符号数",
  y: "正确率，%",
  loss: "比特 / 答案",
  gridLabel: "各方案在各长度上的正确率",
  cell: (name, length, result) => `${name}，${length} 个符号：${result}`,
  cellUndefined: (name, length) => `${name}，${length} 个符号：无定义`,
  atRest: (name, isRecorded) =>
    `${isRecorded ? "这几条曲线是事先测好的，还缺一条。" : ""}猜一猜${amid(name)}在四种长度上的正确率，把四个圆环拖到那里；瞎猜，大约八个里碰对一个。`,
  changes: (from, to, list) => (list ? `从 ${from} 个符号到 ${to} 个，正确率：${list}。` : ""),
  ends: (name, length) => `到 ${length} 个符号，${amid(name)}无定义：它的表到头了。`,
  ring: (name, length) => `你猜${amid(name)}在 ${length} 个符号时的正确率`,
  result: (value) => `答对 ${value}`,
  tableCaption: (seeds) => `新序列上的正确率，按序列的长度；最多 ${seeds} 个种子的平均 ± 半个极差`,
  note: (recipe, symbols) => {
    const { model, length, steps, seeds, tableMultiple, testSequences } = recipe;
    const { batchSize } = recipe.ofTask;
    return `${model.numLayers} 层，${model.numHeads} 个头，宽 ${model.hiddenSize} 维；训练 ${steps} 步，每步 ${batchSize} 个序列，每个 ${length} 个符号（共 ${symbols} 种），种子为 ${seeds.join("、")}；每种长度用 ${testSequences} 个新序列来测，只算能知道答案的地方。位置表有 ${tableMultiple * length} 行，训练只见过前 ${length} 行。一切都在这个标签页里计算，什么也不会传出去。`;
  },
  caveat:
    "图上看不出的：大模型、长时间的训练、真实的文本。正确率低，意思是“这么少的步数没学会”，不是“学不会”。三个种子并不多。",
};

export const trainWords: Bilingual<TrainWords> = { en, zh };
/** The words where a task is learned instead of a text. */
export const taskWords: Bilingual<TrainWords> = {
  en: { ...en, ...enOfTask },
  zh: { ...zh, ...zhOfTask },
};
