/** The words of "what stands between two matrices". */
import type { Bilingual } from "../../text/index.js";
import { measured, plain } from "../../text/numbers.js";

const en = {
  name: "What stands between a query’s latent and a key’s",
  title: "With a rotation between them, two matrices have another product at every distance",
  titleZero: "At distance 0 nothing is turned, and both are the same matrix",
  move: "Move the key’s matrix to the query",
  product: (isRotated: boolean, isMoved: boolean): string =>
    isRotated
      ? isMoved
        ? "With a rotation between them it bounces off: R is another one at every distance."
        : "With RoPE: a rotation R between query and key."
      : isMoved
        ? "It moves over: one matrix, made once and for all, and the cache keeps c alone."
        : "Without a rotation: query, then key.",
  distance: "Distance between query and key",
  distanceText: (distance: number) => `${distance} tokens`,
  rotated: "turned: query matrixᵀ · R · key matrix",
  plain: "not turned: query matrixᵀ · key matrix",
  scale: "entry of the matrix",
  parts: "one latent head’s score by distance",
  score: "score",
  content: "content part",
  position: "turned part",
  x: "distance in tokens",
  here: (distance: number) => `here: ${distance}`,
  cell: (name: string, row: number, column: number, value: number) =>
    `${name}, row ${row}, column ${column}: ${plain(value)}`,
  point: (distance: number, content: number, position: number) =>
    `distance ${distance}: content ${plain(content)}, turned part ${plain(position)}, score ${plain(content + position)}`,
  caption: (distance: number, change: number, content: number, position: number) =>
    `${distance} tokens apart, entries of the turned matrix differ from those at distance 0 by up to ${measured(change)}; those of the other by nothing, at any distance. So the other can be moved to the query once and for all. What position has to say stands beside it, in a slice of its own: here the score is ${plain(content)} from content and ${plain(position)} from the slice.`,
  note: (rank: number, seed: number) =>
    `Both have ${rank} rows and columns, and are products of matrices drawn from seed ${seed}, which make a head’s query and key of two latents; R turns by the distance. On the right a query and keys that are all alike, in a head of ${rank} channels of content and ${rank} that turn.`,
  caveat:
    "Not shown: real sizes. In DeepSeek-V2 the matrix of a head would be 1,536 by 512, and there would have to be one for each distance and head. Trained entries are other numbers; that they change with the distance does not depend on them.",
};

export type AbsorbWords = typeof en;

const zh: AbsorbWords = {
  name: "查询与键的潜在向量之间隔着什么",
  title: "中间夹着旋转，每个距离的乘积都是另一个矩阵",
  titleZero: "距离为 0 时什么也没转，两个矩阵相同",
  move: "把键的矩阵移到查询一边",
  product: (isRotated, isMoved) =>
    isRotated
      ? isMoved
        ? "中间有旋转，矩阵移不过去：每个距离的 R 都不一样。"
        : "用 RoPE：查询与键之间有旋转 R。"
      : isMoved
        ? "移过去了：两个矩阵预先乘成一个，缓存里只需要存 c。"
        : "没有旋转：左边是查询，右边是键。",
  distance: "查询与键的距离",
  distanceText: (distance) => `${distance} 个词元`,
  rotated: "有旋转：查询矩阵ᵀ · R · 键矩阵",
  plain: "无旋转：查询矩阵ᵀ · 键矩阵",
  scale: "矩阵元素",
  parts: "一个 MLA 头的得分随距离的变化",
  score: "得分",
  content: "内容部分",
  position: "旋转部分",
  x: "距离（词元）",
  here: (distance) => `现在：${distance}`,
  cell: (name, row, column, value) => `${name}，第 ${row} 行第 ${column} 列：${plain(value)}`,
  point: (distance, content, position) =>
    `距离 ${distance}：内容 ${plain(content)}，旋转部分 ${plain(position)}，得分 ${plain(content + position)}`,
  caption: (distance, change, content, position) =>
    `相距 ${distance} 个词元时，有旋转的矩阵与距离 0 处相比，元素最多差 ${measured(change)}；无旋转的那个，在任何距离上都一点不差。所以后者可以预先乘好，把键的矩阵并到查询一边。位置信息放在旁边，另占一小段：这里的得分，${plain(content)} 来自内容，${plain(position)} 来自那一小段。`,
  note: (rank, seed) =>
    `两个乘积都是 ${rank} 行 ${rank} 列，相乘的矩阵由种子 ${seed} 生成，把两个潜在向量变成一个头的查询和键；R 按距离旋转。得分图中查询与各个键都是同一个向量，头里 ${rank} 维管内容，${rank} 维旋转。`,
  caveat:
    "图上看不出的：真实的尺寸。在 DeepSeek-V2 里，一个头的这个矩阵是 1,536 行 512 列，而且每个头、每个距离都得另备一个。训练出来的元素是别的数；但矩阵会随距离而变，与元素是多少无关。",
};

export const absorbWords: Bilingual<AbsorbWords> = { en, zh };
