/**
 * Writes a fact as a line of a brain, with its date and source, and strikes through the fact that
 * it replaces.
 */
import { type AgentRecord, type Audience, isHearthError, isTainted, joinLabels, type Label } from "@hearth/protocol";
import type { Brain, ChangeAuthor, LabelledLine } from "../brains/brain.ts";
import { bareLine, decodeText, splitLines } from "../brains/lines.ts";
import { logFolder, canSee } from "../brains/audience-files.ts";
import { extractFact, FACT_PREFIX, LINE_REFERENCE, containsFact, collapseSpaces } from "./fact-text.ts";
import { isReplaced, strike } from "./replaced.ts";

export interface Fact {
  readonly agent: AgentRecord;
  /** The fact's audience. A room's facts stay in the room. */
  readonly audience: Audience;
  readonly text: string;
  /** The place of a line, as `MEMORY.md:12`, or words that occur in only one fact. */
  readonly replaces?: string;
  /** The day as "2026-11-22", which is the same on a retry. */
  readonly day: string;
  /** Author and room, as "@ada in #kitchen". */
  readonly from: string;
  readonly by: ChangeAuthor;
}

export type RememberOutcome =
  | { readonly kind: "kept"; readonly path: string; readonly replaced: readonly string[] }
  /** The fact is already stored. */
  | { readonly kind: "known"; readonly path: string }
  /** The fact was not written. `why` is the reason for the model. */
  | { readonly kind: "refused"; readonly why: string };

/**
 * Maximum length of the long-term memory, which is part of every prompt, in UTF-16 code units.
 * Further facts go into the day's file, where `recall` finds them.
 */
const MAX_LONG_TERM_LENGTH = 12_000;
const LONG_TERM_PATH = "MEMORY.md";
/** Maximum number of attempts if the file changes at the same moment. */
const MAX_ATTEMPTS = 5;

interface FactLine {
  readonly path: string;
  readonly line: LabelledLine;
}

/** Writes a fact. A second call with the same fact changes nothing. */
export const remember = async (brain: Brain, fact: Fact): Promise<RememberOutcome> => {
  const line = `- ${fact.day}, ${fact.from}: ${collapseSpaces(fact.text).replace(/^[-*+] /, "")}`;
  const path = await chooseFile(brain, fact, line);
  const isKnown = (await linesOf(brain, path)).some(({ text }) => text === line);
  const replacedLines = fact.replaces === undefined ? [] : await findReplaced(brain, fact, fact.replaces, line);
  if (typeof replacedLines === "string")
    return isKnown ? { kind: "known", path } : { kind: "refused", why: replacedLines };
  if (isTainted(fact.by.label) && replacedLines.some((existing) => !isTainted(existing.line.label)))
    return {
      kind: "refused",
      why: "This turn has read untrusted text, so it cannot replace facts of others. Keep it as a separate fact.",
    };
  // The new fact is written first, so that a crash leaves both facts instead of neither.
  const writeResult = isKnown ? undefined : await brain.append(path, line, fact.by);
  if (writeResult?.kind === "proposed")
    return { kind: "refused", why: "The change waits for the approval of a person." };
  for (const file of new Set(replacedLines.map((existing) => existing.path)))
    await strikeLines(brain, file, replacedLines, fact);
  if (isKnown && replacedLines.length === 0) return { kind: "known", path };
  return { kind: "kept", path, replaced: replacedLines.map((existing) => existing.line.text) };
};

const chooseFile = async (brain: Brain, { audience, day, by }: Fact, line: string): Promise<string> => {
  const dayFile = `${logFolder(audience)}/${day}.md`;
  // Prompts leave out untrusted lines, so these would waste space in long-term memory.
  if (audience !== "private" || isTainted(by.label)) return dayFile;
  const longTermLines = await linesOf(brain, LONG_TERM_PATH);
  const length = longTermLines.reduce((sum, { text }) => sum + text.length + 1, 0);
  return length + line.length <= MAX_LONG_TERM_LENGTH || longTermLines.some(({ text }) => text === line)
    ? LONG_TERM_PATH
    : dayFile;
};

