/**
 * Questions of the figures below the first screens, mostly to the trained models. In a separate
 * file, which is loaded with the first such question.
 */
import type { Engine } from "whereformer";
import { fetchedWhole } from "../both/fetched.js";
import { absorb } from "./absorption.js";
import { addedPosition, projectedPosition } from "./added-position.js";
import { countCache } from "./cache-bytes.js";
import { catalogueOf } from "./catalogue.js";
import type { OpenedCheckpoint } from "./checkpoint.js";
import { configPairs } from "./config-pairs.js";
import { timeForms } from "./decoding-forms.js";
import { distanceBias } from "./distance-bias.js";
import { biasByDistance, encodingRows } from "./element-schemes.js";
import { readFileMap } from "./file-map/read.js";
import type { GalleryQuestions } from "./gallery-questions.js";
import { readGhosts } from "./ghosts.js";
import { lookInGrid } from "./grid-look.js";
import { type Handlers, withPriority } from "./job.js";
import { readLonger } from "./longer-texts.js";
import { measureCosts } from "./measured-costs.js";
import { ModelStore } from "./model-store.js";
import { mixLayouts, pairLayouts } from "./pair-layouts.js";
import { readMaps } from "./read-maps.js";
import { rotatedPairs } from "./rotated-pairs.js";
import { stretch } from "./stretch.js";
import { TrainedModels } from "./trained-models.js";

export type LaterQuestions = Omit<Handlers, "pair" | "order" | keyof GalleryQuestions>;

/** The code for the reader's own models is in a further file. */
function checkpointOf(engine: () => Promise<Engine>): () => Promise<OpenedCheckpoint> {
  let coming: Promise<OpenedCheckpoint> | undefined;
  return () => {
    coming ??= import("./checkpoint.js").then(
      (file) => new file.OpenedCheckpoint(engine),
      () => {
        coming = undefined;
        throw Object.assign(new Error(""), { code: "network" });
      },
    );
    return coming;
  };
}

export function laterQuestions(engine: () => Promise<Engine>): LaterQuestions {
  const store = new ModelStore(engine);
  const trained = new TrainedModels(store);
  const checkpoint = checkpointOf(engine);
  return {
    rotation: async (question) => rotatedPairs(await engine(), question),
    added: (question, job) => addedPosition(store, question, job),
    projected: (question, job) => projectedPosition(store, question, job),
    distance: (question, job) => distanceBias(store, question, job),
    stretch: async (question) => stretch(await engine(), question),
    ghosts: (question, job) => readGhosts(store, question, job),
    longer: (question, job) => readLonger(store, question, job),
    load: (question, job) => trained.load(question, job),
    read: (question, job) => withPriority(() => trained.read(question, job)),
    head: (question) => trained.head(question),
    operate: (question, job) => trained.operate(question, job),
    grid: (question, job) => lookInGrid(store, question, job),
    layouts: async (question) => pairLayouts(await engine(), question),
    mixed: (question, job) => mixLayouts(store, question, job),
    cache: async (question) => countCache(await engine(), question),
    absorb: async (question) => absorb(await engine(), question),
    forms: async (question, job) => timeForms(await engine(), question, job),
    catalogue: async () => catalogueOf(await engine()),
    maps: (question, job) => readMaps(store, question, job),
    fileMap: (question) => readFileMap(question),
    fetched: fetchedWhole,
    encoding: async (question) => encodingRows(await engine(), question),
    bias: async (question) => biasByDistance(await engine(), question),
    pairs: async (question) => configPairs(await engine(), question),
    costs: async (question, job) => measureCosts(await engine(), question, job),
    checkpointReady: async () => (await checkpoint()).prepare(),
    checkpointOpen: async (question, job) => (await checkpoint()).open(question, job),
    checkpointEncode: async (question) => (await checkpoint()).encode(question),
    checkpointLoss: async (question, job) => (await checkpoint()).loss(question, job),
    checkpointThumbnails: async (question) => (await checkpoint()).thumbnails(question),
    checkpointHead: async (question) => (await checkpoint()).head(question),
    checkpointMap: async (question, job) => (await checkpoint()).map(question, job),
    checkpointKept: async (question) => (await checkpoint()).kept(question),
  };
}
