/**
 * Commits each change of an activation's state: beginning, waiting for a person, waiting for a
 * retry, end. Each is one commit, and the watchers of the room are notified after it.
 */
import type { Context, Inbox, Start } from "../../agents/index.ts";
import type { Records, Rooms, Uploads, VoiceChoiceBook } from "../../people/index.ts";
import {
  readJson,
  writeJson,
  leaseLostError,
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
import { createStartLog } from "../run/start-log.ts";
import { createEndings, type Endings, type Watchers } from "../run/endings/endings.ts";
import type { Outcome } from "../run/run.ts";
import type { Approvals } from "../../policy/index.ts";

type ActivationRow = Row<"activations">;

export interface LifecycleOptions {
  readonly kernel: Kernel;
  readonly records: Records;
  readonly rooms: Rooms;
  readonly uploads: Pick<Uploads, "attachmentsOf" | "planRemoval">;
  readonly voiceChoices: Pick<VoiceChoiceBook, "of">;
  readonly inbox: Inbox;
  /** Delivers a reply to the conversations that its messages came from. */
  readonly outbox: Pick<Outbox, "plan" | "poke">;
  readonly approvals: Pick<Approvals, "planClose">;
  readonly context: Context;
  readonly checkpoints: Checkpoints;
}

export interface Beginning extends Start {
  /** The activation began before, so its journal may have steps. */
  readonly isResumed: boolean;
  /**
   * Resolves when the beginning is committed, which may wait for the activation's first step. The
   * run may prepare before that, but must have no effect outside the process.
   */
  readonly startCommitted: Promise<void>;
}

export interface Lifecycle extends Endings {
  /** Notifies the watchers of the room that the activation is queued. */
  notifyQueued(row: ActivationRow): void;
  /**
   * Begins the activation and returns its input, frozen now or before a crash. Returns undefined
   * and begins nothing if the message was deleted before the agent read it.
   */
  begin(row: ActivationRow, agent: AgentRecord, audience: Audience, lease: Lease): Promise<Beginning | undefined>;
  /**
   * Queues the activation until the retry is due. Returns the new row, or undefined if the
   * activation has ended. Throws `lease.lost`, and writes nothing, if another daemon runs it.
   */
  postpone(row: ActivationRow, retry: Retry, lease: Lease): Promise<ActivationRow | undefined>;
  /**
   * Returns the row with the number of completed steps. If a step was completed since the row was
   * written, the counts of crashes and retries begin again at 0.
   */
  withProgress(row: ActivationRow): Promise<ActivationRow>;
  /**
   * Commits that the activation waits for a person's decision. Returns false, and commits nothing,
   * if the person has already decided.
   */
  park(row: ActivationRow, outcome: Extract<Outcome, { kind: "waiting" }>, lease: Lease): Promise<boolean>;
  pushDelta(row: ActivationRow, event: DeltaEvent): void;
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

const toUpdate = ({ id }: Pick<ActivationRow, "id">, set: Partial<ActivationRow>) =>
  ({ kind: "update", table: "activations", where: { id }, set }) as const;

export const createLifecycle = (options: LifecycleOptions): Lifecycle => {
  const { kernel, context } = options;
  const { world, store, blobs, streams, memory } = kernel;

  const pushLive: Watchers["pushLive"] = (row, event) => {
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

  const pushDelta: Watchers["pushDelta"] = (row, event) => memory.push(`deltas:${row.id}`, event);

  const startLog = createStartLog(kernel);
  const endings = createEndings({ ...options, startLog, watchers: { pushLive, pushDelta } });

  const park: Lifecycle["park"] = async (row, { step, text, sameCommit, partial }, lease) => {
    const head = await streams.head(`room:${row.room}`);
    const parked: z.infer<typeof Parked> = { step, text, head, ...(partial === undefined ? {} : { partial }) };
    const activationGuards = [
      { name: "running", kind: "exists", table: "activations", where: { id: row.id, state: "running" } },
      lease.guard,
    ] as const;
    const result = await streams.commit({
      guards: [...activationGuards, ...(sameCommit?.guards ?? [])],
      writes: [
        toUpdate(row, { state: "waiting", parked: writeJson(parked) }),
        ...(sameCommit?.writes ?? []),
        ...lease.renewal(),
      ],
      events: sameCommit?.events ?? [],
    });
    if (result.kind === "refused" && result.guard !== "running" && result.guard !== "lease") return false;
    if (result.kind !== "committed") throw leaseLostError(row.agent);
    pushLive(row, { type: "activation-waiting" });
    // The outbox may have to send the question to a chat platform.
    options.outbox.poke();
    return true;
  };

  const resume = async (row: ActivationRow, lease: Lease): Promise<void> => {
    const { kind } = await store.commit({
      guards: [{ kind: "exists", table: "activations", where: { id: row.id, ended_at: null } }, lease.guard],
      writes: [
        toUpdate(row, {
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
    if (kind !== "committed") throw leaseLostError(row.agent);
  };

  const postpone: Lifecycle["postpone"] = async (row, { error, at, usage }, lease) => {
    const queuedUpdate = toUpdate(row, {
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
      writes: [queuedUpdate, ...lease.renewal()],
    });
    if (result.kind === "refused" && result.guard === "lease") throw leaseLostError(row.agent);
    if (result.kind !== "committed") return undefined;
    const [queuedRow] = await store.select({ table: "activations", where: { id: row.id } });
    if (queuedRow === undefined) return undefined;
    pushDelta(queuedRow, { type: "restart", at: world.clock.now() });
    notifyQueued(queuedRow);
    return queuedRow;
  };

  const withProgress: Lifecycle["withProgress"] = async (row) => {
    const steps = await kernel.journal.rows(row.id);
    const progress = steps.filter(({ state }) => state !== "started").length;
    return progress > row.progress ? { ...row, progress, crashes: 0, retries: 0 } : row;
  };

  const notifyQueued: Lifecycle["notifyQueued"] = (row) => {
    const retry = row.retry_at === 0 ? {} : { retryAt: row.retry_at };
    pushLive(row, {
      type: "activation-queued",
      ...retry,
      ...(row.retry_at === 0 || row.error === null ? {} : { error: readJson(row.error) }),
    });
  };

  const begin: Lifecycle["begin"] = async (row, agent, audience, lease) => {
    if (row.started_at !== null) {
      const body = await unpackBody(blobs, { inline: row.frozen, blob: row.frozen_blob });
      const start = await context.thaw(row, body, audience);
      const startCommitted = resume(row, lease);
      pushLive(row, { type: "activation-running" });
      startLog.recordStart(row, row.started_at);
      return { ...start, isResumed: true, startCommitted };
    }
    const start = await context.freeze(row, agent, audience);
    if (start === undefined) return undefined;
    const { inline, blob } = await packBody(blobs, JSON.stringify(start.frozen));
    const at = world.clock.now();
    const durable = store.commit({
      // The commit of the first step follows at once, and can share the transaction.
      mayWait: true,
      // After a power cut the activation is still queued, and begins again.
      isReproducible: true,
      guards: [{ kind: "exists", table: "activations", where: { id: row.id, state: "queued" } }, lease.guard],
      writes: [
        toUpdate(row, {
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
      isResumed: false,
      startCommitted: durable.then((result) => {
        if (result.kind === "refused" && result.guard === "lease") throw leaseLostError(row.agent);
        if (result.kind !== "committed") throw new Error(`activation ${row.id} was not queued when it began`);
        pushLive(row, { type: "activation-running" });
        startLog.recordStart(row, at);
      }),
    };
  };

  const end: Endings["end"] = async (row, ...args) => {
    await endings.end(row, ...args);
    options.checkpoints.checkpointAfter(row);
  };

  return { notifyQueued, ...endings, end, begin, postpone, withProgress, park, pushDelta };
};

/** Returns the part of the reply that watchers saw before the activation waited for a decision. */
export const partialOf = ({ parked }: ActivationRow): { readonly partial?: PartialReply } => {
  const { partial } = parked === null ? {} : Parked.parse(readJson(parked));
  return partial === undefined ? {} : { partial };
};
