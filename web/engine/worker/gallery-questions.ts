/** Questions of the gallery and of a scheme's card on a page of its own; in a separate file. */
import type { Engine } from "whereformer";
import type { Handlers } from "./job.js";
import { portrait } from "./portrait.js";

export type GalleryQuestions = Pick<Handlers, "schemes" | "portrait">;

export const galleryQuestions = (engine: () => Promise<Engine>): GalleryQuestions => ({
  schemes: async () => (await engine()).schemes,
  portrait: async (question) => portrait(await engine(), question),
});
