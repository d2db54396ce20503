/**
 * What is left of something that was forgotten, outside the brain: in what turns were given and what their calls said, in summaries, in what the agent
 * said, in what it left for others. A turn that still runs is marked: it works on without it, and what it held goes when it is over.
 */
import type { Records } from "../../../people/index.ts";
import { bodyNames, frozenNames } from "../../../kernel/lazy.ts";
import {
  readLabel,
  type Blobs,
  type KeptTexts,
  type Store,
  type Row,
  type DurableStreams,
} from "../../../kernel/index.ts";
import { type AgentId, isHearthError, type World } from "@hearth/protocol";
import type { ForgetTarget, Traces, TracesErased } from "../../memory/forget-target.ts";
import { carriesAnyOf } from "../../memory/distinctive-words.ts";
import type { Sessions } from "../sessions.ts";
import { createReplyTraces } from "./reply-traces.ts";
import { createTurnTraces } from "./turn-traces.ts";
import { redactIn, type Redactions } from "./redactions.ts";

export interface TracesOptions {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly store: Store;
  readonly blobs: Blobs;
  readonly streams: DurableStreams;
  readonly records: Pick<Records, "list">;
  readonly texts: KeptTexts;
  readonly sessions: Pick<Sessions, "reread">;
  /** Told of turns that run. */
  readonly redactions: Redactions;
  /** Once it aborts, turns that run are another daemon's to wait for. */
  readonly signal: AbortSignal;
}

export interface HouseTraces extends Traces {
  /** Erases what marked turns held that are over by now. */
  sweep(): Promise<void>;
}

/** A mark of a turn: its reader, and its name in the place of a stream's. */
const MARK = "forgotten";

export const createTraces = (options: TracesOptions): HouseTraces => {
  const { store, blobs, streams, texts, sessions, redactions, signal } = options;
  const turns = createTurnTraces(options);
  const said = createReplyTraces(options);

  /** Off the disk, unless a row still has it: of another agent, or of something else that says the same. */
  const dropBlobs = async (hashes: ReadonlySet<string>): Promise<void> => {
    const named = await frozenNames(store, blobs, hashes);
    const bodies = await bodyNames(store, hashes);
    for (const hash of hashes) {
      if (named.has(hash) || bodies.has(hash)) continue;
      texts.drop(hash);
      await blobs.erase(hash);
    }
  };

  const scrub: Traces["scrub"] = () => store.scrub();

  /** Summaries that tell of it: the next turn is given what the room has, until that is too long once more. */
  const endSummaries = async (
    agent: AgentId,
    isOf: (row: Row<"compactions">, text: string | undefined) => boolean,
  ): Promise<ReadonlySet<string>> => {
    const gone = new Set<string>();
    for (const row of await store.select({ table: "compactions", where: { agent } })) {
      if (row.summary === null) continue;
      // Nobody can say what a damaged summary tells of.
      const bytes = await blobs.get(row.summary).catch((error: unknown) => {
        if (!isHearthError(error, "store.damaged")) throw error;
        return undefined;
      });
      if (!isOf(row, bytes === undefined ? undefined : new TextDecoder().decode(bytes))) continue;
      gone.add(row.summary);
      const set = { state: "over", reason: "What it was made of was forgotten.", summary: null, labels: null } as const;
      const where = { agent, room: row.room, place: row.place };
      await store.commit({ writes: [{ kind: "update", table: "compactions", where, set }] });
    }
    if (gone.size > 0) sessions.reread(agent);
    return gone;
  };

  /** Those that run. One that ends meanwhile is not marked, and is gone through with the others. */
  const mark = async (agent: AgentId): Promise<ReadonlySet<string>> => {
    const running = await store.select({ table: "activations", where: { agent, ended_at: null } });
    const marked = new Set<string>();
    for (const { id, started_at: began } of running) {
      if (began === null) continue;
      const { kind } = await store.commit({
        guards: [{ kind: "exists", table: "activations", where: { id, ended_at: null } }],
        writes: [{ kind: "put", table: "readers", row: { reader: MARK, stream: id, offset: 0 } }],
      });
      if (kind === "committed") marked.add(id);
    }
    return marked;
  };

  const sweep: HouseTraces["sweep"] = async () => {
    let isSwept = false;
    for (const { stream: id } of await store.select({ table: "readers", where: { reader: MARK } })) {
      const [row] = await store.select({ table: "activations", where: { id } });
      if (row !== undefined && row.ended_at === null) continue;
      redactions.delete(id);
      if (row !== undefined) {
        const hashes = new Set(await turns.eraseAll(row));
        // One that it made meanwhile may tell of what it had in hand.
        const isOf = ({ activation }: Row<"compactions">): boolean => activation === id;
        for (const hash of await endSummaries(row.agent as AgentId, isOf)) hashes.add(hash);
        await dropBlobs(hashes);
      }
      await store.commit({ writes: [{ kind: "delete", table: "readers", where: { reader: MARK, stream: id } }] });
      isSwept = true;
    }
    if (isSwept) await scrub();
  };

  /** Until these are over, or the daemon goes: what is left then, retention finds. */
  const follow = async (agent: AgentId, after: number, marked: ReadonlySet<string>): Promise<void> => {
    const open = new Set(marked);
    for await (const events of streams.follow(`agent:${agent}`, after, signal)) {
      const before = open.size;
      for (const event of events) if (event.type === "activation-ended") open.delete(event.activation);
      if (open.size < before) await sweep();
      if (open.size === 0) return;
    }
  };

  return {
    scrub,
    sweep,
    async erase(meant): Promise<TracesErased> {
      const { agent } = meant;
      const head = await streams.head(`agent:${agent.id}`);
      const running = await mark(agent.id);
      const isOf = (row: Row<"compactions">, text: string | undefined): boolean =>
        isSummaryOf(meant, row) || (text !== undefined && meant.isSaidIn(text));
      const summaries = await endSummaries(agent.id, isOf);
      const read = await turns.read(meant);
      redactIn(redactions, running, meant, read.said);
      const heard = meant.isReadAnywhere || meant.message !== undefined ? [] : await said.heard(meant);
      const found = await said.find(meant, read.turns, carriesAnyOf([...meant.said, ...read.said, ...heard]));
      // While the calls that gave it are there, what was made of it can be found again: so they go after it.
      const messages = await said.takeBack(found.said, meant.by);
      const erased = await turns.erase({ ...meant, turns: new Set([...meant.turns, ...found.turns]) }, summaries);
      await said.erase(meant, erased.turns);
      await dropBlobs(new Set([...summaries, ...erased.blobs, ...messages]));
      if (running.size > 0) follow(agent.id, head, running).catch(() => {});
      const { kept, keptCount } = found;
      return {
        ...{ steps: erased.steps, messages: found.said.length, summaries: summaries.size, running: running.size },
        ...{ kept, keptCount },
      };
    },
  };

  function isSummaryOf({ message, turns: of, isSource }: ForgetTarget, row: Row<"compactions">): boolean {
    // A later one was made of the earlier ones too.
    const covers = message !== undefined && message.room === row.room && message.offset <= row.through;
    return covers || (row.activation !== null && of.has(row.activation)) || sourcesOf(row).some(isSource);
  }
};

const sourcesOf = ({ labels }: Row<"compactions">): readonly string[] => readLabel(labels)?.sources ?? [];
