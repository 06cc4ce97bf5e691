/** What the gallery asks, and a scheme's card that stands alone: a file of its own. */
import type { Engine } from "whereformer";
import type { Handlers } from "./handlers.js";
import { portrait } from "./portrait.js";

export type GalleryQuestions = Pick<Handlers, "schemes" | "portrait">;

export const galleryQuestions = (engine: () => Promise<Engine>): GalleryQuestions => ({
  schemes: async () => (await engine()).schemes,
  portrait: async (question) => portrait(await engine(), question),
});
