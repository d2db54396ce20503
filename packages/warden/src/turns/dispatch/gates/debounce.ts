/**
 * The first gate of ambient agents, a debounce: the activation begins after a silence in the room.
 * Each message of a burst replaces the waiting activation of the one before. If a message mentions
 * the agent during the silence, one reply answers both.
 */
import type { Guard, Write, Row } from "../../../kernel/index.ts";
import type { AgentRecord } from "@hearth/protocol";

type ActivationRow = Row<"activations">;

const DEFAULT_DEBOUNCE_MS = 3000;
/** Ambient messages older than this wake no agent, for example those read again after a crash. */
const STALE_MS = 15 * 60_000;

export const debounceMsOf = ({ content }: AgentRecord): number => content.ambient?.debounceMs ?? DEFAULT_DEBOUNCE_MS;

/** Returns the time when the silence is over. It is never 0, because 0 marks an activation without gates. */
export const readyAt = (agent: AgentRecord, now: number): number => Math.max(1, now + debounceMsOf(agent));

export const isStale = (at: number, now: number): boolean => at < now - STALE_MS;

/** Collects the changes that one page of messages causes, before they are committed. */
export interface PlanDraft {
  /** Adds a row without changing other rows, such as a skipped activation. */
  add(row: ActivationRow): void;
  /**
   * Adds the row of a message that calls the agent. Its reply also answers the message of the
   * agent's waiting row, which is merged into it.
   */
  addCall(row: ActivationRow): void;
  /** Adds a row that waits for a silence, and removes the agent's earlier waiting row. */
  addWaiting(row: ActivationRow): void;
  /** Rows to insert, the changes to existing rows, and guards that those rows are unchanged. */
  changes(): {
    readonly rows: readonly ActivationRow[];
    readonly guards: readonly Guard[];
    readonly writes: readonly Write[];
  };
}

/**
 * Creates the draft. `waiting` holds the room's activations that wait for a silence and have not
 * called a model yet.
 */
export const createPlanDraft = (waiting: readonly ActivationRow[], now: number): PlanDraft => {
  const waitingByAgent = new Map(waiting.map((row) => [row.agent, row]));
  const plannedByAgent = new Map<string, ActivationRow>();
  const rows = new Set<ActivationRow>();
  const guards: Guard[] = [];
  const writes: Write[] = [];

  const unchangedGuard = ({ id, ready_at }: ActivationRow): Guard => ({
    kind: "exists",
    table: "activations",
    where: { id, state: "queued", ready_at, fence: 0 },
  });

  return {
    add: (row) => void rows.add(row),
    addCall(row) {
      rows.add(row);
      const mergedColumns = {
        state: "skipped",
        skip: "dedup",
        reason: ONE_REPLY_FOR_BOTH,
        merged_into: row.id,
        ended_at: now,
      } as const;
      const [storedRow, plannedRow] = [waitingByAgent.get(row.agent), plannedByAgent.get(row.agent)];
      if (storedRow !== undefined) {
        guards.push(unchangedGuard(storedRow));
        writes.push({ kind: "update", table: "activations", where: { id: storedRow.id }, set: mergedColumns });
      }
      if (plannedRow !== undefined) {
        rows.delete(plannedRow);
        rows.add({ ...plannedRow, ...mergedColumns });
      }
      waitingByAgent.delete(row.agent);
      plannedByAgent.delete(row.agent);
    },
    addWaiting(row) {
      const [storedRow, plannedRow] = [waitingByAgent.get(row.agent), plannedByAgent.get(row.agent)];
      if (storedRow !== undefined) {
        guards.push(unchangedGuard(storedRow));
        writes.push({ kind: "delete", table: "activations", where: { id: storedRow.id } });
      }
      if (plannedRow !== undefined) rows.delete(plannedRow);
      waitingByAgent.delete(row.agent);
      plannedByAgent.set(row.agent, row);
      rows.add(row);
    },
    changes: () => ({ rows: [...rows], guards, writes }),
  };
};

const ONE_REPLY_FOR_BOTH =
  "The agent was mentioned while this activation waited for a silence. One reply answers both.";
