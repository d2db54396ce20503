/**
 * Searches the agents' brains for tools, the API and the CLI. To keep the index in sync, it
 * compares the files' hashes with those last sent and sends the difference. This covers agents'
 * writes, edits by hand and updates lost in a crash, so no offset is stored.
 */
import type { Records } from "../../people/index.ts";
import type { Log, DurableStreams, Row } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  lazy,
  HearthError,
  joinLabels,
  type Label,
  type MemoryBackend,
  type MemoryStatus,
  OWNER_LABEL,
  type World,
  type Audience,
  idOfStream,
} from "@hearth/protocol";
import type { MemoryHit, RecallResult } from "@hearth/protocol/memory-frames";
import type { Brains } from "../brains/brains.ts";
import { canSee } from "../brains/audience-files.ts";
import { filterFor } from "./audiences.ts";
import type { EmbeddingRequests, MemoryParts } from "./backend.ts";
import { createBrainSource } from "./brain-source.ts";
import { collapseSpaces } from "./fact-text.ts";
import { isReplaced } from "./replaced.ts";
import { createFallbackMemory } from "./fallback-memory.ts";

export interface Question {
  readonly agent: AgentRecord;
  /** The audience of the answer. */
  readonly audience: Audience;
  readonly query: string;
  /** Maximum number of hits. The default is the configured number. */
  readonly limit?: number | undefined;
  /** Paths of files to leave out. */
  readonly except?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface MemoryFound extends Pick<MemoryHit, "score" | "parts"> {
  readonly path: string;
  /** The headings above the hit, outermost first. */
  readonly headings: readonly string[];
  /** The first and the last line, from 1. */
  readonly lines: readonly [number, number];
  readonly text: string;
  /** The day that the hit is about. */
  readonly date?: string;
  /** The label of the lines as they are in the file now. */
  readonly label: Label;
}

export interface MemoryAnswer extends Pick<RecallResult, "mode" | "rebuilding" | "problem"> {
  /** The hits, best first. */
  readonly found: readonly MemoryFound[];
}

/** Earlier messages of a conversation, before the prompt's range. */
export interface EarlierMessage {
  /** The message id, as `forget` takes it. */
  readonly id: string;
  /** The author's name, or "you" for the agent itself. */
  readonly who: string;
  /** The time, formatted in the house's zone. */
  readonly when: string;
  readonly text: string;
  readonly label: Label;
}

/**
 * Returns hits, best first. Returns no hits if the turn reads its whole conversation, or has an
 * isolated session.
 */
export type FindEarlier = (
  agent: AgentRecord,
  activation: Pick<Row<"activations">, "room" | "trigger" | "parent">,
  query: string,
) => Promise<readonly EarlierMessage[]>;

/**
 * Contract, checked by its tests:
 * - No index is opened and no process started before the first query.
 * - An answer reflects the files at the time of the query, including edits by hand, and never
 *   contains removed or replaced text.
 * - Files that an audience may not see are neither found nor counted, and do not change the
 *   ranking.
 * - If the index is unavailable, the answer comes from a search by words and says `rebuilding`.
 */
export interface Memory extends AsyncDisposable {
  recall(question: Question): Promise<MemoryAnswer>;
  status(agent: AgentId): Promise<MemoryStatus>;
  /** Rebuilds the index. Resolves when the index is complete. */
  reindex(agent: AgentId): Promise<void>;
  /** Removes text that the files no longer contain from the index and the disk. */
  purge(agent: AgentId): Promise<void>;
}

export interface HouseMemoryOptions {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly records: Pick<Records, "get">;
  readonly brains: Pick<Brains, "open">;
  readonly streams: Pick<DurableStreams, "watch">;
  readonly parts: MemoryParts;
  readonly embeddingRequests: EmbeddingRequests;
  /** Returns the current day in the zone of the agent's house, as "2026-11-22". */
  readonly today: (agent: AgentRecord) => Promise<string>;
}

/** Maximum time that a query waits for a new index, and for recent writes. */
const MAX_QUERY_WAIT_MS = 4000;
const MAX_WRITE_WAIT_MS = 1000;
const POLL_INTERVAL_MS = 50;
/** Time over which changes are batched. */
const BATCH_DELAY_MS = 1000;

export const createMemory = (options: HouseMemoryOptions): Memory => {
  const { world, log, records, brains, streams, parts, embeddingRequests, today } = options;
  const { clock } = world;
  const closeController = new AbortController();
  const source = createBrainSource({ records, brains });
  /** The files last sent for each agent, and the time of the agent's last query. */
  const sentFiles = new Map<AgentId, { files: ReadonlyMap<string, string>; lastQueryAt: number }>();
  const followers: Promise<void>[] = [];

  const open = lazy(async () => {
    const main = await parts.open(source, embeddingRequests);
    followers.push(follow());
    return createFallbackMemory({ clock, log, main, scan: () => parts.openWordSearch(source) });
  });

  /** Sends the changed files to the index. Returns whether there were changes. */
  const sendChanges = async (index: MemoryBackend, agent: AgentId): Promise<boolean> => {
    const sentState = sentFiles.get(agent);
    const files = await source.list(agent);
    // A new index reads all files when it opens.
    if (sentState === undefined) {
      await Promise.race([index.whenIndexed(agent), clock.sleep(MAX_QUERY_WAIT_MS, closeController.signal)]);
      sentFiles.set(agent, { files, lastQueryAt: clock.monotonic() });
      return true;
    }
    const changedPaths = [...files].filter(([path, hash]) => sentState.files.get(path) !== hash).map(([path]) => path);
    const removedPaths = [...sentState.files.keys()].filter((path) => !files.has(path));
    for (const path of changedPaths) {
      const file = await source.read(agent, path);
      if (file === undefined) removedPaths.push(path);
      else await index.put(agent, file);
    }
    if (removedPaths.length > 0) await index.remove(agent, removedPaths);
    sentState.files = files;
    return changedPaths.length > 0;
  };

  /** Waits until the index knows recent writes. Embeddings follow the words with a short delay. */
  const catchUp = async (index: MemoryBackend, agent: AgentId, waitMs: number): Promise<void> => {
    const until = clock.monotonic() + waitMs;
    while (clock.monotonic() < until && !closeController.signal.aborted) {
      const { catchingUp, problem } = await index.status(agent);
      if (!catchingUp || problem !== undefined) return;
      await clock.sleep(POLL_INTERVAL_MS, closeController.signal);
    }
  };

  /** Whether the index process may still run for the agent. Without a query, it ends after `idleMs`. */
  const isAwake = (agent: AgentId): boolean => {
    const sentState = sentFiles.get(agent);
    return sentState !== undefined && clock.monotonic() - sentState.lastQueryAt < parts.idleMs;
  };

  async function follow(): Promise<void> {
    for await (const names of streams.watch(["agent"], closeController.signal)) {
      const agents = [...names].map((name) => idOfStream(name)).filter(isAwake);
      if (agents.length === 0) continue;
      await clock.sleep(BATCH_DELAY_MS, closeController.signal);
      if (closeController.signal.aborted) return;
      const memory = await open();
      for (const agent of agents) await memory.attempt(async (index) => void (await sendChanges(index, agent)));
    }
  }

  /** Returns the hit with the file's current lines, or undefined if the file no longer has these lines. */
  const addCurrentLabel = async (
    agent: AgentRecord,
    hit: Omit<MemoryFound, "label">,
  ): Promise<MemoryFound | undefined> => {
    const allLines = await (await brains.open(agent)).readLabelled(hit.path);
    const [firstLine, lastLine] = hit.lines;
    const lines = allLines?.slice(firstLine - 1, lastLine) ?? [];
    const currentText = collapseSpaces(lines.map(({ text }) => (isReplaced(text) ? "" : text)).join("\n"));
    if (!currentText.includes(collapseSpaces(hit.text))) return undefined;
    return { ...hit, label: lines.reduce<Label>((joined, { label }) => joinLabels(joined, label), OWNER_LABEL) };
  };

  return {
    async recall({ agent, audience, query, limit = parts.topK, except = [], signal }) {
      if (agent.content.retrieval === "none") return { found: [], mode: "none", rebuilding: false };
      const memory = await open();
      await memory.attempt(async (index) => {
        const isFirst = !sentFiles.has(agent.id);
        if (await sendChanges(index, agent.id))
          await catchUp(index, agent.id, isFirst ? MAX_QUERY_WAIT_MS : MAX_WRITE_WAIT_MS);
      });
      const sentState = sentFiles.get(agent.id);
      if (sentState !== undefined) sentState.lastQueryAt = clock.monotonic();
      const { hits, ...state } = await memory.recall({
        agent: agent.id,
        query,
        limit,
        visible: { ...filterFor(audience), except: [...except] },
        today: await today(agent),
        tuning: parts.tuning,
        ...(signal === undefined ? {} : { signal }),
      });
      const foundHits: MemoryFound[] = [];
      for (const { path, headings, lines, text, date, score, parts: hitParts } of hits) {
        if (!canSee(audience, path)) continue;
        const hit = { path, headings, lines, text, score, parts: hitParts, ...(date === undefined ? {} : { date }) };
        const currentHit = await addCurrentLabel(agent, hit);
        if (currentHit !== undefined) foundHits.push(currentHit);
      }
      return { found: foundHits, ...state };
    },
    async status(agent) {
      let status: MemoryStatus = { ...NO_INDEX_STATUS, rebuilding: true };
      if ((await source.retrieval(agent)) === "none") return NO_INDEX_STATUS;
      const memory = await open();
      await memory.attempt(async (index) => {
        await sendChanges(index, agent);
        status = await index.status(agent);
      });
      const leftOut = [...(await source.leftOut(agent)), ...status.leftOut];
      return { ...status, leftOut: leftOut.slice(0, MAX_LEFT_OUT) };
    },
    async reindex(agent) {
      const memory = await open();
      let hasBegun = false;
      await memory.attempt(async (index) => {
        await index.reindex(agent);
        await index.whenIndexed(agent);
        hasBegun = true;
      });
      if (!hasBegun)
        throw new HearthError("memory.lost", "The memory process does not answer. The index was not rebuilt.", {
          hint: "Read logs/hearth.log, and try again later.",
        });
    },
    async purge(agent) {
      const memory = await open();
      const isSent = await memory.attempt(async (index) => {
        if (!sentFiles.has(agent)) await index.whenIndexed(agent);
        await sendChanges(index, agent);
        // The removal of no files also removes replaced texts from the disk.
        await index.remove(agent, []);
      });
      if (isSent) return;
      throw new HearthError(
        "memory.lost",
        "The text was removed from the files. The index does not answer and may still contain it.",
        {
          hint: "Rebuild the index: hearth memory reindex",
        },
      );
    },
    async [Symbol.asyncDispose]() {
      closeController.abort();
      if (followers.length === 0) return;
      await (await open())[Symbol.asyncDispose]();
      await Promise.all(followers);
    },
  };
};

/** Maximum number of files that a status names. */
const MAX_LEFT_OUT = 100;
const NO_INDEX_STATUS: MemoryStatus = {
  files: 0,
  chunks: 0,
  vectors: 0,
  leftOut: [],
  catchingUp: false,
  rebuilding: false,
};
