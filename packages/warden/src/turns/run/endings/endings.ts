/** Ends activations. One commit holds the reply, its deliveries and the entry in the agent's log. */
import {
  leaseLostError,
  writeJson,
  type Change,
  type CommitResult,
  type Guard,
  type Lease,
  type NewEvent,
  type Outbox,
  type Row,
  type Write,
  type ConfigSource,
  type DurableStreams,
  type Journal,
  type MemoryStreams,
  type Store,
} from "../../../kernel/index.ts";
import type { Inbox } from "../../../agents/index.ts";
import type { Records, Rooms, Uploads, VoiceChoiceBook } from "../../../people/index.ts";
import type { Approvals } from "../../../policy/index.ts";
import {
  noUsage,
  type ActivationId,
  type ActivationState,
  type AgentId,
  type DeltaEvent,
  type ErrorBody,
  type LiveEvent,
  type Usage,
  type World,
} from "@hearth/protocol";
import type { StartLog } from "../start-log.ts";
import { planInbox } from "./answers.ts";
import { toFinalState, mergedState, type Ended, type FinalState } from "./final-state.ts";
import { createEndMessages } from "./end-messages.ts";

type ActivationRow = Row<"activations">;

export interface Watchers {
  /** Notifies the room's watchers. */
  pushLive(
    row: ActivationRow,
    event: Pick<LiveEvent, "type"> & {
      readonly state?: ActivationState;
      readonly error?: ErrorBody;
      readonly mergedInto?: ActivationId;
      readonly retryAt?: number;
    },
  ): void;
  /** Notifies the watchers of this activation. */
  pushDelta(row: ActivationRow, event: DeltaEvent): void;
}

export interface EndingsOptions {
  readonly kernel: {
    readonly world: World;
    readonly store: Store;
    readonly streams: DurableStreams;
    readonly memory: MemoryStreams;
    readonly journal: Journal;
    readonly config: ConfigSource;
  };
  readonly records: Records;
  readonly rooms: Rooms;
  /** Finds the files that the activation attached to its reply. */
  readonly uploads: Pick<Uploads, "attachmentsOf" | "planRemoval">;
  /** Says which people hear replies. */
  readonly voiceChoices: Pick<VoiceChoiceBook, "of">;
  readonly inbox: Inbox;
  /** Delivers a reply to the conversations that its messages came from. */
  readonly outbox: Pick<Outbox, "plan" | "poke">;
  readonly watchers: Watchers;
  /** Closes the pending approvals of the activation. */
  readonly approvals: Pick<Approvals, "planClose">;
  readonly startLog: Pick<StartLog, "missingEntries">;
}

/** A merged activation, and the new one that answers its message instead. */
export interface RequeuedActivation {
  readonly merged: ActivationRow;
  readonly replacement: ActivationRow;
}

export interface Endings {
  /**
   * Ends an activation: one commit stores its last step, state, reply, deliveries, inbox change and
   * log entry. The reply of a child goes to the inbox of its parent, not to the room. Does nothing
   * if the activation has ended. `lease` is absent for an activation that never ran. Throws
   * `lease.lost`, and writes nothing, if another daemon runs the activation.
   */
  end(
    row: ActivationRow,
    outcome: Ended,
    usage: Usage,
    lease?: Lease,
    requeued?: readonly RequeuedActivation[],
  ): Promise<void>;
  /**
   * Merges queued activations into a running one, in the commit of the intake step in `plan`.
   * Returns false, and changes nothing, if one of them is no longer queued.
   */
  merge(rows: readonly ActivationRow[], into: ActivationId, plan: Required<Change>, agent: AgentId): Promise<boolean>;
}

