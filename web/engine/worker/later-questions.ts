/**
 * Answers to the figures below the first screens, mostly by the trained models. In a separate file,
 * which is loaded with the first such question. The `worker.ts` of a figure's folder answers its
 * own questions.
 */
import type { Engine } from "whereformer";
import { answers as absorption } from "../../figures/absorption/worker.js";
import { answers as addedPosition } from "../../figures/added-position/worker.js";
import { answers as clock } from "../../figures/clock/worker.js";
import { answers as costs } from "../../figures/costs/worker.js";
import { answers as decodingForms } from "../../figures/decoding-forms/worker.js";
import { answers as formula } from "../../figures/formula/worker.js";
import { answers as headScore } from "../../figures/head-score/worker.js";
import { answers as layers } from "../../figures/layers/worker.js";
import { answers as longer } from "../../figures/longer-reading/worker.js";
import { answers as pairLayouts } from "../../figures/pair-layouts/worker.js";
import { answers as picturePositions } from "../../figures/picture-positions/worker.js";
import { answers as slide } from "../../figures/slide/worker.js";
import { answers as stretch } from "../../figures/stretch/worker.js";
import { answers as rotation } from "../../figures/turning-pairs/worker.js";
import { answers as writing } from "../../figures/writing/worker.js";
import { fetchedWhole } from "../both/fetched.js";
import { countCache } from "./cache-bytes.js";
import { catalogueOf } from "./catalogue.js";
import type { OpenedCheckpoint } from "./checkpoint.js";
import { configPairs } from "./config-pairs.js";
import { distanceBias } from "./distance-bias.js";
import { biasByDistance, encodingRows } from "./element-schemes.js";
import { readFileMap } from "./file-map/read.js";
import type { GalleryQuestions } from "./gallery-questions.js";
import { readGhosts } from "./ghosts.js";
import { type Handlers, withPriority } from "./job.js";
import { ModelStore } from "./model-store.js";
import { readMaps } from "./read-maps.js";
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
    ...absorption(store),
    ...addedPosition(store),
    ...clock(store),
    ...costs(store),
    ...decodingForms(store),
    ...formula(store),
    ...headScore(store),
    ...layers(store),
    ...longer(store),
    ...pairLayouts(store),
    ...picturePositions(store),
    ...slide(store),
    ...stretch(store),
    ...rotation(store),
    ...writing(store),
    distance: (question, job) => distanceBias(store, question, job),
    ghosts: (question, job) => readGhosts(store, question, job),
    load: (question, job) => trained.load(question, job),
    read: (question, job) => withPriority(() => trained.read(question, job)),
    head: (question) => trained.head(question),
    operate: (question, job) => trained.operate(question, job),
    cache: async (question) => countCache(await engine(), question),
    catalogue: async () => catalogueOf(await engine()),
    maps: (question, job) => readMaps(store, question, job),
    fileMap: (question) => readFileMap(question),
    fetched: fetchedWhole,
    encoding: async (question) => encodingRows(await engine(), question),
    bias: async (question) => biasByDistance(await engine(), question),
    pairs: async (question) => configPairs(await engine(), question),
    checkpointReady: async () => (await checkpoint()).prepare(),
    checkpointOpen: async (question, job) => (await checkpoint()).open(question, job),
    checkpointEncode: async (question) => (await checkpoint()).encode(question),
    checkpointLoss: async (question, job) => (await checkpoint()).loss(question, job),
    checkpointThumbnails: async (question) => (await checkpoint()).thumbnails(question),
    checkpointHead: async (question) => (await checkpoint()).head(question),
    checkpointMeasures: async (question) => (await checkpoint()).measures(question),
    checkpointMap: async (question, job) => (await checkpoint()).map(question, job),
    checkpointLook: async (question) => (await checkpoint()).look(question),
    checkpointLookRow: async (question) => (await checkpoint()).lookRow(question),
    checkpointKept: async (question) => (await checkpoint()).kept(question),
  };
}
