/**
 * Starts and stops child activations, which a tool of another activation requests. A child begins
 * with a question, runs in a separate lane, and stops when its parent is stopped.
 */
import type { Inbox, Children } from "../../agents/index.ts";
import {
  leaseLostError,
  childActivation,
  type Journal,
  type Store,
  type Row,
  type DurableStreams,
} from "../../kernel/index.ts";
import type { ActivationId } from "@hearth/protocol";
import { readToolStep } from "./step-output.ts";

type ActivationRow = Row<"activations">;

export interface HouseChildren extends Children {
  /** Stops the children of an activation that ended without a reply. Resolves when they are over. */
  stopChildrenOf(parent: ActivationId): Promise<void>;
  /** Whether the parent ended without a reply or no longer exists. */
  isOrphan(row: ActivationRow): Promise<boolean>;
}

export interface ChildrenOptions {
  readonly now: () => number;
  readonly store: Pick<Store, "select">;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly journal: Journal;
  readonly inbox: Pick<Inbox, "planPut">;
  /** Called with a child that has just become durable. */
  readonly enqueue: (row: ActivationRow) => void;
  readonly waitForEnd: (id: ActivationId, signal: AbortSignal) => Promise<ActivationRow>;
  readonly stop: (id: ActivationId, why: { readonly reason: string }) => Promise<unknown>;
}

/**
 * Maximum number of children that one message causes, of all agents in its room together. Without
 * this limit, a few agents that ask each other ten times per turn would start thousands.
 */
const MAX_CHILDREN = 24;
export const MESSAGE_DELETED = "Its message was deleted.";
export const PARENT_STOPPED = "The activation that requested it was stopped.";

export const createChildren = (options: ChildrenOptions): HouseChildren => {
  const { now, store, streams, journal, inbox, enqueue, waitForEnd, stop } = options;

  const find: Children["find"] = async (id) => {
    const [row] = await store.select({ table: "activations", where: { id } });
    return row;
  };

  return {
    find,
    waitForEnd,

    async start({ id, agent, inbox: question }, { activation: parent, lease }) {
      const { root, room } = parent;
      const siblings = await store.select({ table: "activations", where: { root, room, trigger: "inbox" } });
      if (siblings.length >= MAX_CHILDREN) return "too-many";
      const row = childActivation({ parent, id, agent, inbox: question.id, now: now() });
      const inboxChange = inbox.planPut(question);
      const result = await streams.commit({
        guards: [
          lease.guard,
          // The parent must still run: a child that began after the parent's end would never be
          // stopped.
          { kind: "exists", table: "activations", where: { id: parent.id, ended_at: null } },
          ...inboxChange.guards,
        ],
        writes: [{ kind: "insert", table: "activations", row }, ...inboxChange.writes, ...lease.renewal()],
        events: inboxChange.events,
      });
      if (result.kind === "refused" && result.guard === "lease") throw leaseLostError(lease.agent);
      if (result.kind === "refused") return "over";
      if (result.kind === "conflict") throw new Error(`${id} was begun twice`);
      enqueue(row);
      return "begun";
    },

    async stop(id, reason) {
      await stop(id, { reason });
    },

    async toolCalls(id) {
      let count = 0;
      for (const { kind, output } of (await journal.load(id)).values())
        if (kind === "tool") count += 1 + ((output === undefined ? undefined : readToolStep(output).toolCalls) ?? 0);
      return count;
    },

    async stopChildrenOf(parent) {
      const openChildren = await store.select({ table: "activations", where: { parent, ended_at: null } });
      await Promise.all(openChildren.map(({ id }) => stop(id, { reason: PARENT_STOPPED })));
    },

    async isOrphan({ parent }) {
      if (parent === null) return false;
      const row = await find(parent);
      return row === undefined || (row.ended_at !== null && row.state !== "replied");
    },
  };
};
