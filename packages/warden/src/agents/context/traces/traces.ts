/**
 * Removes the traces of a forgotten source outside the brain: from turn inputs, call results,
 * summaries, the agent's messages and its notes. A running turn is marked: it continues without the
 * text, and its records are erased when it ends.
 */
import type { Records, Uploads } from "../../../people/index.ts";
import { findReferencedBodies, findHashesInInputs } from "../../../kernel/lazy.ts";
import {
  readLabel,
  type Blobs,
  type TextBlobCache,
  type Store,
  type Row,
  type DurableStreams,
} from "../../../kernel/index.ts";
import { type AgentId, isHearthError, type World } from "@hearth/protocol";
import type { ForgetTarget, Traces, TracesErased } from "../../memory/forget-target.ts";
import { createTextMatch } from "../../memory/distinctive-words.ts";
import type { Sessions } from "../sessions.ts";
import { createReplyTraces } from "./reply-traces.ts";
import { createTurnTraces } from "./turn-traces.ts";
import { addRedactions, type Redactions } from "./redactions.ts";

export interface TracesOptions {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly store: Store;
  readonly blobs: Blobs;
  readonly streams: DurableStreams;
  readonly records: Pick<Records, "list" | "find" | "mutate">;
  readonly uploads: Pick<Uploads, "planRemoval" | "erase">;
  readonly texts: TextBlobCache;
  readonly sessions: Pick<Sessions, "evict">;
  /** Receives redactions for running turns. */
  readonly redactions: Redactions;
  /** Aborts when the daemon stops. The next daemon then waits for the running turns. */
  readonly signal: AbortSignal;
}

export interface HouseTraces extends Traces {
  /** Erases the records of marked turns that have ended. */
  sweep(): Promise<void>;
}

/** The name under which a turn is marked. The turn's id is stored in place of a stream's name. */
const FORGOTTEN_READER = "forgotten";

