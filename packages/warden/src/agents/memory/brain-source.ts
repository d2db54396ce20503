/** Brains as an index takes them: the texts of their files, each with whom it is for and how far its lines are to be trusted. */
import type { Records } from "../../people/index.ts";
import {
  type AgentId,
  DEFAULT_RETRIEVAL,
  type ErrorCode,
  isHearthError,
  type LeftOut,
  type MemoryFile,
} from "@hearth/protocol";
import type { Brain } from "../brains/brain.ts";
import type { Brains } from "../brains/brains.ts";
import { decodeText } from "../brains/lines.ts";
import { MAX_READ, spansOf } from "../brains/reading.ts";
import { audienceOfFile } from "./audiences.ts";
import type { MemorySource } from "./backend.ts";
import { isReplaced } from "./replaced.ts";

/** What people and agents write down. Anything else that lies in a brain is no memory. */
const NOTES = /\.(?:md|markdown|txt)$/i;
/** These ask for something, and stand before the agent whenever they are to be followed: found by a question they would only be in the way. */
const ERRANDS = /^(?:BOOTSTRAP|HEARTBEAT)\.md$/i;
const isNote = (path: string): boolean => NOTES.test(path) && !ERRANDS.test(path);
/** Folders have no ending, so a link to one is named too. */
const NOTES_OR_FOLDER = /(?:\.(?:md|markdown|txt)|(?:^|\/)[^./]+)$/i;
/** What is wrong with one file, and with no other. */
const OF_ONE_FILE: readonly ErrorCode[] = ["brain.changed", "brain.path", "brain.too-large"];

export interface BrainSource extends MemorySource {
  /** Notes that no index holds, as far as they were looked at, and why. */
  leftOut(agent: AgentId): Promise<readonly LeftOut[]>;
}

export const createBrainSource = (options: {
  readonly records: Pick<Records, "get">;
  readonly brains: Pick<Brains, "open">;
}): BrainSource => {
  /** Agent → path → why it could not be taken when it was read last. */
  const unread = new Map<AgentId, Map<string, string>>();
  const recordOf = (agent: AgentId) => options.records.get("agent", agent);
  const brainOf = async (agent: AgentId) => options.brains.open(await recordOf(agent));

  const readFile = async (brain: Brain, path: string): Promise<MemoryFile | string | undefined> => {
    // The hash first: a file that changes in between is told again, for it has another one by then.
    const file = await brain.readBytes(path);
    const lines = await brain.readLabelled(path);
    if (file === undefined || lines === undefined) return undefined;
    if (decodeText(file.bytes) === undefined) return "is not text in UTF-8";
    const audience = audienceOfFile(path);
    return {
      ...{ path, hash: file.hash, audience, integrity: "owner" },
      // Lines keep their numbers: a hit is cited by them.
      text: lines.map(({ text }) => (isReplaced(text) ? "" : text)).join("\n"),
      ranges: spansOf(lines).map(({ from, to, label }): MemoryFile["ranges"][number] => ({
        ...{ lines: [from, to], audience, integrity: label.integrity },
      })),
    };
  };

  return {
    async list(agent) {
      const { files } = await (await brainOf(agent)).list();
      const notes = files.filter(({ path, sizeBytes }) => isNote(path) && sizeBytes <= MAX_READ);
      return new Map(notes.map(({ path, hash }) => [path, hash]));
    },
    async read(agent, path) {
      const whys = unread.get(agent) ?? new Map<string, string>();
      unread.set(agent, whys);
      whys.delete(path);
      try {
        const file = await readFile(await brainOf(agent), path);
        if (typeof file !== "string") return file;
        whys.set(path, file);
      } catch (error) {
        // One file that cannot be read keeps no other from being found.
        if (!isHearthError(error) || !OF_ONE_FILE.includes(error.code)) throw error;
        whys.set(path, error.message);
      }
      return undefined;
    },
    retrieval: async (agent) => (await recordOf(agent)).content.retrieval ?? DEFAULT_RETRIEVAL,
    async leftOut(agent) {
      const { files, notes } = await (await brainOf(agent)).list();
      const whys = unread.get(agent);
      const larger = files.filter(({ path, sizeBytes }) => isNote(path) && sizeBytes > MAX_READ);
      return [
        ...notes.filter(({ path }) => NOTES_OR_FOLDER.test(path)),
        ...larger.map(({ path, sizeBytes }) => ({
          path,
          why: `has ${sizeBytes} bytes, and at most ${MAX_READ} are indexed`,
        })),
        ...files.flatMap(({ path }) => {
          const why = whys?.get(path);
          return why === undefined ? [] : { path, why };
        }),
      ];
    },
  };
};
