/**
 * Decides whether a due heartbeat runs, so that no model is called needlessly. If it does not run,
 * the slot's reason says why.
 */
import type { Records } from "../../../people/index.ts";
import { writeReplyRoute, type ReplyRoute, type Store, type Write } from "../../../kernel/index.ts";
import type { Budgets, Holds } from "../../../policy/index.ts";
import {
  type AgentRecord,
  type Clock,
  HEARTBEAT_PATH,
  isBetween,
  isHearthError,
  isTainted,
  hasChecklistContent,
  type MessageEvent,
  type RoomRecord,
  wallDay,
  type AgentId,
} from "@hearth/protocol";
import { hasErrorCode } from "../failed-by.ts";
import { createNews, isNew, type NewsOptions } from "./heartbeat-news.ts";
import { toHeartbeatPrompt } from "./heartbeat-terms.ts";
import type { JobRow, SlotRow, JobDefinition, JobIdentity } from "../rows.ts";

export interface GateOptions extends NewsOptions {
  readonly clock: Pick<Clock, "now">;
  readonly store: Pick<Store, "select">;
  readonly records: Pick<Records, "find" | "list" | "get">;
  readonly holds: Pick<Holds, "isHeld">;
  readonly budgets: Pick<Budgets, "refusal">;
}

/** The message of a heartbeat. */
export interface HeartbeatMessage {
  /** The text, and the offset in its room where the new messages begin. */
  readonly content: Required<Pick<MessageEvent, "body" | "job">>;
  /** The owner's reply route, as in the column `way`. */
  readonly way: SlotRow["way"];
  /** Stores the read positions, in the commit of the message. */
  readonly writes: readonly Write[];
}

export interface HeartbeatGate {
  /**
   * Returns the reason why the heartbeat does not run at this slot, or undefined if it runs. The
   * cheapest checks come first.
   */
  refusal(row: JobIdentity, slot: number): Promise<string | undefined>;
  /** Builds the message for this room from the current state. */
  createMessage(
    row: Pick<JobRow, "agent" | "owner">,
    terms: JobDefinition,
    room: RoomRecord,
  ): Promise<HeartbeatMessage>;
}

const EMPTY_LIST_REASON = `${HEARTBEAT_PATH} of the brain is missing or empty.`;

export const createHeartbeatGate = (options: GateOptions): HeartbeatGate => {
  const { clock, store, records, brains, holds, budgets } = options;
  const startedAt = clock.now();
  const findNews = createNews(options);

  const emptyListReason = async (agent: AgentRecord): Promise<string | undefined> =>
    hasChecklistContent(await readList(agent)) ? undefined : EMPTY_LIST_REASON;

  /** Returns the list without the lines of untrusted authors, which every prompt leaves out too. */
  const readList = async (agent: AgentRecord): Promise<string> => {
    try {
      const lines = await (await brains.open(agent)).readLabelled(HEARTBEAT_PATH);
      return (lines ?? []).flatMap(({ text, label }) => (isTainted(label) ? [] : [text])).join("\n");
    } catch (error) {
      // The path is a link, which is not a brain file.
      if (isHearthError(error, "brain.path")) return "";
      throw error;
    }
  };

  const inactiveHoursReason = async (agent: AgentRecord, slot: number): Promise<string | undefined> => {
    const hours = agent.content.heartbeat?.hours;
    if (hours === undefined) return undefined;
    const zone = agent.content.timezone ?? (await records.get("house", agent.house)).content.timezone;
    if (isBetween(hours, slot, zone)) return undefined;
    return `The time is outside the active hours, ${hours.from} to ${hours.to} (${zone}).`;
  };

  /** Returns the last slot that ran or failed. */
  const findLastSlot = async ({ agent, name }: JobIdentity): Promise<SlotRow | undefined> => {
    const [lastSlot] = await store.select({
      table: "job_slots",
      where: { agent, job: name },
      limit: 1,
      and: [{ column: "activation", is: ">", value: "" }],
      order: [{ column: "slot", descending: true }],
    });
    return lastSlot;
  };

  /**
   * Returns the last slot's reason if its first call exceeded the remaining budget. A whole
   * request costs more than the minimum that is checked here. The reason applies for the rest of
   * that day, unless the agent was changed or the daemon restarted.
   */
  const spentBudgetReason = async (agent: AgentRecord, lastSlot: SlotRow | undefined): Promise<string | undefined> => {
    const { activation = null, ended_at: at = null } = lastSlot ?? {};
    if (lastSlot === undefined || activation === null || at === null) return undefined;
    if (at < startedAt || agent.updatedAt > at) return undefined;
    const { timezone } = (await records.get("house", agent.house)).content;
    if (wallDay(at, timezone) !== wallDay(clock.now(), timezone)) return undefined;
    const [turn] = await store.select({ table: "activations", where: { id: activation } });
    return hasErrorCode(turn?.error ?? null, "budget.spent") ? lastSlot.reason : undefined;
  };

  /** Returns the reply route to the owner's conversation in that room, if there is one. */
  const replyRouteTo = async (owner: AgentId, { id }: RoomRecord): Promise<ReplyRoute | undefined> => {
    const conversations = await store.select({
      table: "conversations",
      where: { room: id },
      order: [{ column: "created_at", descending: true }],
    });
    for (const { channel, conversation } of conversations) {
      const [sender] = await store.select({ table: "senders", where: { channel, person: owner, state: "allowed" } });
      if (sender !== undefined) return { channel, conversation, sender: sender.external, person: owner };
    }
    return undefined;
  };

  return {
    async refusal(row, slot) {
      const agent = await records.find("agent", row.agent);
      const heartbeat = agent?.content.heartbeat;
      if (agent === undefined || heartbeat === undefined) return "Its agent no longer has a heartbeat.";
      if (holds.isHeld(agent.id)) return "The agent is stopped.";
      const reason = (await inactiveHoursReason(agent, slot)) ?? (await emptyListReason(agent));
      if (reason !== undefined) return reason;
      const lastSlot = await findLastSlot(row);
      // A heartbeat that did not finish has not read its news.
      const hasReadNews = lastSlot === undefined || lastSlot.fate === "fired";
      const isIdle = heartbeat.always !== true && hasReadNews && !isNew(await findNews(agent));
      if (isIdle) return "Nothing changed since the last heartbeat.";
      return (await budgets.refusal(agent, "heartbeat")) ?? spentBudgetReason(agent, lastSlot);
    },
    async createMessage({ agent: id, owner }, terms, room) {
      const agent = await records.get("agent", id);
      const news = await findNews(agent);
      const route = await replyRouteTo(owner, room);
      const { name, context } = terms;
      return {
        content: {
          body: { format: "markdown", text: toHeartbeatPrompt(terms.prompt, news) },
          job: { name, context, ...(news.isFirst ? {} : { after: news.previousOffset(room.id) }) },
        },
        way: writeReplyRoute(route),
        writes: news.positionWrites,
      };
    },
  };
};