export const createTraces = (options: TracesOptions): HouseTraces => {
  const { store, blobs, streams, texts, sessions, redactions, signal } = options;
  const turns = createTurnTraces(options);
  const replyTraces = createReplyTraces(options);

  /**
   * Deletes the blobs to which no row refers. Another agent may use such a blob, or a row with an
   * equal text.
   */
  const dropBlobs = async (hashes: ReadonlySet<string>): Promise<void> => {
    const referencedInInputs = await findHashesInInputs({ clock: options.world.clock, store, blobs }, hashes);
    const referencedInRows = await findReferencedBodies(store, hashes);
    for (const hash of hashes) {
      if (referencedInInputs.has(hash) || referencedInRows.has(hash)) continue;
      texts.drop(hash);
      await blobs.erase(hash);
    }
  };

  const scrub: Traces["scrub"] = () => store.scrub();

  /**
   * Ends the summaries that contain the text. Turns then read the room's messages until the next
   * compaction.
   */
  const endSummaries = async (
    agent: AgentId,
    isAffected: (row: Row<"compactions">, text: string | undefined) => boolean,
  ): Promise<ReadonlySet<string>> => {
    const removedSummaries = new Set<string>();
    for (const row of await store.select({ table: "compactions", where: { agent } })) {
      if (row.summary === null) continue;
      // A damaged summary may contain the text.
      const bytes = await blobs.get(row.summary).catch((error: unknown) => {
        if (!isHearthError(error, "store.damaged")) throw error;
        return undefined;
      });
      if (!isAffected(row, bytes === undefined ? undefined : new TextDecoder().decode(bytes))) continue;
      removedSummaries.add(row.summary);
      const set = { state: "over", reason: "Its source was forgotten.", summary: null, labels: null } as const;
      const where = { agent, room: row.room, place: row.place };
      await store.commit({ writes: [{ kind: "update", table: "compactions", where, set }] });
    }
    if (removedSummaries.size > 0) sessions.evict(agent);
    return removedSummaries;
  };

  /**
   * Marks the running turns. A turn that ends meanwhile is not marked, and is erased with the
   * ended turns.
   */
  const markRunningTurns = async (agent: AgentId): Promise<ReadonlySet<string>> => {
    const runningTurns = await store.select({ table: "activations", where: { agent, ended_at: null } });
    const marked = new Set<string>();
    for (const { id, started_at: startedAt } of runningTurns) {
      if (startedAt === null) continue;
      const { kind } = await store.commit({
        guards: [{ kind: "exists", table: "activations", where: { id, ended_at: null } }],
        writes: [{ kind: "put", table: "readers", row: { reader: FORGOTTEN_READER, stream: id, offset: 0 } }],
      });
      if (kind === "committed") marked.add(id);
    }
    return marked;
  };

  const sweep: HouseTraces["sweep"] = async () => {
    let isSwept = false;
    for (const { stream: id } of await store.select({ table: "readers", where: { reader: FORGOTTEN_READER } })) {
      const [row] = await store.select({ table: "activations", where: { id } });
      if (row !== undefined && row.ended_at === null) continue;
      redactions.delete(id);
      if (row !== undefined) {
        const hashes = new Set(await turns.eraseAll(row));
        // A summary that was made meanwhile may contain the text.
        const isAffected = ({ activation }: Row<"compactions">): boolean => activation === id;
        for (const hash of await endSummaries(row.agent, isAffected)) hashes.add(hash);
        await dropBlobs(hashes);
      }
      await store.commit({
        writes: [{ kind: "delete", table: "readers", where: { reader: FORGOTTEN_READER, stream: id } }],
      });
      isSwept = true;
    }
    if (isSwept) await scrub();
  };

  /**
   * Waits until these turns end or the daemon stops, and erases their records. Retention erases the
   * records of other turns.
   */
  const eraseWhenEnded = async (agent: AgentId, after: number, marked: ReadonlySet<string>): Promise<void> => {
    const openTurns = new Set(marked);
    for await (const events of streams.follow(`agent:${agent}`, after, signal)) {
      const previousCount = openTurns.size;
      for (const event of events) if (event.type === "activation-ended") openTurns.delete(event.activation);
      if (openTurns.size < previousCount) await sweep();
      if (openTurns.size === 0) return;
    }
  };

  return {
    scrub,
    sweep,
    async erase(target): Promise<TracesErased> {
      const { agent } = target;
      const head = await streams.head(`agent:${agent.id}`);
      const markedTurns = await markRunningTurns(agent.id);
      const isAffected = (row: Row<"compactions">, text: string | undefined): boolean =>
        isSummaryOf(target, row) || (text !== undefined && target.occursIn(text));
      const summaries = await endSummaries(agent.id, isAffected);
      const readTraces = await turns.read(target);
      addRedactions(redactions, markedTurns, target, readTraces.said);
      const sourceTexts =
        target.isReadAnywhere || target.message !== undefined ? [] : await replyTraces.readSourceTexts(target);
      const replies = await replyTraces.find(
        target,
        readTraces.turns,
        createTextMatch([...target.texts, ...readTraces.said, ...sourceTexts]),
      );
      // Delete messages before the calls: the calls are needed to find them again.
      const messages = await replyTraces.deleteMessages(replies.messages, target.by);
      const erased = await turns.erase({ ...target, turns: new Set([...target.turns, ...replies.turns]) }, summaries);
      await replyTraces.erase(target, erased.turns);
      await dropBlobs(new Set([...summaries, ...erased.blobs, ...messages]));
      if (markedTurns.size > 0) eraseWhenEnded(agent.id, head, markedTurns).catch(() => {});
      const { kept, keptCount } = replies;
      return {
        steps: erased.steps,
        messages: replies.messages.length,
        summaries: summaries.size,
        running: markedTurns.size,
        kept,
        keptCount,
      };
    },
  };

  function isSummaryOf({ message, turns: targetTurns, isSource }: ForgetTarget, row: Row<"compactions">): boolean {
    // A later summary contains text of earlier ones.
    const covers = message !== undefined && message.room === row.room && message.offset <= row.through;
    return covers || (row.activation !== null && targetTurns.has(row.activation)) || sourcesOf(row).some(isSource);
  }
};

const sourcesOf = ({ labels }: Row<"compactions">): readonly string[] => readLabel(labels)?.sources ?? [];
