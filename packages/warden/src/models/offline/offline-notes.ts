/**
 * The memory of the offline provider: the tools `remember` and `recall` if they are offered, and
 * otherwise a list in `notes.md` of the workspace. It does not change a file that it cannot read
 * completely.
 */
import type { ToolMessage, ToolOffer } from "@hearth/protocol";
import { asArray, asObject, asText } from "../wires/json.ts";
import {
  block,
  escapeRegExp,
  type Move,
  oneCall,
  type RequestContext,
  describeFailure,
  describeMissing,
} from "./offline-move.ts";

const NOTES = "notes.md";
/** Lines that identify the end of the file. */
const ANCHOR_LINES = 3;

export const rememberMove = (text: string, context: RequestContext): Move => {
  const note = `- ${text.replace(/\s+/g, " ").trim()}`;
  const memoryTool = findTool(context, "remember");
  if (memoryTool !== undefined)
    return oneCall(context, memoryTool.name, { [findTextField(memoryTool)]: text }, () => `I will remember: ${text}`);

  const missingTool = ["read", "write", "edit"].find((name) => findTool(context, name) === undefined);
  if (missingTool !== undefined) return { say: describeMissing(missingTool) };

  const [readResult, writeResult] = context.results;
  if (readResult === undefined) return { call: "read", input: { path: NOTES } };
  if (writeResult !== undefined)
    return { say: writeResult.failed ? describeFailure(writeResult.text) : `Noted in \`${NOTES}\`: ${text}` };
  return addNote(readResult, note, text);
};

const addNote = (readResult: ToolMessage, note: string, text: string): Move => {
  if (readResult.failed && !/\b(no|not)\b.*\bnotes\.md\b|not found|no such/i.test(readResult.text))
    return { say: describeFailure(readResult.text) };
  if (readResult.failed || readResult.text.trim() === "" || readResult.text === "[empty file]") {
    return { call: "write", input: { path: NOTES, content: `# Notes\n\n${note}\n` } };
  }
  if (/\n?\[lines \d+-\d+ of \d+[^\n]*\]$/.test(readResult.text))
    return { say: `\`${NOTES}\` has become too long for me. Shorten it, so that I can add notes again.` };
  const lines = readResult.text.replace(/\n+$/, "").split("\n");
  if (lines.includes(note)) return { say: `I already have that note: ${text}` };
  const anchor = lines.slice(-ANCHOR_LINES).join("\n");
  return { call: "edit", input: { path: NOTES, old: anchor, new: `${anchor}\n${note}` } };
};

export const recallMove = (text: string, context: RequestContext): Move => {
  const memoryTool = findTool(context, "recall");
  if (memoryTool !== undefined && text !== "") {
    const input = { [findTextField(memoryTool)]: text };
    return oneCall(context, memoryTool.name, input, (facts) => block("I remember:", facts));
  }
  if (text === "")
    return withoutMissingFile(
      oneCall(context, "read", { path: NOTES }, (notes) => block("My notes:", notes)),
      context,
    );
  return withoutMissingFile(
    oneCall(context, "grep", { pattern: escapeRegExp(text), path: NOTES, ignoreCase: true }, (foundText) => {
      const notes = foundText.split("\n").flatMap((line) => /^notes\.md:\d+:\s?(.*)$/.exec(line)?.[1] ?? []);
      return notes.length === 0
        ? describeNothing(text)
        : `From my notes:\n\n${notes.map((note) => note.replace(/^(- )?/, "- ")).join("\n")}`;
    }),
    context,
    text,
  );
};

/** Treats a missing file as an empty list of notes, and not as an error. */
const withoutMissingFile = (move: Move, { results }: RequestContext, text = ""): Move => {
  const isFileMissing = results.at(-1)?.failed === true && results.at(-1)?.text.includes(NOTES) === true;
  return isFileMissing ? { say: describeNothing(text) } : move;
};

const describeNothing = (text: string): string =>
  text === "" ? "I have no notes yet. Write `remember …`." : `I have no note about “${text}”. Write \`remember …\`.`;

const findTool = (context: RequestContext, name: string): ToolOffer | undefined =>
  context.offers.find((offer) => offer.name === name);

/** Returns the name of a tool's text field: the required one, or the first. */
const findTextField = ({ inputSchema }: ToolOffer): string => {
  const fields = Object.entries(asObject(inputSchema["properties"]) ?? {});
  const texts = fields.filter(([, schema]) => asObject(schema)?.["type"] === "string").map(([name]) => name);
  const required = asArray(inputSchema["required"]).map(asText);
  return texts.find((name) => required.includes(name)) ?? texts[0] ?? "text";
};
