/**
 * Searches the agent's memory for the present audience: files of its brain, earlier messages, and
 * attachments. The result has the joined label of the hits.
 */
import { citationLink, isTainted, joinLabels, type Label } from "@hearth/protocol";
import { MAX_OUTPUT_LENGTH } from "@hearth/protocol/tools";
import { filesInPrefix } from "../../context/parts.ts";
import { createPromptFiles } from "../../context/prompt-files.ts";
import type { EarlierMessage, MemoryAnswer, MemoryFound } from "../../memory/house-memory.ts";
import type { RecalledPassage } from "../../passages/passages.ts";
import { TRUSTED_LABEL } from "../call.ts";
import type { MemoryParts } from "../parts.ts";
import type { RunHostTool } from "../tool.ts";

export const recall: RunHostTool<"recall", MemoryParts> = async ({ query, limit }, call, parts) => {
  const { agent, audience, signal } = call;
  // The model already reads these files in its prompt.
  const except = await filesInPrefix(createPromptFiles()(await parts.brains.open(agent)), audience);
  const answer = await parts.recall({ agent, audience, query: query.toWellFormed(), limit, except, signal });
  // The hits in files come first, because files hold the facts saved from the conversation.
  const earlier = await parts.findEarlier(agent, call.activation, query);
  const files = await parts.passages.recall({ agent, room: call.activation.room, query });
  const hits = [
    ...answer.found.map((hit) => ({ text: toHitText(hit), label: hit.label, citable: undefined })),
    ...files.found.map((passage) => ({ text: toPassageText(passage), label: passage.label, citable: passage.citable })),
    ...earlier.map((message) => ({ text: toMessageText(message), label: message.label, citable: undefined })),
  ];
  const shownTexts = firstThatFit(hits.map(({ text }) => text));
  const cites = hits.flatMap(({ text, citable }) =>
    citable !== undefined && shownTexts.includes(text) ? [citable] : [],
  );
  const label = hits
    .slice(0, shownTexts.length)
    .reduce<Label>((joined, part) => joinLabels(joined, part.label), TRUSTED_LABEL);
  const notes = [
    ...(cites.length === 0 ? [] : [CITE_NOTE]),
    ...notesOf(answer, hits.length),
    ...(files.isComplete ? [] : [STILL_READING_NOTE]),
  ];
  return {
    text: [...shownTexts, ...notes].join("\n\n"),
    failed: false,
    label,
    ...(cites.length === 0 ? {} : { cites }),
  };
};

/** Formats a hit. Its place has the form that `forget`, `remember` and `read_brain` take. */
const toHitText = ({ path, headings, lines: [first, last], date, text, label }: MemoryFound): string => {
  const details = [...(headings.length === 0 ? [] : [headings.join(" > ")]), ...(date === undefined ? [] : [date])];
  const from = isTainted(label) ? ` [others wrote this: ${label.sources.join(", ")}]` : "";
  const citedLines = `${path}:${first}${last === first ? "" : `-${last}`}`;
  return `${citedLines}${details.length === 0 ? "" : ` (${details.join("; ")})`}${from}\n${text}`;
};

const CITE_NOTE = "[to cite a file, copy its link into your answer]";
const STILL_READING_NOTE = "[some attached files are still being read: there may be more]";

/**
 * Formats a passage of an attachment. It begins with the link by which the agent cites it. It has no
 * empty line, so that its end is known when the message is forgotten.
 */
const toPassageText = ({ name, place, citable, path, message, text, label }: RecalledPassage): string => {
  const from = isTainted(label) ? ` [others wrote this: ${label.sources.join(", ")}]` : "";
  const where = path === undefined ? "" : `; ${path}`;
  const title = citable === undefined ? `${JSON.stringify(name)}, ${place}` : citationLink(citable, place);
  return `${title} (a file of ${message.id}${where})${from}\n${text.replace(/\n\s*\n/gu, "\n")}`;
};

/** Formats a message from the summarised part of the conversation. */
const toMessageText = ({ id, who, when, text, label }: EarlierMessage): string => {
  const from = isTainted(label) ? ` [others wrote this: ${label.sources.join(", ")}]` : "";
  return `said here before: ${id} (${who}, ${when})${from}\n${text}`;
};

/** Returns as many texts as fit, best first. */
const firstThatFit = (texts: readonly string[]): readonly string[] => {
  let length = 0;
  return texts.filter((text, index) => {
    length += text.length + 2;
    return index === 0 || length <= MAX_OUTPUT_LENGTH - 1000;
  });
};

const notesOf = ({ mode, rebuilding }: MemoryAnswer, count: number): readonly string[] => {
  if (mode === "none") return ["[nothing of your memory is indexed: look into files with `read_brain`]"];
  return [
    ...(count === 0 ? ["Nothing."] : []),
    ...(mode === "lexical" ? ["[found by words alone: other words may find more]"] : []),
    ...(rebuilding ? ["[the index is being made: there may be more]"] : []),
  ];
};