/**
 * Returns the lines of this audience's memory that state the old fact, or the reason why no line
 * does.
 */
const findReplaced = async (
  brain: Brain,
  fact: Fact,
  replaces: string,
  newLine: string,
): Promise<readonly FactLine[] | string> => {
  const currentLines = (await memoryLines(brain, fact.audience)).filter(({ line }) => line.text !== newLine);
  const [, path, number] = LINE_REFERENCE.exec(replaces) ?? [];
  const atPlace = path === undefined ? undefined : await lineAt(brain, path, Number(number));
  const matchingLines =
    atPlace === undefined
      ? currentLines.filter(({ line }) => collapseSpaces(line.text).includes(collapseSpaces(replaces)))
      : currentLines.filter((existing) => existing.path === path && existing.line.text === atPlace.text);
  const prefixedLines = matchingLines.filter(({ line }) => FACT_PREFIX.test(line.text));
  const matchingFacts = prefixedLines.length > 0 ? prefixedLines : matchingLines;
  const facts = new Set(matchingFacts.map(({ line }) => extractFact(line.text)));
  const [oldFact] = facts;
  if (oldFact === undefined)
    return `Nothing that you remember here says ${JSON.stringify(replaces)}. Look it up with recall.`;
  if (facts.size > 1)
    return `${facts.size} facts say that. Name one by its place, such as ${matchingFacts[0]?.path}:LINE, as recall shows it.`;
  return currentLines.filter(({ line }) => containsFact(line.text, oldFact));
};

const strikeLines = async (
  brain: Brain,
  path: string,
  replacedLines: readonly FactLine[],
  { day, by }: Fact,
): Promise<void> => {
  const struckLabels = new Map(
    replacedLines.filter((existing) => existing.path === path).map(({ line }) => [line.text, line.label]),
  );
  // The lines to strike through keep their labels.
  const label = [...struckLabels.values()].reduce<Label>(joinLabels, by.label);
  for (let attempt = 1; ; attempt += 1) {
    const file = await brain.readBytes(path);
    const text = file === undefined ? undefined : decodeText(file.bytes);
    if (file === undefined || text === undefined) return;
    const struckLines = splitLines(text).map((line) => {
      const bare = bareLine(line);
      return struckLabels.has(bare) ? strike(bare, day) + line.slice(bare.length) : line;
    });
    try {
      await brain.write(path, struckLines.join(""), { ...by, label }, file.hash);
      return;
    } catch (error) {
      if (!isHearthError(error, "brain.changed") || attempt === MAX_ATTEMPTS) throw error;
    }
  }
};

/** Returns the current memory lines that this audience may change. */
const memoryLines = async (brain: Brain, audience: Audience): Promise<readonly FactLine[]> => {
  const folder = `${logFolder(audience)}/`;
  const { files } = await brain.list();
  const paths = files
    .map(({ path }) => path)
    .filter(
      (path) =>
        canSee(audience, path) && (path.startsWith(folder) || (audience === "private" && path === LONG_TERM_PATH)),
    );
  const linesOfFiles = await Promise.all(
    paths.map(async (path) => (await linesOf(brain, path)).map((line) => ({ path, line }))),
  );
  return linesOfFiles
    .flat()
    .filter(({ line: { text } }) => text.trim() !== "" && !text.startsWith("#") && !isReplaced(text));
};

const linesOf = async (brain: Brain, path: string): Promise<readonly LabelledLine[]> =>
  (await brain.readLabelled(path)) ?? [];

const lineAt = async (brain: Brain, path: string, number: number): Promise<LabelledLine | undefined> => {
  try {
    return (await linesOf(brain, path))[number - 1];
  } catch (error) {
    if (isHearthError(error, "brain.path")) return undefined;
    throw error;
  }
};
