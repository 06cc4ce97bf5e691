/** The words of the panel in which a reader opens a model. */
import type { Bilingual } from "../../../text/index.js";
import { megabytes } from "../../../text/numbers.js";
import type { Causes } from "../figure/failure-sentence.js";

const en = {
  source: {
    files: "Choose files",
    folder: "Choose a folder",
    sample: "Take the small one of this page",
    private:
      "Nothing leaves this tab: the files are read where they lie, and no network is needed for it.",
    dtype: "Weights as",
    dtypes: { f32: "f32", bf16: "bf16", f16: "f16", int8: "8 bits", int4: "4 bits" } as Record<
      string,
      string
    >,
    loading: (name: string, loaded: number, total: number) =>
      total
        ? `Reading ${name}: ${megabytes(loaded)} of ${megabytes(total)} MB`
        : `Reading ${name} …`,
    progress: "Bytes read",
    cancel: "Cancel",
    close: "Close it",
    keep: "Keep it in this browser",
    kept: "Kept here",
    keptEntry: (name: string, bytes: number) => `${name}, ${megabytes(bytes)} MB`,
    open: "Open",
    remove: "Delete",
    again: (dtype: string) => `Open with weights of ${dtype}`,
  },
  failure: {
    title: (name: string) => `${name} was not opened`,
    kept: "What was open before is still open.",
    causes: {
      dtype_overflow: "Some of its weights are larger than the largest number of this type.",
      token_ids: ({ max }) => `Write token ids from 0 to ${max}, with spaces between them.`,
      unsupported: "This model does something that the engine does not know; what it is:",
      malformed_file:
        "The contents of the files are wrong. A model is config.json and model.safetensors (or all its shards), with tokenizer.json, or one GGUF file.",
      invalid_argument:
        "There is no model among these files. A model is config.json and model.safetensors (or all its shards), with tokenizer.json, or one GGUF file.",
      out_of_memory: "It does not fit: a tab has 2 GB for it. Smaller weights may.",
      storage_full:
        "The browser’s storage has no room for it. Delete what is kept, or do not keep it.",
      network: "A file could not be read; it may have been moved or changed. Choose it again.",
      worker: "The browser did not start a worker.",
      worker_stopped: "The worker ended, most likely for want of memory. Smaller weights may fit.",
      other: "The engine reported an error.",
    } as Causes,
  },
};

export type CommonPanelWords = typeof en;

/** With those that a figure adds. */
export interface PanelWords extends CommonPanelWords {
  /** Name of the page's own model. */
  sampleName: string;
  source: CommonPanelWords["source"] & {
    drop: string;
    /** The button that chooses a picture, if the figure reads pictures. */
    picture?: string;
    /** Title, note and columns of the table of families; without them there is no table. */
    families?: (count: number) => string;
    familiesNote?: string;
    familyColumns?: readonly string[];
  };
}

const zh: CommonPanelWords = {
  source: {
    files: "选择文件",
    folder: "选择文件夹",
    sample: "用自带的试试",
    private: "文件不会离开这个标签页：就地读取，全程不需要网络。",
    dtype: "权重存为",
    dtypes: { f32: "f32", bf16: "bf16", f16: "f16", int8: "8 位", int4: "4 位" },
    loading: (name, loaded, total) =>
      total
        ? `正在读取 ${name}：${megabytes(loaded)} / ${megabytes(total)} MB`
        : `正在读取 ${name}……`,
    progress: "已读取的字节",
    cancel: "取消",
    close: "关闭模型",
    keep: "存到这个浏览器里",
    kept: "已存在本机",
    keptEntry: (name, bytes) => `${name}，${megabytes(bytes)} MB`,
    open: "打开",
    remove: "删除",
    again: (dtype) => `改用 ${dtype}${/\w$/.test(dtype) ? " " : ""}权重打开`,
  },
  failure: {
    title: (name) => `没能打开 ${name}`,
    kept: "先前打开的模型还在。",
    causes: {
      dtype_overflow: "有的权重超过了这种类型的最大值。",
      token_ids: ({ max }) => `输入有误，需要的是 0 到 ${max} 的词元编号，用空格隔开。`,
      unsupported: "这个模型里有引擎不认识的东西：",
      malformed_file:
        "文件内容不对。需要 config.json 和 model.safetensors（或全部分片），以及 tokenizer.json；或者一个 GGUF 文件。",
      invalid_argument:
        "这些文件里没有模型。需要 config.json 和 model.safetensors（或全部分片），以及 tokenizer.json；或者一个 GGUF 文件。",
      out_of_memory: "放不下：一个标签页最多有 2 GB 可用。把权重存得小一些，也许就够了。",
      storage_full: "浏览器的存储空间不够。删掉一些已存的模型，或者不要存它。",
      network: "有文件读不出来，可能已被移动或改动。请重新选择。",
      worker: "浏览器没能启动后台线程。",
      worker_stopped: "后台线程中止了，多半是内存不够。把权重存得小一些，也许就够了。",
      other: "引擎报告了一个错误。",
    },
  },
};

export const panelWords: Bilingual<CommonPanelWords> = { en, zh };
