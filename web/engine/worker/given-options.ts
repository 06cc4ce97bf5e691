/** Options from an attribute; unknown options and values that are not allowed throw. */
import type { SchemeDescription } from "whereformer";
import { unexpected } from "../both/failure.js";
import { nested, type OptionValues, readOption } from "../both/scheme-options.js";

const refusal = (part: string, expected: string): Error =>
  Object.assign(new Error(unexpected("options", `"${part}"`, expected)), {
    code: "invalid_argument",
  });

/** Parses `key:value;key:value` into the engine's nested form. */
export function givenOptions(
  { id, options }: SchemeDescription,
  written: string,
): Record<string, unknown> {
  const values: OptionValues = {};
  for (const part of written.split(";").filter((one) => one.trim())) {
    const at = part.indexOf(":");
    const key = part.slice(0, at).trim();
    const option = options.find((one) => one.key === key);
    const known = options.map((one) => one.key).join(", ");
    if (at < 0 || !option)
      throw refusal(part.trim(), known ? `one of ${known}` : `no options of ${id}`);
    const value = readOption(option, part.slice(at + 1).trim());
    const ends = [option.minimum ?? "", option.maximum ?? ""].join(" to ");
    if (value === undefined)
      throw refusal(part.trim(), option.choices ? `one of ${option.choices.join(", ")}` : ends);
    values[option.key] = value;
  }
  return nested(values);
}
