/** Code that trains and tests as in the figure, as text to copy. */
import type { SchemeSpec } from "whereformer";
import { type LengthTask, lengthRecipe } from "../../defaults.js";
import type { Experiment } from "../../engine/page/experiment.js";

/** Trains every chosen scheme with every seed and tests it at every length, one after another. */
export function lengthCode(experiment: Experiment, chosen: readonly string[]): string {
  const { text } = experiment;
  const specs = chosen.map((id) => experiment.specOf(id));
  return experiment.task === "text"
    ? textCode(text.address, specs)
    : taskCode(experiment.task, specs);
}

const { model, length, steps, seeds, multiples } = lengthRecipe;
const lengths = JSON.stringify(multiples.map((multiple) => multiple * length));

const settingsOf = ({ batchSize, learningRate }: { batchSize: number; learningRate: number }) =>
  `seed, length: ${length}, batchSize: ${batchSize}, learningRate: ${learningRate}, totalSteps: ${steps},`;

function taskCode(task: LengthTask, specs: readonly SchemeSpec[]): string {
  const { ofTask, testSequences, testSeed } = lengthRecipe;
  return `import { load } from "whereformer";

const wf = await load({ training: true });
for (const scheme of ${JSON.stringify(specs)})
  for (const seed of ${JSON.stringify(seeds)}) {
    const trainer = wf.trainer({
      config: { ...${JSON.stringify(model)}, vocabSize: ${ofTask.symbols}, scheme, seed },
      task: { id: ${JSON.stringify(task)} },
      ${settingsOf(ofTask)}
    });
    trainer.step(${steps});
    for (const length of ${lengths})
      try {
        const test = { lengths: [length], sequences: ${testSequences}, seed: ${testSeed} };
        const [{ accuracy }] = trainer.evaluate(test);
        console.log(scheme.id ?? scheme, seed, length, accuracy); // share of right answers
      } catch (error) {
        console.log(scheme.id ?? scheme, seed, length, error.code); // where a table has ended
      }
    trainer.dispose();
  }
`;
}

function textCode(address: string, specs: readonly SchemeSpec[]): string {
  const { testCharacters } = lengthRecipe;
  return `import { load } from "whereformer";

const text = await (await fetch(${JSON.stringify(address)})).text();
const letters = [...new Set(text)].sort();
const all = Int32Array.from(text, (letter) => letters.indexOf(letter));
const end = all.length - ${testCharacters + 1};
const [ids, test] = [all.slice(0, end), all.slice(end)];

const wf = await load({ training: true });
for (const scheme of ${JSON.stringify(specs)})
  for (const seed of ${JSON.stringify(seeds)}) {
    const trainer = wf.trainer({
      config: { ...${JSON.stringify(model)}, vocabSize: letters.length, scheme, seed },
      task: { id: "language_model", ids },
      ${settingsOf(lengthRecipe)}
    });
    trainer.step(${steps});
    const model = trainer.model();
    for (const length of ${lengths}) {
      let sum = 0;
      const windows = Math.floor(${testCharacters} / length);
      try {
        for (let at = 0; at < windows * length; at += length)
          sum += model.loss(test.slice(at, at + length + 1)).mean;
        console.log(scheme.id ?? scheme, seed, length, sum / windows / Math.LN2); // bits a letter
      } catch (error) {
        console.log(scheme.id ?? scheme, seed, length, error.code); // where a table has ended
      }
    }
    model.dispose();
    trainer.dispose();
  }
`;
}
