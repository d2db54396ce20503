/** Whether a heartbeat that is due looks: no model is asked for nothing, and what keeps it from looking is the reason of the slot. */
import type { Records } from "../../../people/index.ts";
import { writeReplyRoute, type ReplyRoute, type Store, type Write } from "../../../kernel/index.ts";
import type { Budgets, Holds } from "../../../policy/index.ts";
import {
  type AgentId,
  type AgentRecord,
  type Clock,
  HEARTBEAT_PATH,
  isBetween,
  isHearthError,
  isTainted,
  listsSomething,
  type MessageEvent,
  type RoomRecord,
  wallDay,
} from "@hearth/protocol";
import { isFailedBy } from "../failed-by.ts";
import { createNews, isNew, type NewsOptions } from "./heartbeat-news.ts";
import { askHeartbeat } from "./heartbeat-terms.ts";
import type { JobRow, SlotRow, Terms } from "../rows.ts";

export interface GateOptions extends NewsOptions {
  readonly clock: Pick<Clock, "now">;
  readonly store: Pick<Store, "select">;
  readonly records: NewsOptions["records"] & Pick<Records, "get">;
  readonly holds: Pick<Holds, "isHeld">;
  readonly budgets: Pick<Budgets, "refusal">;
}

/** What a heartbeat is asked. */
export interface Beat {
  /** The words, and where in its room what is new begins. */
  readonly said: Required<Pick<MessageEvent, "body" | "job">>;
  /** Where else its owner is told: a row's `way`. */
  readonly way: string | null;
  /** Stores how far it looked, in the commit that asks. */
  readonly writes: readonly Write[];
}

export interface HeartbeatGate {
  /** Why it does not look at this slot; nothing when it is to look. What costs least is asked first. */
  refusal(row: Pick<JobRow, "agent" | "name">, slot: number): Promise<string | undefined>;
  /** What it is asked in this room, from what is there now. */
  beat(row: Pick<JobRow, "agent" | "owner">, terms: Terms, room: RoomRecord): Promise<Beat>;
}

const NOTHING_LISTED = `${HEARTBEAT_PATH} of its brain is missing, or lists nothing.`;

export const createHeartbeatGate = (options: GateOptions): HeartbeatGate => {
  const { clock, store, records, brains, holds, budgets } = options;
  const startedAt = clock.now();
  const newsFor = createNews(options);

  const isEmpty = async (agent: AgentRecord): Promise<string | undefined> =>
    listsSomething(await readList(agent)) ? undefined : NOTHING_LISTED;

  /** Without what others wrote: no prompt has it. */
  const readList = async (agent: AgentRecord): Promise<string> => {
    try {
      const lines = await (await brains.open(agent)).readLabelled(HEARTBEAT_PATH);
      return (lines ?? []).flatMap(({ text, label }) => (isTainted(label) ? [] : [text])).join("\n");
    } catch (error) {
      // A link in its place is none of its files.
      if (isHearthError(error, "brain.path")) return "";
      throw error;
    }
  };

  const outOfHours = async (agent: AgentRecord, slot: number): Promise<string | undefined> => {
    const hours = agent.content.heartbeat?.hours;
    if (hours === undefined) return undefined;
    const zone = agent.content.timezone ?? (await records.get("house", agent.house)).content.timezone;
    if (isBetween(hours, slot, zone)) return undefined;
    return `It is outside of its active hours, ${hours.from} to ${hours.to} (${zone}).`;
  };

  /** The last one that looked, or tried to. */
  const lastOf = async ({ agent, name }: Pick<JobRow, "agent" | "name">): Promise<SlotRow | undefined> => {
    const [last] = await store.select({
      ...{ table: "job_slots", where: { agent, job: name }, limit: 1 },
      and: [{ column: "activation", is: ">", value: "" }],
      order: [{ column: "slot", descending: true }],
    });
    return last;
  };

  /**
   * What the last one was told when its first call did not fit what is left: a whole request takes more than the least that could be asked. That
   * holds for the rest of its day, unless somebody has changed the agent since, or started the house anew.
   */
  const unpaid = async (agent: AgentRecord, last: SlotRow | undefined): Promise<string | undefined> => {
    const { activation = null, ended_at: at = null } = last ?? {};
    if (last === undefined || activation === null || at === null) return undefined;
    if (at < startedAt || agent.updatedAt > at) return undefined;
    const { timezone } = (await records.get("house", agent.house)).content;
    if (wallDay(at, timezone) !== wallDay(clock.now(), timezone)) return undefined;
    const [turn] = await store.select({ table: "activations", where: { id: activation } });
    return isFailedBy(turn?.error ?? null, "budget.spent") ? last.reason : undefined;
  };

  /** The conversation in which the owner talks in that room, if there is one. */
  const wayTo = async (owner: string, { id }: RoomRecord): Promise<ReplyRoute | undefined> => {
    const there = await store.select({
      ...{ table: "conversations", where: { room: id } },
      order: [{ column: "created_at", descending: true }],
    });
    for (const { channel, conversation } of there) {
      const [sender] = await store.select({ table: "senders", where: { channel, person: owner, state: "allowed" } });
      if (sender !== undefined) return { channel, conversation, sender: sender.external, person: owner as AgentId };
    }
    return undefined;
  };

  return {
    async refusal(row, slot) {
      const agent = await records.find("agent", row.agent);
      const heartbeat = agent?.content.heartbeat;
      if (agent === undefined || heartbeat === undefined) return "Its agent has no heartbeat any more.";
      if (holds.isHeld(agent.id)) return "The agent is stopped.";
      const closed = (await outOfHours(agent, slot)) ?? (await isEmpty(agent));
      if (closed !== undefined) return closed;
      const last = await lastOf(row);
      // What was new for one that did not get to its end nobody has looked at.
      const hasLooked = last === undefined || last.fate === "fired";
      const isIdle = heartbeat.always !== true && hasLooked && !isNew(await newsFor(agent));
      if (isIdle) return "Nothing is new since the last one.";
      return (await budgets.refusal(agent, "heartbeat")) ?? unpaid(agent, last);
    },
    async beat({ agent: id, owner }, terms, room) {
      const agent = await records.get("agent", id);
      const news = await newsFor(agent);
      const way = await wayTo(owner, room);
      const { name, context } = terms;
      return {
        said: {
          body: { format: "markdown", text: askHeartbeat(terms.prompt, news) },
          job: { name, context, ...(news.isFirst ? {} : { after: news.readTo(room.id) }) },
        },
        ...{ way: writeReplyRoute(way), writes: news.marks },
      };
    },
  };
};
