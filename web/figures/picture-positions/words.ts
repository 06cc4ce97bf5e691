/** The words of "what of pictures?". */
import type { GridScheme, GridWindow } from "../../defaults.js";
import type { Bilingual } from "../../text/index.js";
import { percent, plain } from "../../text/numbers.js";
import type { GridAnswer } from "./messages.js";

/** Numbers for the caption. */
export interface Seen {
  row: number;
  column: number;
  /** Effect of position on the next cell in the row, and on the next one in the column. */
  beside: number;
  below: number;
  /** The cell with the largest weight. */
  max: { row: number; column: number; share: number };
  side: number;
  /** First and last row and column of its window, from 1, if there are several windows. */
  window?: { rows: readonly [number, number]; columns: readonly [number, number] };
}

const signedText = (value: number): string => `${value > 0 ? "+" : ""}${plain(value)}`;

const signedStep = (step: number, onward: string, back: string): string =>
  step < 0 ? `${-step} ${back}` : `${step} ${onward}`;

const en = {
  name: "How one cell of a picture sees the others",
  scheme: "Positions by",
  schemes: {
    sinusoidal_2d: "sinusoids",
    learned_2d: "a table",
    rope_2d: "rotation (2-D RoPE)",
    mrope: "M-RoPE",
    swin: "Swin’s bias",
  } as Record<GridScheme, string>,
  titles: {
    sinusoidal_2d: "Half of the channels say the row, half the column",
    learned_2d: "A table learns a vector for each cell, and with it what lies near",
    rope_2d: "Some pairs turn with the row, the others with the column",
    mrope: "Time, row and column each turn pairs of their own",
    swin: "A learned number for every step across and down",
  } as Record<GridScheme, string>,
  picture: "the picture",
  pictureNote: "a cat and a mouse; ? asks in which quarter the mouse is",
  position: {
    added: "position alone: cosine of the added vectors, less its mean",
    rotated: "position alone: score of equal vectors, turned, less its mean",
    bias: "position alone: bias of this head, less its mean",
  } as Record<GridAnswer["kind"], string>,
  weights: (head: number) => `where the trained head\u00a0${head} looks`,
  pictureCell: (row: number, column: number) => `row ${row}, column ${column}`,
  positionCell: (row: number, column: number, value: number) =>
    Number.isNaN(value)
      ? `row ${row}, column ${column}: outside the window`
      : `row ${row}, column ${column}: ${plain(value)}`,
  weightCell: (row: number, column: number, share: number) =>
    Number.isNaN(share)
      ? `row ${row}, column ${column}: outside the window`
      : `row ${row}, column ${column}: ${percent(share)} of attention`,
  table: "the head’s table: a number for each step from the cell that looks",
  step: (down: number, along: number, value: number) =>
    `${signedStep(down, "down", "up")}, ${signedStep(along, "right", "left")}: ${plain(value)}`,
  window: "Windows of",
  windows: {
    "4": "4 × 4",
    shifted: "4 × 4, shifted by 2",
    "8": "8 × 8, as trained",
  } as Record<GridWindow, string>,
  head: "Head",
  side: "Cells of a side",
  sideText: (side: number, trained: number) =>
    side === trained ? `${side}, as trained` : String(side),
  caption: ({ row, column, beside, below, max, side, window }: Seen, pictureSide: number) =>
    `The cell in row ${row}, column ${column} looks.${window ? ` It sees its window, rows ${window.rows.join(" to ")} and columns ${window.columns.join(" to ")}, and nothing across the border.` : ""} By position alone its neighbour in the row is ${signedText(beside)} against the mean of ${window ? "the window" : "all cells"}, the one in the column ${signedText(below)}. This head looks most at row ${max.row}, column ${max.column}: ${percent(max.share)} of its attention.${side === pictureSide ? "" : ` The table has ${pictureSide} × ${pictureSide} rows; the ${side} × ${side} are interpolated from them.`}`,
  legendQuery: "framed: the cell that looks; point at another, or walk with the arrow keys",
  loading: (loaded: string, total: string) => `Fetching a small model: ${loaded} of ${total} MB`,
  scores: (ofScheme: string, blind: string) =>
    ` Models of this kind answered ${ofScheme} of questions about such pictures rightly (three seeds, two questions); without positions, ${blind}.`,
  legendWindow:
    "thick: its window, and in the table the steps to that window’s cells; hatched: not seen; thin, in the table: all steps that such windows need",
  notesOfWindows: {
    "4": " It was trained with one window as large as the picture. Windows of 4 × 4 are cut here: they need the inner 7 × 7 numbers of its 15 × 15, and the last layer’s attention is confined to them; the layer before still read the whole.",
    shifted:
      " It was trained with one window as large as the picture. Windows of 4 × 4, as Swin’s every other layer shifts them by half, are cut here, and the last layer’s attention is confined to them; the layer before still read the whole. What the shift leaves over at the edges are smaller windows.",
    "8": " It was trained so: one window as large as the picture, with 15 × 15 numbers for each head.",
  } as Record<GridWindow, string>,
  note: "A model of 2 layers and width 64, trained on pictures of 8 × 8 cells with one square of 2 × 2 among specks. To it the cat is specks, and the mouse is the square. The map is the last layer’s.",
  caveat:
    "The mean is taken away because softmax cancels what all keys have alike. Not shown: what the content of a cell adds to position’s part. In training only the first cell, “?”, was asked a question; where the others look came about by the way, and nothing follows from it.",
};

