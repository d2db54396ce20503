/** `hearth agent show --prompt`: shows the parts of an agent's brain that every turn receives. */
import type { PromptPartReport, PromptReport } from "@hearth/protocol";
import type { PrintContext } from "../command.ts";
import { safeText } from "../show/safe-text.ts";

export const promptFlags = {
  prompt: { kind: "switch", summary: "show the brain files that every turn receives, instead of the record" },
  room: { kind: "text", value: "ROOM", summary: "with --prompt: for a turn in this room (default: a private turn)" },
  text: { kind: "switch", summary: "with --prompt: also print the texts" },
} as const;

export const printPrompt = ({ json, output }: PrintContext, report: PromptReport, shouldShowText: boolean): void => {
  if (json) return output.json(report);
  const { audience, parts, tokens } = report;
  output.table(
    ["PART", "PLACE", "CHARACTERS", "TOKENS", "NOTE"],
    parts.map((part) => [part.name, part.place, String(part.length), String(part.tokens), noteOn(part)]),
    "The prompt contains no brain files: they are missing or empty.",
  );
  if (shouldShowText)
    for (const { name, text } of parts) output.line(`\n${output.style.bold(safeText(name))}\n${safeText(text)}`);
  output.note(
    `About ${tokens} tokens (a quarter of the UTF-8 bytes), for ${audience === "private" ? "a private turn" : "everyone in that room"}.`,
  );
};

const noteOn = ({ isCut, fileLength, hiddenLines }: PromptPartReport): string =>
  [
    ...(isCut ? [`cut, of ${fileLength}`] : []),
    ...(hiddenLines === 0
      ? []
      : [`${hiddenLines} ${hiddenLines === 1 ? "line" : "lines"} from other sources left out`]),
  ].join("; ");
