/**
 * The first gate of ambient agents: a silence (debounce). In each room, one activation of an agent
 * waits and stands for the last message of a burst; earlier ones leave nothing. When a message
 * names the agent meanwhile, one reply answers both.
 */
import type { Guard, Write, Row } from "../../../kernel/index.ts";
import type { AgentRecord } from "@hearth/protocol";

type ActivationRow = Row<"activations">;

const DEFAULT_DEBOUNCE_MS = 3000;
/**
 * Older ambient messages wake no agent. After a crash an old stretch of a room may be read again.
 */
const STALE_MS = 15 * 60_000;

export const debounceOf = ({ content }: AgentRecord): number => content.ambient?.debounceMs ?? DEFAULT_DEBOUNCE_MS;

/** Never 0, which means an activation without gates. */
export const readyAt = (agent: AgentRecord, now: number): number => Math.max(1, now + debounceOf(agent));

export const isStale = (at: number, now: number): boolean => at < now - STALE_MS;

/** Collects what one read of a room changes, before it is written. */
export interface Draft {
  /** Adds a row as it is: it begins as soon as possible, or is skipped. */
  add(row: ActivationRow): void;
  /** A message calls the agent: its reply also answers what waited for a silence. */
  call(row: ActivationRow): void;
  /** The row waits, and replaces the agent's earlier waiting row. */
  wait(row: ActivationRow): void;
  /** Rows to insert, the changes to existing rows, and guards that those rows are unchanged. */
  changes(): {
    readonly rows: readonly ActivationRow[];
    readonly guards: readonly Guard[];
    readonly writes: readonly Write[];
  };
}

/**
 * `waiting` holds the room's activations that wait for a silence and have not called a model yet.
 */
export const createDraft = (waiting: readonly ActivationRow[], now: number): Draft => {
  const waitingByAgent = new Map(waiting.map((row) => [row.agent, row]));
  const fresh = new Map<string, ActivationRow>();
  const rows = new Set<ActivationRow>();
  const guards: Guard[] = [];
  const writes: Write[] = [];

  const asItWas = ({ id, ready_at }: ActivationRow): Guard => ({
    kind: "exists",
    table: "activations",
    where: { id, state: "queued", ready_at, fence: 0 },
  });

  return {
    add: (row) => void rows.add(row),
    call(row) {
      rows.add(row);
      const answered = {
        state: "skipped",
        skip: "dedup",
        reason: TOGETHER,
        merged_into: row.id,
        ended_at: now,
      } as const;
      const [before, planned] = [waitingByAgent.get(row.agent), fresh.get(row.agent)];
      if (before !== undefined) {
        guards.push(asItWas(before));
        writes.push({ kind: "update", table: "activations", where: { id: before.id }, set: answered });
      }
      if (planned !== undefined) {
        rows.delete(planned);
        rows.add({ ...planned, ...answered });
      }
      waitingByAgent.delete(row.agent);
      fresh.delete(row.agent);
    },
    wait(row) {
      const [before, planned] = [waitingByAgent.get(row.agent), fresh.get(row.agent)];
      if (before !== undefined) {
        guards.push(asItWas(before));
        writes.push({ kind: "delete", table: "activations", where: { id: before.id } });
      }
      if (planned !== undefined) rows.delete(planned);
      waitingByAgent.delete(row.agent);
      fresh.set(row.agent, row);
      rows.add(row);
    },
    changes: () => ({ rows: [...rows], guards, writes }),
  };
};

const TOGETHER = "The agent was mentioned while this activation waited for a silence. One reply answers both.";
