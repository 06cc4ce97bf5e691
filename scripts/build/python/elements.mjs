// Writes whereformer/elements.py, a class for each element, from custom-elements.json: properties
// with their descriptions, and `figure(name)`.

/** Names that widgets in Python have already: the property is then called `open_`. */
const taken = new Set(["close", "comm", "keys", "layout", "log", "model_id", "open", "send"]);

const pythonName = (name) => {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return taken.has(snake) ? `${snake}_` : snake;
};

const className = (tag) =>
  tag.slice(3).replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

/** Python's type of a value, for editors; what is more than a number or a text is Any. */
function pythonType(type) {
  const parts = type
    .split("|")
    .map((part) => part.trim())
    .filter((part) => part !== "undefined");
  const literals = parts.filter((part) => part.startsWith('"'));
  if (literals.length === parts.length) return `Literal[${literals.join(", ")}]`;
  return { number: "float", string: "str", boolean: "bool" }[parts.join("|")] ?? "Any";
}

/** Folds a text into lines of at most `width`, indented. */
function folded(text, indent, width = 96) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last && indent.length + last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.map((line) => indent + line).join("\n");
}

const inString = (text) => text.replaceAll("\\", "\\\\").replaceAll('"""', "'''");
const quoted = (text) => JSON.stringify(text);

/** A long string in parentheses, in lines that are short enough. */
function longString(text, indent) {
  if (text.length < 60) return quoted(text);
  const lines = folded(text, "", 84 - indent.length).split("\n");
  const parts = lines.map((line, at) => indent + quoted(at < lines.length - 1 ? `${line} ` : line));
  return `(\n${parts.join("\n")}\n${indent.slice(4)})`;
}

function propertiesOf({ members, attributes }) {
  const properties = members
    .filter(({ readonly }) => !readonly)
    .map(({ name, type, description }) => ({
      name: pythonName(name),
      type: type.text,
      description,
    }));
  const language = attributes.find(({ name }) => name === "lang");
  const lang = language && {
    name: "lang",
    type: "string | undefined",
    description: language.description,
  };
  return [...properties, ...(lang ? [lang] : [])];
}

function classOf(element, isDrawn) {
  const { tagName, description } = element;
  const properties = propertiesOf(element);
  const traits = properties.map(
    ({ name, type, description: said }) => `    ${name}: Any = Property(
        ${quoted(type)},
        ${longString(said, "            ")},
    )`,
  );
  const parameters = properties.map(
    ({ name, type }) => `        ${name}: ${pythonType(type)} | None = None,`,
  );
  const args = properties.map(({ name, description: said }) =>
    folded(`${name}: ${inString(said)}`, "            ").trimStart(),
  );
  const name = className(tagName);
  return `class ${name}(Figure):
    """${inString(folded(description, "    ").trimStart())}"""

    _tag = traitlets.Unicode(${quoted(tagName)}).tag(sync=True)
    _is_drawn = ${isDrawn ? "True" : "False"}
    _names = (${properties.map((one) => quoted(one.name)).join(", ")},)

${traits.join("\n")}

    def __init__(
        self,
        *,
${parameters.join("\n")}
        **others: Any,
    ) -> None:
        """${inString(folded(description, "        ").trimStart())}

        Args:
            ${args.join("\n            ")}
            others: For classes that are derived from this one.
        """
        super().__init__(
${properties.map((one) => `            ${one.name}=${one.name},`).join("\n")}
            **others,
        )
`;
}

/** The module as text. `drawn`: tags whose pictures are no measurements of the reader's device. */
export function elementsModule({ modules }, drawn) {
  const elements = modules
    .flatMap(({ declarations }) => declarations)
    .sort((a, b) => (a.tagName < b.tagName ? -1 : 1));
  const names = elements.map(({ tagName }) => tagName.slice(3));
  const overloads = elements.map(({ tagName }) => {
    const name = quoted(tagName.slice(3));
    return `@overload
def figure(name: Literal[${name}], **properties: Any) -> ${className(tagName)}: ...
`;
  });
  const entries = elements.map(
    ({ tagName }) => `    ${quoted(tagName.slice(3))}: ${className(tagName)},`,
  );
  return `"""The elements, a class for each. Written by the build from custom-elements.json."""

# ruff: noqa
# pyright: reportRedeclaration=false
from __future__ import annotations

from typing import Any, Literal, overload

import traitlets

from ._arrays import unexpected
from ._figure import Figure, Property

${elements.map((one) => classOf(one, drawn.includes(one.tagName))).join("\n\n")}

_classes: dict[str, type[Figure]] = {
${entries.join("\n")}
}


${overloads.join("\n\n")}

@overload
def figure(name: str, **properties: Any) -> Figure: ...


def figure(name: str, **properties: Any) -> Figure:
    """Returns any element by its tag without \`wf-\`: \`figure("rotation-dials", position=40)\`.

    The class of that name describes its properties: \`help(elements.RotationDials)\`.
    An element of trained models needs \`models\`, the address of a folder with them.

    Args:
        name: One of ${folded(names.join(", "), "            ").trimStart()}.
        properties: Those of the element; a long name has underscores, \`key_tokens\`.
    """
    kind = _classes.get(name.removeprefix("wf-").replace("_", "-"))
    if kind is None:
        raise unexpected("name", repr(name), "one of " + ", ".join(_classes))
    return kind(**properties)
`;
}
