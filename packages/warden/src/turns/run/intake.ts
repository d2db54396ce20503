/**
 * Takes in messages that people write while the agent is working in their room. They become a step
 * of its activation, whose reply then answers them too.
 */
import { MAX_INTAKE_MESSAGES, type Context, type Frozen, type HeldMessage } from "../../agents/index.ts";
import { isOfSchedule, type Journal, type Lease, type Store, type Row } from "../../kernel/index.ts";
import { type ActivationId, type AgentRecord, DEFAULT_QUEUE_MODE, joinLabels, type Label, OWN } from "@hearth/protocol";
import type { ActivationQueues } from "../queue/activation-queues.ts";
import type { Lifecycle } from "../queue/lifecycle.ts";

type ActivationRow = Row<"activations">;

export interface IntakeOptions {
  readonly store: Pick<Store, "select">;
  readonly journal: Journal;
  readonly context: Context;
  readonly lifecycle: Lifecycle;
  readonly lanes: ActivationQueues<ActivationRow>;
  readonly queueKeyOf: (row: ActivationRow) => string;
  /** Called with each activation whose message was merged: it is over. */
  readonly taken: (id: ActivationId) => void;
}

export interface IntakeTurn {
  readonly row: ActivationRow;
  readonly agent: AgentRecord;
  readonly frozen: Frozen;
  readonly lease: Lease;
  /** Resolves when its beginning is on disk. */
  readonly durable: Promise<void>;
  /**
   * The room's head when it began to wait for a decision, if it did and has not read later messages
   * since.
   */
  unheardFrom: number | undefined;
  /**
   * The last step that took in as much as fits at once while more waited. The model is called
   * before the next intake.
   */
  fullAt: number | undefined;
}

/**
 * Takes in at this step what the agent's queue mode allows, as much as fits at once. The rest waits
 * for a later step or its own turn. Durable when it resolves; empty when there is nothing.
 */
export type Intake = (turn: IntakeTurn, step: number) => Promise<readonly HeldMessage[]>;

interface Merged {
  readonly rows: readonly ActivationRow[];
  readonly messages: readonly HeldMessage[];
}

const NOTHING: Merged = { rows: [], messages: [] };

export const createIntake = (options: IntakeOptions): Intake => {
  const { store, journal, context, lifecycle, lanes, queueKeyOf, taken } = options;

  const merge = async (turn: IntakeTurn, step: number, waiting: readonly ActivationRow[]): Promise<Merged> => {
    const { row, agent, frozen, lease } = turn;
    await turn.durable;
    const offsets = waiting.map(({ cause_offset }) => cause_offset);
    const read = await context.read(row, frozen, offsets);
    const events = read.map(({ event }) => event);
    // A deleted message is not read: its own activation ends with that reason. A message that does
    // not fit stays in its lane.
    const rows = waiting.filter(({ cause }) => events.some((event) => event === cause));
    if (rows.length === 0) return NOTHING;
    const messages = read.map(({ message }) => message);
    const id = row.id;
    const input = events.join(" ");
    const start = { activation: id, step, kind: "intake", name: agent.handle, effect: "pure", input } as const;
    const plan = await journal.plan(lease, start, JSON.stringify({ messages, events }), labelOfAll(read));
    if (!(await lifecycle.merge(rows, id, plan, agent.id))) return NOTHING;
    for (const merged of rows) taken(merged.id);
    return { rows, messages: read };
  };

  /**
   * After a decision: the room's messages from while it waited. They have been answered already and
   * only inform the agent.
   */
  const hear = async (turn: IntakeTurn, step: number, after: number): Promise<readonly HeldMessage[]> => {
    const { row, agent, frozen, lease } = turn;
    await turn.durable;
    // Messages that wait for their own turn or were merged into this one are read there, not twice.
    const readElsewhere = async (): Promise<ReadonlySet<string>> => {
      const { room } = row;
      const rows = await Promise.all([
        store.select({ table: "activations", where: { agent: agent.id, room, ended_at: null } }),
        store.select({ table: "activations", where: { merged_into: row.id } }),
      ]);
      return new Set(rows.flat().map(({ cause }) => cause));
    };
    const heard = await context.meanwhile(row, frozen, after, readElsewhere);
    turn.unheardFrom = undefined;
    if (heard.length === 0) return [];
    const messages = heard.map(({ message }) => message);
    const id = row.id;
    const start = { activation: id, step, kind: "intake", name: agent.handle, effect: "pure", input: "" } as const;
    await journal.did(lease, start, JSON.stringify({ messages, events: [] }), labelOfAll(heard));
    return heard;
  };

  return async (turn, step) => {
    const { row, agent, unheardFrom } = turn;
    // A child reads no room, and a job only does its task.
    if (row.parent !== null || isOfSchedule(row)) return [];
    if (unheardFrom !== undefined) {
      const heard = await hear(turn, step, unheardFrom);
      if (heard.length > 0) return heard;
    }
    const mode = agent.content.queue ?? DEFAULT_QUEUE_MODE;
    if (mode === "followup" || (mode !== "steer" && step > 0)) return [];
    if (turn.fullAt !== undefined && turn.fullAt === step - 1) return [];
    const lane = queueKeyOf(row);
    // Only messages of the same person, because one person decides everything in an activation. And
    // only messages that call the agent: ambient ones wait for their gates.
    const waiting = lanes.take(
      lane,
      (one) => one.person === row.person && one.started_at === null && one.ready_at === 0 && !isOfSchedule(one),
    );
    if (waiting.length === 0) return [];
    let merged = NOTHING;
    try {
      merged = await merge(turn, step, waiting.slice(0, MAX_INTAKE_MESSAGES));
      if (merged.rows.length > 0 && merged.rows.length < waiting.length) turn.fullAt = step;
      return merged.messages;
    } finally {
      lanes.putBack(
        lane,
        waiting.filter((one) => !merged.rows.includes(one)),
      );
    }
  };
};

const labelOfAll = (messages: readonly HeldMessage[]): Label =>
  messages.reduce((label, message) => joinLabels(label, message.label), OWN);
