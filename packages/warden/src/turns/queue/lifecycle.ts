/**
 * Commits how an activation begins, waits and ends: each is one commit. Watchers are notified
 * afterwards. It runs nothing.
 */
import type { Context, Inbox, Start } from "../../agents/index.ts";
import type { Records, Rooms } from "../../people/index.ts";
import {
  readJson,
  writeJson,
  leaseLost,
  packBody,
  unpackBody,
  unjournaledUsage,
  PartialReply,
  type Kernel,
  type Lease,
  type Outbox,
  type Row,
} from "../../kernel/index.ts";
import {
  addUsage,
  type AgentRecord,
  type Audience,
  type DeltaEvent,
  type ErrorBody,
  type LiveEvent,
  type Usage,
} from "@hearth/protocol";
import { z } from "zod";
import type { Checkpoints } from "../run/checkpoints.ts";
import { createBeginnings } from "../run/beginnings.ts";
import { createEndings, type Endings, type EndingsOptions, type Watchers } from "../run/endings/endings.ts";
import type { Outcome } from "../run/run.ts";

type ActivationRow = Row<"activations">;

export interface LifecycleOptions {
  readonly kernel: Kernel;
  readonly records: Records;
  readonly rooms: Rooms;
  readonly uploads: EndingsOptions["uploads"];
  readonly inbox: Inbox;
  /** Delivers a reply to the conversations that its causes came from. */
  readonly outbox: Pick<Outbox, "plan" | "poke">;
  readonly approvals: EndingsOptions["approvals"];
  readonly context: Context;
  readonly checkpoints: Checkpoints;
}

export interface Beginning extends Start {
  /** Whether an earlier daemon began the activation; then its journal may have steps. */
  readonly resumed: boolean;
  /**
   * Resolves when the beginning survives the end of the process. That may wait for the activation's
   * first commit. Preparation may start earlier, but nothing may cross a boundary before.
   */
  readonly durable: Promise<void>;
}

export interface Lifecycle extends Endings {
  /** Notifies the room's watchers that the activation waits. */
  queued(row: ActivationRow): void;
  /**
   * Returns the input of the activation: frozen now, or as frozen before a crash. Counts the run.
   * Returns undefined and begins nothing when the message was deleted before it was read.
   */
  begin(row: ActivationRow, agent: AgentRecord, audience: Audience, lease: Lease): Promise<Beginning | undefined>;
  /**
   * Queues the activation until the retry is due. Returns the new row, or undefined when it ended
   * meanwhile. Throws `lease.lost` under an old lease and then writes nothing.
   */
  postpone(row: ActivationRow, retry: Retry, lease: Lease): Promise<ActivationRow | undefined>;
  /** Returns the row with deaths and retries counted since the journal last gained a step. */
  withProgress(row: ActivationRow): Promise<ActivationRow>;
  /**
   * Parks the activation until a person decides; durable when it resolves. Returns false when the
   * decision already exists, and then it does not wait.
   */
  park(row: ActivationRow, outcome: Extract<Outcome, { kind: "waiting" }>, lease: Lease): Promise<boolean>;
  delta(row: ActivationRow, event: DeltaEvent): void;
}

/** Why and when an activation is retried. */
export interface Retry {
  readonly error: ErrorBody;
  /** UTC milliseconds. */
  readonly at: number;
  /** The cost of the failed call. */
  readonly usage: Usage;
}

/** The `parked` column: what a waiting activation waits for. */
export const Parked = z.object({
  step: z.int(),
  text: z.string(),
  /** The room's head at that time. */
  head: z.int(),
  partial: PartialReply.exactOptional(),
});

const update = ({ id }: Pick<ActivationRow, "id">, set: Partial<ActivationRow>) =>
  ({ kind: "update", table: "activations", where: { id }, set }) as const;

