/**
 * `whereformer/chat`: conversations with a model by the chat template in its files, which
 * `@huggingface/jinja` renders.
 *
 * @module whereformer/chat
 */
import { openChatWith, type TemplateLibrary } from "./config/chat.js";
import type { Chat, ChatModel, ChatOptions } from "./types/index.js";
import { typed, WhereformerError } from "./wire/error.js";
import { messageOf } from "./wire/platform.js";

export type { Chat, ChatMessage, ChatModel, ChatOptions } from "./types/index.js";
export { type ErrorDetails, WhereformerError } from "./wire/error.js";

async function templates(): Promise<TemplateLibrary> {
  try {
    return (await import("@huggingface/jinja")) as TemplateLibrary;
  } catch (cause) {
    throw new WhereformerError(
      "unsupported",
      `template: its library could not be loaded (${messageOf(cause).slice(0, 200)}); ` +
        "npm install @huggingface/jinja",
      { argument: "template" },
      cause,
    );
  }
}

/**
 * Opens a conversation with a model that has a tokenizer. Each turn reads only what is new. For
 * models of this thread and of a worker. Errors: `unsupported` if the model's files have no chat
 * template, for tools, and if `@huggingface/jinja` is not installed; `invalid_argument`.
 */
export async function openChat(model: ChatModel, options: ChatOptions = {}): Promise<Chat> {
  try {
    return await openChatWith(templates(), model, options);
  } catch (cause) {
    throw typed(cause);
  }
}
