/** Conversations by a model's chat template. */

import { stopsOf } from "../api/generation.js";
import type {
  Chat,
  ChatMessage,
  ChatModel,
  ChatOptions,
  GeneratedToken,
  GenerateOptions,
  Generation,
  Tokenizer,
} from "../types/index.js";
import { checkObject, checkOptions, choice, listOf, refuse, text } from "../wire/arguments.js";
import { answerOf, WhereformerError } from "../wire/error.js";
import { guard } from "../wire/guard.js";

/** The part of `@huggingface/jinja` that renders templates. */
export interface TemplateLibrary {
  Template: new (source: string) => { render(items: Record<string, unknown>): string };
}

const roles = ["system", "user", "assistant"] as const;
const toolKeys = ["tool_calls", "tools", "function_call", "tool_call_id"];

function refuseTools(argument: string, value: unknown): never {
  return refuse(
    argument,
    value,
    "none: a chat has no tools; render the template with them in your program, and pass the text " +
      "to model.generate",
    "unsupported",
  );
}

function messageOf(argument: string, value: unknown): ChatMessage {
  checkObject(argument, value);
  for (const key of toolKeys)
    if (value[key] !== undefined) refuseTools(`${argument}.${key}`, value[key]);
  if (value["role"] === "tool") refuseTools(`${argument}.role`, "tool");
  return {
    role: choice(`${argument}.role`, value["role"], roles),
    content: text(`${argument}.content`, value["content"]),
  };
}

const messagesOf = (value: unknown): ChatMessage[] =>
  listOf("messages", value, "a list of messages", (one, i) => messageOf(`messages[${i}]`, one));

/** A special token of tokenizer_config.json: a text, or an object around it. */
const wordOf = (token: unknown): string => {
  const content = (token as { content?: unknown } | null | undefined)?.content ?? token;
  return typeof content === "string" ? content : "";
};

/** A template, or the one named "default" of a list. */
function templateIn(config: Record<string, unknown>): unknown {
  const given = config["chat_template"];
  if (!Array.isArray(given)) return given;
  const named = given.find((one: { name?: unknown } | null) => one?.name === "default");
  return (named as { template?: unknown } | undefined)?.template;
}

/** Renders messages to the text that a model continues. */
class Renderer {
  readonly #template: { render(items: Record<string, unknown>): string };
  readonly #words: Record<string, string>;

  constructor(
    { Template }: TemplateLibrary,
    source: string,
    config: Record<string, unknown>,
    tokenizer: Tokenizer,
  ) {
    this.#template = answerOf("template", () => new Template(source));
    // A tokenizer that puts a token before every text would put it before that of the template.
    const addsToken = answerOf("tokenizer.encode", () => tokenizer.encode("")).length > 0;
    this.#words = {
      bos_token: addsToken ? "" : wordOf(config["bos_token"]),
      eos_token: wordOf(config["eos_token"]),
    };
  }

  text(messages: readonly ChatMessage[], isPrompt: boolean): string {
    const given = messages.map((message) => ({ ...message }));
    try {
      return this.#template.render({
        messages: given,
        add_generation_prompt: isPrompt,
        ...this.#words,
      });
    } catch (cause) {
      throw new WhereformerError(
        "unsupported",
        `messages: the model's template refuses them (${String(cause).slice(0, 200)})`,
        { argument: "messages" },
        cause,
      );
    }
  }

  /** The mark that the template writes after an answer; empty if there is none. */
  endOfAnswer(): string {
    const sample = "0123456789";
    try {
      const messages: ChatMessage[] = [
        { role: "user", content: "a" },
        { role: "assistant", content: sample },
      ];
      const [, end = ""] = this.text(messages, false).split(sample);
      return end.trim();
    } catch {
      return "";
    }
  }
}

type ChatSession = Awaited<ReturnType<ChatModel["session"]>>;

export class ChatHandle implements Chat {
  #messages: ChatMessage[];
  readonly #session: ChatSession;
  readonly #renderer: Renderer;
  readonly #tokenizer: Tokenizer;
  readonly #stops: readonly string[];

  constructor(
    session: ChatSession,
    renderer: Renderer,
    tokenizer: Tokenizer,
    messages: ChatMessage[],
  ) {
    this.#session = session;
    this.#renderer = renderer;
    this.#tokenizer = tokenizer;
    this.#messages = messages;
    const end = renderer.endOfAnswer();
    this.#stops = end ? [end] : [];
  }

  get messages(): ChatMessage[] {
    return this.#messages.map((message) => ({ ...message }));
  }

  set messages(messages: readonly ChatMessage[]) {
    this.#messages = messagesOf(messages);
  }

  get prompt(): string {
    return this.#renderer.text(this.#messages, true);
  }

  say(
    words: string,
    options: GenerateOptions = {},
  ): AsyncGenerator<GeneratedToken, Generation, void> {
    checkObject("options", options as unknown);
    const said: ChatMessage = { role: "user", content: text("text", words) };
    const before = this.#messages;
    const messages = [...before, said];
    const tokens = this.#session.generate(this.#renderer.text(messages, true), {
      ...options,
      stop: [...stopsOf(options.stop, this.#tokenizer), ...this.#stops],
    });
    return this.#answered(tokens, messages);
  }

  async *#answered(
    tokens: AsyncGenerator<GeneratedToken, Generation, void>,
    messages: readonly ChatMessage[],
  ): AsyncGenerator<GeneratedToken, Generation, void> {
    let content = "";
    try {
      for (;;) {
        const { done, value } = await tokens.next();
        if (done) return value;
        content += value.text;
        yield value;
      }
    } finally {
      await tokens.return(undefined as never);
      // Nothing was said if no answer has begun.
      if (content) this.#messages = [...messages, { role: "assistant", content }];
    }
  }

  dispose(): void {
    this.#session.dispose();
  }
}

guard(ChatHandle, { say: 2 });

/** Opens a chat with the library that renders templates. */
export async function openChatWith(
  library: Promise<TemplateLibrary>,
  model: ChatModel,
  options: ChatOptions,
): Promise<Chat> {
  library.catch(() => {});
  checkObject("model", model);
  if (toolKeys.some((key) => key in options)) refuseTools("tools", (options as never)["tools"]);
  checkOptions("options", options, ["messages", "template", "session"]);
  const messages = messagesOf(options.messages ?? []);
  const { tokenizer } = model;
  if (!tokenizer)
    return refuse("model.tokenizer", tokenizer, "a tokenizer: open the model with { tokenizer }");
  const config = (await model.tokenizerFiles())?.config ?? {};
  const source = options.template ?? templateIn(config);
  if (typeof source !== "string")
    return refuse(
      "template",
      source,
      "a text, since the model's files have no chat template",
      source === undefined ? "unsupported" : "invalid_argument",
    );
  const renderer = new Renderer(await library, source, config, tokenizer);
  const session = await model.session(options.session ?? {});
  return new ChatHandle(session, renderer, tokenizer, messages);
}
