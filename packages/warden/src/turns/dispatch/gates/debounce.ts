/**
 * The first gate of ambient agents: a silence. One activation of an agent waits in a room, and it stands for the last message of a burst;
 * those before it leave nothing. When the agent's name is called meanwhile, one answer is for both.
 */
import type { Guard, Write, Row } from "../../../kernel/index.ts";
import type { AgentRecord } from "@hearth/protocol";

type ActivationRow = Row<"activations">;

const DEFAULT_DEBOUNCE_MS = 3000;
/** Talk that is older when it is read is over. After a crash an old stretch of a room may come once more. */
const STALE_MS = 15 * 60_000;

export const debounceOf = ({ content }: AgentRecord): number => content.ambient?.debounceMs ?? DEFAULT_DEBOUNCE_MS;

/** Never 0: that is one without gates. */
export const readyAt = (agent: AgentRecord, now: number): number => Math.max(1, now + debounceOf(agent));

export const isStale = (at: number, now: number): boolean => at < now - STALE_MS;

/** What one reading of a room makes of activations, before it is written. */
export interface Draft {
  /** A row as it is: it begins as soon as it can, or is skipped. */
  add(row: ActivationRow): void;
  /** Its agent is called: what waited for a silence is answered with it. */
  call(row: ActivationRow): void;
  /** It waits, in place of whatever waited before it. */
  wait(row: ActivationRow): void;
  /** Rows to insert, and what becomes of those that were there, which have to be as they were. */
  changes(): {
    readonly rows: readonly ActivationRow[];
    readonly guards: readonly Guard[];
    readonly writes: readonly Write[];
  };
}

/** `waiting`: those of the room that wait for a silence now, and of which no model has been asked anything. */
export const createDraft = (waiting: readonly ActivationRow[], now: number): Draft => {
  const kept = new Map(waiting.map((row) => [row.agent, row]));
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
        ...({ state: "skipped", skip: "dedup", reason: TOGETHER, merged_into: row.id, ended_at: now } as const),
      };
      const [before, planned] = [kept.get(row.agent), fresh.get(row.agent)];
      if (before !== undefined) {
        guards.push(asItWas(before));
        writes.push({ kind: "update", table: "activations", where: { id: before.id }, set: answered });
      }
      if (planned !== undefined) {
        rows.delete(planned);
        rows.add({ ...planned, ...answered });
      }
      kept.delete(row.agent);
      fresh.delete(row.agent);
    },
    wait(row) {
      const [before, planned] = [kept.get(row.agent), fresh.get(row.agent)];
      if (before !== undefined) {
        guards.push(asItWas(before));
        writes.push({ kind: "delete", table: "activations", where: { id: before.id } });
      }
      if (planned !== undefined) rows.delete(planned);
      kept.delete(row.agent);
      fresh.set(row.agent, row);
      rows.add(row);
    },
    changes: () => ({ rows: [...rows], guards, writes }),
  };
};

const TOGETHER = "It was called by name before the silence that it waited for, and answers both.";
