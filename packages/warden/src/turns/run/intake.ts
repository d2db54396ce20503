/**
 * Adds the messages that a person writes during a run to the running activation, as one of its
 * steps. The reply then also answers these messages.
 */
import { MAX_INTAKE_MESSAGES, type Context, type Frozen, type LabelledMessage } from "../../agents/index.ts";
import { type Journal, type Lease, type Store, type Row } from "../../kernel/index.ts";
import {
  isScheduled,
  type ActivationId,
  type AgentRecord,
  DEFAULT_QUEUE_MODE,
  joinLabels,
  type Label,
  OWNER_LABEL,
} from "@hearth/protocol";
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
  /** Called with each activation that was merged, and so is over. */
  readonly onMerged: (id: ActivationId) => void;
}

export interface IntakeTurn {
  readonly row: ActivationRow;
  readonly agent: AgentRecord;
  readonly frozen: Frozen;
  readonly lease: Lease;
  /** Resolves when the beginning of the activation is committed. */
  readonly startCommitted: Promise<void>;
  /**
   * The room's head when the activation began to wait for a decision. It is undefined if the
   * activation did not wait, or has read the later messages since.
   */
  unreadFrom: number | undefined;
  /** The last intake that left messages waiting. The model is called before the next intake. */
  lastFullStep: number | undefined;
}

/**
 * Commits a step with the waiting messages that the agent's queue mode allows, up to a limit, and
 * returns them. Other messages wait for a later step, or get a separate activation.
 */
export type Intake = (turn: IntakeTurn, step: number) => Promise<readonly LabelledMessage[]>;

interface MergedMessages {
  readonly rows: readonly ActivationRow[];
  readonly messages: readonly LabelledMessage[];
}

const NOTHING: MergedMessages = { rows: [], messages: [] };

export const createIntake = (options: IntakeOptions): Intake => {
  const { store, journal, context, lifecycle, lanes, queueKeyOf, onMerged } = options;

  const merge = async (turn: IntakeTurn, step: number, waiting: readonly ActivationRow[]): Promise<MergedMessages> => {
    const { row, agent, frozen, lease } = turn;
    await turn.startCommitted;
    const offsets = waiting.map(({ cause_offset }) => cause_offset);
    const heldMessages = await context.read(row, frozen, offsets);
    const events = heldMessages.map(({ event }) => event);
    // `heldMessages` lacks deleted messages, whose activations end with that reason, and messages beyond
    // the size limit, which stay in their lane.
    const rows = waiting.filter(({ cause }) => events.some((event) => event === cause));
    if (rows.length === 0) return NOTHING;
    const messages = heldMessages.map(({ message }) => message);
    const id = row.id;
    const input = events.join(" ");
    const start = { activation: id, step, kind: "intake", name: agent.handle, effect: "pure", input } as const;
    const plan = await journal.planStep(lease, start, JSON.stringify({ messages, events }), labelOfAll(heldMessages));
    if (!(await lifecycle.merge(rows, id, plan, agent.id))) return NOTHING;
    for (const merged of rows) onMerged(merged.id);
    return { rows, messages: heldMessages };
  };

  /**
   * Reads the messages that were written while the activation waited for a decision. Other
   * activations answered them, so they only inform the agent.
   */
  const readMissedMessages = async (
    turn: IntakeTurn,
    step: number,
    after: number,
  ): Promise<readonly LabelledMessage[]> => {
    const { row, agent, frozen, lease } = turn;
    await turn.startCommitted;
    // Messages that wait for another activation, or were merged into this one, are not read twice.
    const listReadElsewhere = async (): Promise<ReadonlySet<string>> => {
      const { room } = row;
      const rows = await Promise.all([
        store.select({ table: "activations", where: { agent: agent.id, room, ended_at: null } }),
        store.select({ table: "activations", where: { merged_into: row.id } }),
      ]);
      return new Set(rows.flat().map(({ cause }) => cause));
    };
    const missedMessages = await context.readNewer(row, frozen, after, listReadElsewhere);
    turn.unreadFrom = undefined;
    if (missedMessages.length === 0) return [];
    const messages = missedMessages.map(({ message }) => message);
    const id = row.id;
    const start = { activation: id, step, kind: "intake", name: agent.handle, effect: "pure", input: "" } as const;
    await journal.recordStep(lease, start, JSON.stringify({ messages, events: [] }), labelOfAll(missedMessages));
    return missedMessages;
  };

  return async (turn, step) => {
    const { row, agent, unreadFrom } = turn;
    // Children and jobs take in no messages of the room.
    if (row.parent !== null || isScheduled(row)) return [];
    if (unreadFrom !== undefined) {
      const missedMessages = await readMissedMessages(turn, step, unreadFrom);
      if (missedMessages.length > 0) return missedMessages;
    }
    const mode = agent.content.queue ?? DEFAULT_QUEUE_MODE;
    if (mode === "followup" || (mode !== "steer" && step > 0)) return [];
    if (turn.lastFullStep !== undefined && turn.lastFullStep === step - 1) return [];
    const lane = queueKeyOf(row);
    // Only messages of the same person are taken, because an activation acts for one person.
    // Ambient messages wait for their gates.
    const waitingRows = lanes.take(
      lane,
      (queued) =>
        queued.person === row.person && queued.started_at === null && queued.ready_at === 0 && !isScheduled(queued),
    );
    if (waitingRows.length === 0) return [];
    let mergedMessages = NOTHING;
    try {
      mergedMessages = await merge(turn, step, waitingRows.slice(0, MAX_INTAKE_MESSAGES));
      if (mergedMessages.rows.length > 0 && mergedMessages.rows.length < waitingRows.length) turn.lastFullStep = step;
      return mergedMessages.messages;
    } finally {
      lanes.putBack(
        lane,
        waitingRows.filter((queued) => !mergedMessages.rows.includes(queued)),
      );
    }
  };
};

const labelOfAll = (messages: readonly LabelledMessage[]): Label =>
  messages.reduce((label, message) => joinLabels(label, message.label), OWNER_LABEL);
