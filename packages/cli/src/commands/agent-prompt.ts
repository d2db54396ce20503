/** `hearth agent show --prompt`: what of its brain an agent is given with every turn. */
import type { PromptPartReport, PromptReport } from "@hearth/protocol";
import type { Context } from "../command.ts";
import { safeText } from "../safe-text.ts";

export const promptFlags = {
  prompt: { kind: "switch", summary: "what of its brain it is given with every turn, instead of the record" },
  room: { kind: "text", value: "ROOM", summary: "with --prompt: as in a turn there; else among its own people" },
  text: { kind: "switch", summary: "with --prompt: the texts themselves" },
} as const;

export const printPrompt = (
  { json, output }: Pick<Context, "json" | "output">,
  report: PromptReport,
  withText: boolean,
): void => {
  if (json) return output.json(report);
  const { audience, parts, tokens } = report;
  output.table(
    ["PART", "PLACE", "CHARACTERS", "TOKENS", "NOTE"],
    parts.map((part) => [part.name, part.place, String(part.length), String(part.tokens), noteOn(part)]),
    "Nothing of its brain is in the prompt: its files are missing or blank.",
  );
  if (withText)
    for (const { name, text } of parts) output.line(`\n${output.style.bold(safeText(name))}\n${safeText(text)}`);
  output.note(
    `About ${tokens} tokens, a fourth of the UTF-8 bytes, for ${audience === "private" ? "its own people" : "whoever is in that room"}.`,
  );
};

const noteOn = ({ isCut, fileLength, hiddenLines }: PromptPartReport): string =>
  [
    ...(isCut ? [`cut, of ${fileLength}`] : []),
    ...(hiddenLines === 0 ? [] : [`${hiddenLines} ${hiddenLines === 1 ? "line" : "lines"} of others left out`]),
  ].join("; ");
