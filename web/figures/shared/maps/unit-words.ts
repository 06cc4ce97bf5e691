/** Words of the choice between maps by word and by token. */
import type { Bilingual } from "../../../text/index.js";

const en = {
  by: "Maps by",
  units: { word: "word", token: "token" },
  note: "Some words are several tokens: their columns are summed and their rows averaged, so each row still sums to 1.",
};

export type UnitWords = typeof en;

const zh: UnitWords = {
  by: "按什么画",
  units: { word: "词", token: "词元" },
  note: "有的词由几个词元组成：它们的列相加，行取平均，所以每行之和仍是 1。",
};

export const unitWords: Bilingual<UnitWords> = { en, zh };
