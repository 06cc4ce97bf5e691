import { load } from "whereformer";
import { load as loadThreads } from "whereformer/threads";
import { load as loadWorker } from "whereformer/worker";
import "whereformer/elements";

const sizes = { numHeads: 2, headDim: 4 };
const say = (id, text) => {
  document.getElementById(id).textContent = text;
};

// On the page's main thread.
const wf = await load();
const alibi = wf.scheme("alibi", sizes);
say("here", alibi.bias([2], [0, 1, 2]).data.join(" "));

// In a worker, so that the page stays responsive.
const remote = await loadWorker();
const far = await remote.scheme("alibi", sizes);
say("worker", (await far.bias([2], [0, 1, 2])).data.join(" "));

// With several threads if the server sends the headers that allow it; otherwise with one.
const shared = await loadThreads({ threads: 2 });
say("threads", shared.threads);
