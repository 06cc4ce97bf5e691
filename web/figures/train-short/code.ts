/** Code that trains and tests as in the figure, as text to copy. */
import { lengthRecipe } from "../../defaults.js";
import type { Experiment } from "../../engine/page/experiment.js";

/** Trains every chosen scheme with every seed and tests it at every length, one after another. */
export function lengthCode(experiment: Experiment, chosen: readonly string[]): string {
  const { text } = experiment;
  const specs = chosen.map((id) => experiment.specOf(id));
  const { model, length, batchSize, steps, learningRate, seeds, multiples, testCharacters } =
    lengthRecipe;
  return `import { load } from "whereformer";

const text = await (await fetch(${JSON.stringify(text.address)})).text();
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
      seed, length: ${length}, batchSize: ${batchSize}, learningRate: ${learningRate}, totalSteps: ${steps},
    });
    trainer.step(${steps});
    const model = trainer.model();
    for (const length of ${JSON.stringify(multiples.map((multiple) => multiple * length))}) {
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
