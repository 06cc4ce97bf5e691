/** How results are counted: the loss on a text, or the right answers of a task. */
import type { LengthTask } from "../../defaults.js";

export interface TestMeasure {
  /**
   * Limits and step of a guess, and its value before the reader moves it: there the rings cover no
   * recorded result.
   */
  min: number;
  max: number;
  resting: number;
  step: number;
  /** End of the chart's scale if results are below. */
  end: number;
  isHighBest: boolean;
  /** Name in a table for a file. */
  column: string;
  text: (value: number) => string;
}

const bits: TestMeasure = {
  min: 2,
  max: 6,
  resting: 3.8,
  step: 0.05,
  end: 4,
  isHighBest: false,
  column: "bits_per_character",
  text: (value) => value.toFixed(2),
};

const right: TestMeasure = {
  min: 0,
  max: 100,
  resting: 5,
  step: 1,
  end: 100,
  isHighBest: true,
  column: "percent_right",
  text: (value) => `${Math.round(value)}%`,
};

export const measureOf = (task: LengthTask): TestMeasure => (task === "text" ? bits : right);
