/** Ends approvals: by a decision, by a stop, or because they have expired. */
import type { DurableStreams, Log, NewEvent, Notices, Row, Store, Write } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import { type ActivationId, type ApprovalDecided, type ApprovalState, HearthError, type World } from "@hearth/protocol";
import type { ApprovalEnd, ApprovalNotices } from "./approval-notices.ts";

type ApprovalRow = Row<"approvals">;

export interface ApprovalEnds {
  /**
   * Returns the write that ends an approval. It has no effect unless the approval is in the state
   * `from`.
   */
  planWrite(row: Pick<ApprovalRow, "id">, end: ApprovalEnd, from?: ApprovalState): Write;
  /** Returns the event for the room. A second attempt to end the approval appends no event. */
  event(row: ApprovalRow, end: ApprovalEnd): NewEvent;
  /**
   * Ends an approval, commits `writes` with it, and lets its activation resume. Returns false if
   * another request changed the approval first.
   */
  settle(row: ApprovalRow, end: ApprovalEnd, writes?: readonly Write[]): Promise<boolean>;
  /** Ends a pending approval and returns the row. Throws `approval.over` if it is decided or expired. */
  decide(row: ApprovalRow, end: ApprovalEnd, writes: readonly Write[]): Promise<ApprovalRow>;
  /** See `Approvals`. */
  onDecided(listener: (activation: ActivationId) => Promise<void>): void;
  /** See `Approvals`. */
  run(signal: AbortSignal): Promise<void>;
}

export interface ApprovalEndsOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly records: Pick<Records, "find">;
  readonly outbox: Pick<Notices, "poke">;
  readonly notices: Pick<ApprovalNotices, "planEnd">;
  readonly expireMs: () => number;
}

const HOUR_MS = 60 * 60_000;

export const createApprovalEnds = (options: ApprovalEndsOptions): ApprovalEnds => {
  const { log, store, streams, records, outbox, notices, expireMs } = options;
  const { clock, ids } = options.world;
  const listeners: ((activation: ActivationId) => Promise<void>)[] = [];

  const planWrite: ApprovalEnds["planWrite"] = ({ id }, { state, scope, by, reason }, from = "pending") => ({
    kind: "update",
    table: "approvals",
    where: { id, state: from },
    set: {
      state,
      scope: scope ?? null,
      by: by ?? null,
      reason: reason ?? null,
      decided_at: clock.now(),
      code_hash: null,
    },
  });

  const event: ApprovalEnds["event"] = ({ id, room, agent, activation }, { state, by }) => {
    const decidedEvent: ApprovalDecided = {
      type: "approval-decided",
      room,
      at: clock.now(),
      approval: id,
      agent,
      activation,
      decision: state,
      ...(by === undefined ? {} : { by }),
    };
    return { stream: `room:${room}`, id: ids.derive("evt", id, "decided"), event: decidedEvent };
  };

  const resume = (activation: ActivationId): void => {
    for (const listener of listeners)
      listener(activation).catch((error: unknown) => {
        log.write("error", "cannot resume an activation after its approval was decided; the next start resumes it", {
          activation,
          error,
        });
      });
  };

  const settle: ApprovalEnds["settle"] = async (row, end, writes = []) => {
    const { id, activation, state } = row;
    // An activation that is not parked needs no change: it is running and will check again.
    const resumeWrite: Write = {
      kind: "update",
      table: "activations",
      where: { id: activation, state: "waiting" },
      set: { state: "queued", crashes: 0 },
    };
    const { kind } = await streams.commit({
      ...(end.right === undefined ? {} : { right: end.right }),
      guards: [{ kind: "exists", table: "approvals", where: { id, state } }],
      writes: [planWrite(row, end, state), resumeWrite, ...writes, ...(await notices.planEnd(row, end))],
      events: [event(row, end)],
    });
    if (kind !== "committed") return false;
    outbox.poke();
    resume(activation);
    return true;
  };

  /** Returns the current row. */
  const readCurrentRow = async ({ id }: ApprovalRow): Promise<ApprovalRow> => {
    const [row] = await store.select({ table: "approvals", where: { id } });
    if (row === undefined) throw new Error(`the approval ${id} is gone`);
    return row;
  };

  const alreadyDecidedError = async (staleRow: ApprovalRow): Promise<HearthError> => {
    const row = await readCurrentRow(staleRow);
    const decider = row.by === null ? undefined : await records.find("agent", row.by);
    const by = decider === undefined ? "" : ` by ${decider.content.name}`;
    return new HearthError("approval.over", `The approval is already ${row.state}${by}. Nothing has changed.`, {
      hint: "List the pending approvals: hearth approval list",
    });
  };

  /** Ends the oldest expired approval. Returns the time in ms until the next check. */
  const expireNext = async (): Promise<number> => {
    const [expiringRow] = await store.select({
      table: "approvals",
      where: { state: "pending" },
      order: [{ column: "expires_at" }],
      limit: 1,
    });
    // A new approval expires after the full time, so no check is due earlier.
    if (expiringRow === undefined) return expireMs();
    const remainingMs = expiringRow.expires_at - clock.now();
    // The clock may have been set back, so the wait is at most an hour.
    if (remainingMs > 0) return Math.min(remainingMs, HOUR_MS);
    await settle(expiringRow, { state: "expired" });
    return 0;
  };

  return {
    planWrite,
    event,
    settle,

    async decide(row, end, writes) {
      if (row.state !== "pending") throw await alreadyDecidedError(row);
      if (clock.now() >= row.expires_at) {
        await settle(row, { state: "expired" });
        throw await alreadyDecidedError(row);
      }
      if (!(await settle(row, end, writes))) throw await alreadyDecidedError(row);
      return readCurrentRow(row);
    },

    onDecided: (listener) => void listeners.push(listener),

    async run(signal) {
      while (!signal.aborted) {
        let pauseMs = HOUR_MS;
        try {
          pauseMs = await expireNext();
        } catch (error) {
          log.write("warn", "cannot end expired approvals; will try again", { error });
        }
        await clock.sleep(pauseMs, signal);
      }
    },
  };
};
