/**
 * Reads conversations and labelled questions in LoCoMo's format: docs.jsonl has a turn per line,
 * queries.jsonl a question.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Chunk, findDay } from "@hearth/memory";

interface Turn {
  readonly conv: string;
  readonly id: string;
  readonly session: number;
  readonly turn: number;
  readonly date: string;
  readonly speaker: string;
  readonly text: string;
  /** Description of a shared picture. */
  readonly caption?: string;
}

interface Query {
  readonly conv: string;
  readonly cat: string;
  readonly question: string;
  readonly gold: readonly string[];
}

export interface LabelledQuestion {
  readonly question: string;
  readonly category: string;
  /** Ids of the chunks with the answer. */
  readonly gold: readonly string[];
}

export interface Conversation {
  readonly name: string;
  /** Hash of the turns, which identifies the data that weights were fitted on. */
  readonly hash: string;
  /** A session becomes a file, a turn a chunk. */
  readonly files: ReadonlyMap<string, readonly Chunk[]>;
  readonly questions: readonly LabelledQuestion[];
}

/** Skips questions without a known answer. */
export const readConversations = async (folder: string): Promise<readonly Conversation[]> => {
  const turns = await readLines(join(folder, "docs.jsonl"), isTurn);
  const queries = await readLines(join(folder, "queries.jsonl"), isQuery);
  const names = [...new Set(turns.map(({ conv }) => conv))].sort();
  return names.map((name) => ({
    ...toFiles(
      name,
      turns.filter(({ conv }) => conv === name),
    ),
    questions: queries
      .filter(({ conv, gold }) => conv === name && gold.length > 0)
      .map(({ question, cat, gold }) => ({ question, category: cat, gold: gold.map((id) => `${name}/${id}`) })),
  }));
};

const toFiles = (name: string, turns: readonly Turn[]): Omit<Conversation, "questions"> => {
  const inOrder = turns.toSorted((a, b) => a.session - b.session || a.turn - b.turn);
  const files = new Map<string, Chunk[]>();
  for (const { id, session, date, speaker, text, caption } of inOrder) {
    const path = `${name}/session-${String(session).padStart(3, "0")}.md`;
    const chunks = files.get(path) ?? [];
    const day = findDay(date);
    const shown = caption === undefined ? "" : ` [shares ${caption}]`;
    chunks.push({
      id: `${name}/${id}`,
      path,
      headings: [],
      ordinal: chunks.length,
      lines: [chunks.length + 1, chunks.length + 1],
      text: `${text}${shown}`,
      speaker,
      ...(day === undefined ? {} : { date: day }),
    });
    files.set(path, chunks);
  }
  const hash = createHash("sha256").update(JSON.stringify(inOrder.map(({ speaker, text }) => [speaker, text])));
  return { name, hash: hash.digest("hex"), files };
};

type Shape = Readonly<Record<string, unknown>>;

const isTurn = (line: unknown): line is Turn =>
  isShape(line) &&
  hasText(line, ["conv", "id", "date", "speaker", "text"]) &&
  typeof line["session"] === "number" &&
  typeof line["turn"] === "number" &&
  ["string", "undefined"].includes(typeof line["caption"]);

const isQuery = (line: unknown): line is Query =>
  isShape(line) &&
  hasText(line, ["conv", "cat", "question"]) &&
  Array.isArray(line["gold"]) &&
  line["gold"].every((id) => typeof id === "string");

const isShape = (line: unknown): line is Shape => typeof line === "object" && line !== null;

const hasText = (line: Shape, names: readonly string[]): boolean =>
  names.every((name) => typeof line[name] === "string");

const readLines = async <Line>(path: string, isLine: (line: unknown) => line is Line): Promise<readonly Line[]> => {
  const lines = (await readFile(path, "utf8")).split("\n");
  return lines.flatMap((text, at) => {
    if (text.trim() === "") return [];
    const line: unknown = JSON.parse(text);
    if (!isLine(line)) throw new Error(`${path}, line ${at + 1}: not in LoCoMo's format`);
    return [line];
  });
};
