/** Provides brain files to the index: their texts, audiences and labels. */
import type { Records } from "../../people/index.ts";
import {
  type AgentId,
  DEFAULT_RETRIEVAL,
  type ErrorCode,
  isHearthError,
  type LeftOut,
  type MemorySource,
} from "@hearth/protocol";
import type { MemoryFile } from "@hearth/protocol/memory-frames";
import type { Brain } from "../brains/brain.ts";
import type { Brains } from "../brains/brains.ts";
import { decodeText } from "../brains/lines.ts";
import { MAX_READ_BYTES, spansOf } from "../brains/text-cache.ts";
import { audienceOfFile } from "./audiences.ts";
import { isReplaced } from "./replaced.ts";

/** Matches files that count as memory: notes of people and agents. */
const NOTES = /\.(?:md|markdown|txt)$/i;
/**
 * Matches task lists, which are excluded. They are in the prompt when they are needed, and would
 * only disturb search results.
 */
const TASK_LISTS = /^(?:BOOTSTRAP|HEARTBEAT)\.md$/i;
const isNote = (path: string): boolean => NOTES.test(path) && !TASK_LISTS.test(path);
/**
 * Matches notes and names without an extension. Folders have such names, so a link to a folder
 * matches too.
 */
const NOTES_OR_FOLDER = /(?:\.(?:md|markdown|txt)|(?:^|\/)[^./]+)$/i;
/** The codes of errors that concern only one file. */
const SINGLE_FILE_ERRORS: readonly ErrorCode[] = ["brain.changed", "brain.path", "brain.too-large"];

export interface BrainSource extends MemorySource {
  /** Returns the notes that could not be indexed, with reasons. */
  leftOut(agent: AgentId): Promise<readonly LeftOut[]>;
}

export const createBrainSource = (options: {
  readonly records: Pick<Records, "get">;
  readonly brains: Pick<Brains, "open">;
}): BrainSource => {
  /** Agent → path → error of the last read. */
  const readErrors = new Map<AgentId, Map<string, string>>();
  const recordOf = (agent: AgentId) => options.records.get("agent", agent);
  const brainOf = async (agent: AgentId) => options.brains.open(await recordOf(agent));

  const readFile = async (brain: Brain, path: string): Promise<MemoryFile | string | undefined> => {
    // The file is hashed first. If it changes before the second read, the new hash is reported
    // again.
    const file = await brain.readBytes(path);
    const lines = await brain.readLabelled(path);
    if (file === undefined || lines === undefined) return undefined;
    if (decodeText(file.bytes) === undefined) return "is not text in UTF-8";
    const audience = audienceOfFile(path);
    return {
      path,
      hash: file.hash,
      audience,
      integrity: "owner",
      // Lines keep their numbers, because citations use them.
      text: lines.map(({ text }) => (isReplaced(text) ? "" : text)).join("\n"),
      ranges: spansOf(lines).map(({ from, to, label }): MemoryFile["ranges"][number] => ({
        lines: [from, to],
        audience,
        integrity: label.integrity,
      })),
    };
  };

  return {
    async list(agent) {
      const { files } = await (await brainOf(agent)).list();
      const notes = files.filter(({ path, sizeBytes }) => isNote(path) && sizeBytes <= MAX_READ_BYTES);
      return new Map(notes.map(({ path, hash }) => [path, hash]));
    },
    async read(agent, path) {
      const errors = readErrors.get(agent) ?? new Map<string, string>();
      readErrors.set(agent, errors);
      errors.delete(path);
      try {
        const file = await readFile(await brainOf(agent), path);
        if (typeof file !== "string") return file;
        errors.set(path, file);
      } catch (error) {
        // An unreadable file does not affect the others.
        if (!isHearthError(error) || !SINGLE_FILE_ERRORS.includes(error.code)) throw error;
        errors.set(path, error.message);
      }
      return undefined;
    },
    retrieval: async (agent) => (await recordOf(agent)).content.retrieval ?? DEFAULT_RETRIEVAL,
    async leftOut(agent) {
      const { files, notes } = await (await brainOf(agent)).list();
      const errors = readErrors.get(agent);
      const largeNotes = files.filter(({ path, sizeBytes }) => isNote(path) && sizeBytes > MAX_READ_BYTES);
      return [
        ...notes.filter(({ path }) => NOTES_OR_FOLDER.test(path)),
        ...largeNotes.map(({ path, sizeBytes }) => ({
          path,
          why: `has ${sizeBytes} bytes, and at most ${MAX_READ_BYTES} are indexed`,
        })),
        ...files.flatMap(({ path }) => {
          const why = errors?.get(path);
          return why === undefined ? [] : { path, why };
        }),
      ];
    },
  };
};
