import { load, type Scheme, WhereformerError } from "whereformer";
import { load as loadWorker, type RemoteEngine } from "whereformer/worker";

export async function biasOf(distance: number): Promise<number> {
  const wf = await load();
  using scheme: Scheme = wf.scheme("alibi", { numHeads: 1, headDim: 2 });
  return scheme.bias([distance], [0]).data[0] ?? Number.NaN;
}

export async function inWorker(): Promise<RemoteEngine | undefined> {
  try {
    return await loadWorker();
  } catch (error) {
    if (error instanceof WhereformerError && error.code === "unsupported") return undefined;
    throw error;
  }
}
