/** A function for each kind of question, which answers it. */
import type { Kind, Questions } from "../both/messages.js";
import type { Job } from "./job.js";

export type Handlers = {
  [K in Kind]: (question: Questions[K][0], job: Job) => Promise<Questions[K][1]> | Questions[K][1];
};