export const createEndings = (options: EndingsOptions): Endings => {
  const { kernel, records, inbox, outbox, approvals, startLog, watchers } = options;
  const { world, streams, memory } = kernel;
  const messages = createEndMessages(options);

  const toLogEntry = (row: ActivationRow, at: number, final: FinalState, usage: Usage): NewEvent => ({
    stream: `agent:${row.agent}`,
    id: world.ids.derive("evt", row.id, "ended"),
    event: { type: "activation-ended", at, activation: row.id, agent: row.agent, room: row.room, usage, ...final },
  });

  const notifyWatchers = (row: ActivationRow, at: number, { reason: _, ...final }: FinalState): void => {
    const { state, error } = final;
    watchers.pushDelta(row, { type: "end", at, state, ...(error === undefined ? {} : { error }) });
    memory.close(`deltas:${row.id}`);
    watchers.pushLive(row, { type: "activation-over", ...final });
  };

  const end: Endings["end"] = async (row, outcome, usage, lease, requeued = []) => {
    const room = await records.find("room", row.room);
    const ending = { row, outcome, room, files: await messages.filesOf(row, outcome) };
    const final = toFinalState(ending);
    const at = world.clock.now();
    const roomChange = await messages.plan(ending, final, new Set(requeued.map(({ merged }) => merged.cause)));
    const entries = [...startLog.missingEntries(row), toLogEntry(row, at, final, usage)];
    // An activation that replied waits for no approval.
    const approvalChange =
      outcome.kind === "reply"
        ? { writes: [], events: [] }
        : await approvals.planClose(row.id, final.reason ?? "Its activation is over.");
    const guards: readonly Guard[] = [
      { name: "open", kind: "exists", table: "activations", where: { id: row.id, ended_at: null } },
      ...(lease === undefined ? [] : [lease.guard]),
    ];
    const writes = [
      ...(outcome.kind === "reply" ? (outcome.lastWrites ?? []) : []),
      ...roomChange.writes,
      ...approvalChange.writes,
      toEndedRow(row, at, final, usage),
      ...planRequeue(requeued),
    ];
    const events = [...roomChange.events, ...entries, ...approvalChange.events];
    const commit = async (): Promise<CommitResult> => {
      const inboxChange = await planInbox({ world, inbox }, row, outcome, final.state);
      const result = await streams.commit({
        guards: [...guards, ...inboxChange.guards],
        writes: [...writes, ...inboxChange.writes],
        events: [...events, ...inboxChange.events],
      });
      // An inbox message was closed at the same time, so the commit is planned again without it.
      // Messages are never opened again, so this terminates.
      return isInboxConflict(result) ? commit() : result;
    };
    const result = await commit();
    if (result.kind === "refused" && result.guard === "lease") throw leaseLostError(row.agent);
    if (result.kind === "refused") {
      // The activation had ended before, and the watchers were notified then.
      memory.close(`deltas:${row.id}`);
      return;
    }
    if (roomChange.writes.length + approvalChange.writes.length > 0) outbox.poke();
    notifyWatchers(row, at, final);
  };

  const merge: Endings["merge"] = async (rows, into, { guards, writes }, agent) => {
    const at = world.clock.now();
    const final = mergedState(into);
    const result = await streams.commit({
      guards: [
        ...guards,
        ...rows.map(({ id }) => ({ kind: "exists", table: "activations", where: { id, state: "queued" } }) as const),
      ],
      writes: [...writes, ...rows.map((row) => toMergedRow(row, at, final))],
      events: rows.map((row) => toLogEntry(row, at, final, noUsage)),
    });
    if (result.kind === "refused" && result.guard === "lease") throw leaseLostError(agent);
    if (result.kind !== "committed") return false;
    for (const row of rows) notifyWatchers(row, at, final);
    return true;
  };

  return { end, merge };
};

const toEndedRow = ({ id }: ActivationRow, at: number, final: FinalState, usage: Usage): Write => ({
  kind: "update",
  table: "activations",
  where: { id },
  set: {
    state: final.state,
    reason: final.reason ?? null,
    error: final.error === undefined ? null : writeJson(final.error),
    usage: writeJson(usage),
    merged_into: final.mergedInto ?? null,
    parked: null,
    retry_at: 0,
    ended_at: at,
  },
});

/** A merged activation keeps the usage of its earlier runs. */
const toMergedRow = ({ id }: ActivationRow, at: number, { state, reason, mergedInto }: FinalState): Write => ({
  kind: "update",
  table: "activations",
  where: { id },
  set: { state, reason: reason ?? null, merged_into: mergedInto ?? null, ended_at: at },
});

/** Inserts the new activations, and links each merged activation to its replacement. */
export const planRequeue = (requeued: readonly RequeuedActivation[]): readonly Write[] =>
  requeued.flatMap(({ merged, replacement }): readonly Write[] => [
    { kind: "put", table: "activations", row: replacement },
    { kind: "update", table: "activations", where: { id: merged.id }, set: { retried_by: replacement.id } },
  ]);

/** Whether a guard of an inbox message refused the commit, and not one of the activation. */
const isInboxConflict = (result: CommitResult): boolean =>
  result.kind === "refused" && result.guard !== "open" && result.guard !== "lease";