export type GridWords = typeof en;

const zh: GridWords = {
  name: "图片里的一格怎样看其他格",
  scheme: "位置编码",
  schemes: {
    sinusoidal_2d: "正弦",
    learned_2d: "位置表",
    rope_2d: "旋转（2-D RoPE）",
    mrope: "M-RoPE",
    swin: "Swin 的偏置",
  },
  titles: {
    sinusoidal_2d: "一半的维记行，一半的维记列",
    learned_2d: "位置表给每一格学一个向量，远近也就学到了",
    rope_2d: "有的通道对随行转，有的随列转",
    mrope: "时间、行、列，各转各的通道对",
    swin: "横走几步、竖走几步，各学一个数",
  },
  picture: "图片",
  pictureNote: "猫和老鼠；? 问：老鼠在哪个角",
  position: {
    added: "单看位置：所加向量的余弦，减去均值",
    rotated: "单看位置：相同向量转过之后的得分，减去均值",
    bias: "单看位置：这个头的偏置，减去均值",
  },
  weights: (head) => `训练好的模型，第\u00a0${head}\u00a0个头看哪里`,
  pictureCell: (row, column) => `第 ${row} 行第 ${column} 列`,
  positionCell: (row, column, value) =>
    Number.isNaN(value)
      ? `第 ${row} 行第 ${column} 列：在窗口之外`
      : `第 ${row} 行第 ${column} 列：${plain(value)}`,
  weightCell: (row, column, share) =>
    Number.isNaN(share)
      ? `第 ${row} 行第 ${column} 列：在窗口之外`
      : `第 ${row} 行第 ${column} 列：占注意力的 ${percent(share)}`,
  table: "这个头的偏置表：从正在看的格子走几步，各一个数",
  step: (down, along, value) =>
    `${down < 0 ? "上" : "下"} ${Math.abs(down)} 步，${along < 0 ? "左" : "右"} ${Math.abs(along)} 步：${plain(value)}`,
  window: "窗口",
  windows: { "4": "4 × 4", shifted: "4 × 4，错开 2 格", "8": "8 × 8，与训练时一样" },
  head: "头",
  side: "每边格数",
  sideText: (side, trained) => (side === trained ? `${side}，与训练时一样` : String(side)),
  caption: ({ row, column, beside, below, max, side, window }, pictureSide) =>
    `第 ${row} 行第 ${column} 列的格子在看。${window ? `它只看得见自己的窗口，即第 ${window.rows.join("–")} 行、第 ${window.columns.join("–")} 列，边界那边什么也看不见。` : ""}只论位置，与${window ? "窗口里" : "全部格子"}的均值相比，同行的邻格是 ${signedText(beside)}，同列的邻格是 ${signedText(below)}。这个头看得最多的是第 ${max.row} 行第 ${max.column} 列，占注意力的 ${percent(max.share)}。${side === pictureSide ? "" : `表里只有 ${pictureSide} × ${pictureSide} 行，这 ${side} × ${side} 格是插值出来的。`}`,
  legendQuery: "加框的是正在看的格子；指向别的格子，或用方向键移动",
  loading: (loaded, total) => `正在下载一个小模型：${loaded} / ${total} MB`,
  scores: (ofScheme, blind) =>
    `这样的模型回答这类图片的问题，${ofScheme} 答对（三个种子，两个问题）；不加位置编码的，${blind}。`,
  legendWindow:
    "粗框是它的窗口，偏置表里则是走到窗口各格的步子；斜线是看不见的；偏置表里的细框是这种窗口用得到的全部步子",
  notesOfWindows: {
    "4": "训练时只有一个窗口，和图片一样大。4 × 4 的窗口是在这里切的：偏置表 15 × 15 个数，只用得到中间的 7 × 7 个；最后一层的注意力只在窗口之内，前一层读的仍是整张图片。",
    shifted:
      "训练时只有一个窗口，和图片一样大。4 × 4 的窗口是在这里切的，像 Swin 每隔一层那样错开半个窗口；最后一层的注意力只在窗口之内，前一层读的仍是整张图片。错开之后，边上剩下的就是更小的窗口。",
    "8": "训练时就是这样：一个窗口，和图片一样大，每个头 15 × 15 个数。",
  },
  note: "模型两层、宽 64 维；训练用的图片有 8 × 8 格，是一些杂点和一个 2 × 2 的方块。在它看来，猫是一片杂点，老鼠是那个方块。注意力图取自最后一层。",
  caveat:
    "减去均值，是因为所有键都有的那一份，softmax 会消去。图上看不出的：格子里的内容给得分添了什么。训练时只有第一格“?”被提问；别的格子看哪里，是附带形成的，说明不了什么。",
};

export const gridWords: Bilingual<GridWords> = { en, zh };