export const createLifecycle = (options: LifecycleOptions): Lifecycle => {
  const { kernel, context } = options;
  const { world, store, blobs, streams, memory } = kernel;

  const live: Watchers["live"] = (row, event) => {
    // A request of one agent to another is not shown in the room.
    if (row.parent !== null) return;
    const activation = row.id;
    memory.push(`live:${row.room}`, {
      activation,
      agent: row.agent,
      cause: row.cause,
      at: world.clock.now(),
      ...event,
    } as LiveEvent);
  };

  const delta: Watchers["delta"] = (row, event) => memory.push(`deltas:${row.id}`, event);

  const beginnings = createBeginnings(kernel);
  const endings = createEndings({ ...options, beginnings, watchers: { live, delta } });

  const park: Lifecycle["park"] = async (row, { step, text, sameCommit, partial }, lease) => {
    const head = await streams.head(`room:${row.room}`);
    const parked: z.infer<typeof Parked> = { step, text, head, ...(partial === undefined ? {} : { partial }) };
    const own = [
      { name: "running", kind: "exists", table: "activations", where: { id: row.id, state: "running" } },
      lease.guard,
    ] as const;
    const result = await streams.commit({
      guards: [...own, ...(sameCommit?.guards ?? [])],
      writes: [
        update(row, { state: "waiting", parked: writeJson(parked) }),
        ...(sameCommit?.writes ?? []),
        ...lease.renewal(),
      ],
      events: sameCommit?.events ?? [],
    });
    if (result.kind === "refused" && result.guard !== "running" && result.guard !== "lease") return false;
    if (result.kind !== "committed") throw leaseLost(row.agent);
    live(row, { type: "activation-waiting" });
    // A chat platform may have to show the question.
    options.outbox.poke();
    return true;
  };

  const resume = async (row: ActivationRow, lease: Lease): Promise<void> => {
    const { kind } = await store.commit({
      guards: [{ kind: "exists", table: "activations", where: { id: row.id, ended_at: null } }, lease.guard],
      writes: [
        update(row, {
          state: "running",
          fence: lease.fence,
          crashes: row.crashes + 1,
          progress: row.progress,
          retries: row.retries,
          retry_at: 0,
          reason: null,
          error: null,
        }),
        ...lease.renewal(),
      ],
    });
    if (kind !== "committed") throw leaseLost(row.agent);
  };

  const postpone: Lifecycle["postpone"] = async (row, { error, at, usage }, lease) => {
    const queuing = update(row, {
      state: "queued",
      crashes: 0,
      progress: row.progress,
      retries: row.retries + 1,
      retry_at: at,
      reason: error.message,
      error: writeJson(error),
      usage: writeJson(addUsage(unjournaledUsage(row), usage)),
    });
    const result = await store.commit({
      guards: [{ kind: "exists", table: "activations", where: { id: row.id, ended_at: null } }, lease.guard],
      writes: [queuing, ...lease.renewal()],
    });
    if (result.kind === "refused" && result.guard === "lease") throw leaseLost(row.agent);
    if (result.kind !== "committed") return undefined;
    const [now] = await store.select({ table: "activations", where: { id: row.id } });
    if (now === undefined) return undefined;
    delta(now, { type: "restart", at: world.clock.now() });
    queued(now);
    return now;
  };

  const withProgress: Lifecycle["withProgress"] = async (row) => {
    const steps = await kernel.journal.rows(row.id);
    const progress = steps.filter(({ state }) => state !== "started").length;
    return progress > row.progress ? { ...row, progress, crashes: 0, retries: 0 } : row;
  };

  const queued: Lifecycle["queued"] = (row) => {
    const retry = row.retry_at === 0 ? {} : { retryAt: row.retry_at };
    live(row, {
      type: "activation-queued",
      ...retry,
      ...(row.retry_at === 0 || row.error === null ? {} : { error: readJson(row.error) }),
    });
  };

  const begin: Lifecycle["begin"] = async (row, agent, audience, lease) => {
    if (row.started_at !== null) {
      const body = await unpackBody(blobs, { inline: row.frozen, blob: row.frozen_blob });
      const start = await context.thaw(row, body, audience);
      const durable = resume(row, lease);
      live(row, { type: "activation-running" });
      beginnings.started(row, row.started_at);
      return { ...start, resumed: true, durable };
    }
    const start = await context.freeze(row, agent, audience);
    if (start === undefined) return undefined;
    const { inline, blob } = await packBody(blobs, JSON.stringify(start.frozen));
    const at = world.clock.now();
    const durable = store.commit({
      // The first journal step follows at once, and is in the same transaction.
      patient: true,
      // After a power cut the activation is queued again, and begins again.
      remade: true,
      guards: [{ kind: "exists", table: "activations", where: { id: row.id, state: "queued" } }, lease.guard],
      writes: [
        update(row, {
          state: "running",
          started_at: at,
          fence: lease.fence,
          crashes: row.crashes + 1,
          model: start.frozen.model,
          frozen: inline,
          frozen_blob: blob,
        }),
        ...lease.renewal(),
      ],
    });
    return {
      ...start,
      resumed: false,
      durable: durable.then((result) => {
        if (result.kind === "refused" && result.guard === "lease") throw leaseLost(row.agent);
        if (result.kind !== "committed") throw new Error(`activation ${row.id} was not queued when it began`);
        live(row, { type: "activation-running" });
        beginnings.started(row, at);
      }),
    };
  };

  const end: Endings["end"] = async (row, ...over) => {
    await endings.end(row, ...over);
    options.checkpoints.after(row);
  };

  return { queued, ...endings, end, begin, postpone, withProgress, park, delta };
};

/**
 * The part of the reply that watchers had seen when the activation began to wait for a decision.
 */
export const partialOf = ({ parked }: ActivationRow): { readonly partial?: PartialReply } => {
  const { partial } = parked === null ? {} : Parked.parse(readJson(parked));
  return partial === undefined ? {} : { partial };
};
