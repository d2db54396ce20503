/**
 * Approvals in the store. Each decision and its consequences are one commit, and a decision is
 * final.
 */
import {
  writeJson,
  type Log,
  type Notices,
  type Store,
  type Write,
  type Row,
  type DurableStreams,
  type NewEvent,
} from "../../kernel/index.ts";
import type { Permissions, Records } from "../../people/index.ts";
import {
  type ActivationId,
  type AgentId,
  type Approval,
  type ApprovalDecided,
  type ApprovalScope,
  HearthError,
  type World,
  type ApprovalState,
} from "@hearth/protocol";
import { createApprovalDeciders, notFound } from "./approval-deciders.ts";
import { type ApprovalEnd, createApprovalNotices } from "./approval-notices.ts";
import { toApproval, toRule } from "./approval-rows.ts";
import type { Approvals } from "./approvals.ts";
import type { Redact } from "../text/display.ts";

type ApprovalRow = Row<"approvals">;

export interface ApprovalsOptions {
  readonly world: Pick<World, "clock" | "ids" | "hash" | "random">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "commit">;
  readonly records: Pick<Records, "get" | "find">;
  readonly permissions: Pick<Permissions, "levelOf">;
  readonly outbox: Pick<Notices, "notice" | "endChoices" | "poke">;
  readonly redact: Redact;
  /** How long a person has to answer. At least an hour. */
  readonly expireMs: () => number;
}

const HOUR_MS = 60 * 60_000;

export const createApprovals = (options: ApprovalsOptions): Approvals => {
  const { world, log, store, streams, records, redact, expireMs } = options;
  const { clock, ids } = world;
  const deciders = createApprovalDeciders(options);
  const notices = createApprovalNotices(options);
  const shown = (row: ApprovalRow): Approval => toApproval(row, redact);
  const listeners: ((activation: ActivationId) => Promise<void>)[] = [];

  const byId = async (id: string): Promise<ApprovalRow> => {
    const [row] = await store.select({ table: "approvals", where: { id } });
    if (row === undefined) throw notFound(id);
    return row;
  };

  const pendingOf = (where: {
    readonly agent?: AgentId;
    readonly activation?: ActivationId;
  }): Promise<readonly ApprovalRow[]> => store.select({ table: "approvals", where: { ...where, state: "pending" } });

  const endWrite = (id: string, { state, scope, by, reason }: ApprovalEnd, from: ApprovalState = "pending"): Write => ({
    ...{ kind: "update", table: "approvals", where: { id, state: from } },
    set: {
      state,
      scope: scope ?? null,
      by: by ?? null,
      reason: reason ?? null,
      decided_at: clock.now(),
      code_hash: null,
    },
  });

  /** The id derives from the approval, so a second attempt to end it appends nothing. */
  const endEvent = ({ id, room, agent, activation }: ApprovalRow, { state, by }: ApprovalEnd): NewEvent => {
    const event: ApprovalDecided = {
      ...{ type: "approval-decided", room, at: clock.now(), approval: id },
      ...{ agent, activation, decision: state },
      ...(by === undefined ? {} : { by }),
    };
    return { stream: `room:${event.room}`, id: ids.derive("evt", id, "decided"), event };
  };

  /** False if another request ended the approval first. */
  const settle = async (row: ApprovalRow, end: ApprovalEnd, writes: readonly Write[] = []): Promise<boolean> => {
    const { id, activation, state } = row;
    const { kind } = await streams.commit({
      guards: [{ kind: "exists", table: "approvals", where: { id, state } }],
      writes: [
        endWrite(id, end, state),
        // An activation that is not parked needs no change: it is running and will check again.
        ...[
          {
            kind: "update",
            table: "activations",
            where: { id: activation, state: "waiting" },
            set: { state: "queued", crashes: 0 },
          } as const,
        ],
        ...writes,
        ...(await notices.planEnd(row, end)),
      ],
      events: [endEvent(row, end)],
    });
    if (kind !== "committed") return false;
    options.outbox.poke();
    for (const tell of listeners)
      tell(activation).catch((error: unknown) => {
        log.write("error", "cannot resume an activation after its approval was decided; the next start resumes it", {
          activation,
          error,
        });
      });
    return true;
  };

  const ruleWrite = (row: ApprovalRow, scope: ApprovalScope, by: AgentId): readonly Write[] => {
    if (scope === "once") return [];
    const offer = shown(row).offers.find((one) => one.scope === scope);
    if (offer === undefined) {
      throw new HearthError("request.invalid", `This call cannot be allowed with the scope "${scope}".`, {
        hint: "Allow it once, or see the offered scopes: hearth approval show",
      });
    }
    const { id, house, agent, room, since, kind, name, bound } = row;
    const where = scope === "session" ? { room, since } : { room: null, since: null };
    const tool = kind === "model" ? `model ${name}` : name;
    const rule = {
      id: ids.fresh("rule"),
      house,
      agent,
      tool,
      bound,
      text: offer.text,
      ...where,
      approval: id,
      by,
      at: clock.now(),
    };
    return [{ kind: "insert", table: "approval_rules", row: rule }];
  };

  const over = async (row: ApprovalRow): Promise<HearthError> => {
    const who = row.by === null ? undefined : await records.find("agent", row.by);
    const by = who === undefined ? "" : ` by ${who.content.name}`;
    return new HearthError("approval.over", `The approval is already ${row.state}${by}. Nothing has changed.`, {
      hint: "List the pending approvals: hearth approval list",
    });
  };

  const decideRow = async (row: ApprovalRow, end: ApprovalEnd, writes: readonly Write[]): Promise<ApprovalRow> => {
    if (row.state === "pending" && clock.now() >= row.expires_at) {
      await settle(row, { state: "expired" });
      throw await over(await byId(row.id));
    }
    if (row.state !== "pending" || !(await settle(row, end, writes))) throw await over(await byId(row.id));
    return byId(row.id);
  };

  const endDue = async (): Promise<number> => {
    const [next] = await store.select({
      table: "approvals",
      where: { state: "pending" },
      order: [{ column: "expires_at" }],
      limit: 1,
    });
    // A new approval gets the full time to expire.
    if (next === undefined) return expireMs();
    const leftMs = next.expires_at - clock.now();
    // The clock may have been set back, so wait at most an hour.
    if (leftMs > 0) return Math.min(leftMs, HOUR_MS);
    await settle(next, { state: "expired" });
    return 0;
  };

  return {
    async find(activation, step, { kind, hash }) {
      const rows = await store.select({
        table: "approvals",
        where: { activation, kind, hash, ...(kind === "tool" ? { step } : {}) },
        order: [
          { column: "at", descending: true },
          { column: "id", descending: true },
        ],
        limit: 1,
      });
      // A model is called often, so an approval of a model call is used once.
      return rows.find(({ state }) => kind === "tool" || state !== "used");
    },

    async planAsk({ activation: asking, step, what, asks, display, offers, bound }) {
      const agent = await records.get("agent", asking.agent);
      const { house, handle } = agent;
      const { id: activation, room } = asking;
      const id = ids.fresh("apr");
      const at = clock.now();
      const person = await deciders.personFor(asking, agent);
      const { codeHash, writes } = await notices.plan({ id, handle, tool: what.name, room, person, asks, display });
      const row: ApprovalRow = {
        ...{ id, house, agent: agent.id, activation, step, room, person, ...what, display, bound },
        ...{
          asks: writeJson(asks),
          offers: writeJson(offers),
          since: asking.cause_offset,
          code_hash: codeHash,
        },
        ...{ state: "pending", scope: null, by: null, reason: null, at, decided_at: null, expires_at: at + expireMs() },
      };
      const off = { state: "expired", decided_at: at, code_hash: null } as const;
      const earlier = await pendingOf({ activation: row.activation });
      const over: ApprovalEnd = { state: "expired", reason: "The agent asked about another call instead." };
      const stream: NewEvent["stream"] = `room:${room}`;
      return {
        writes: [
          ...(["pending", "allowed"] as const).map(
            (state) => ({ kind: "update", table: "approvals", where: { activation, state }, set: off }) as const,
          ),
          { kind: "insert", table: "approvals", row },
          ...(await Promise.all(earlier.map((one) => notices.planEnd(one, over)))).flat(),
          ...writes,
        ],
        events: [
          {
            stream,
            id: ids.derive("evt", id, "asked"),
            event: {
              ...{ type: "approval-asked", room, at, approval: id, agent: agent.id, tool: what.name },
              ...{ activation, ...(person === null ? {} : { person }) },
            },
          },
        ],
      };
    },

    use: ({ id }) => ({
      guards: [{ kind: "exists", table: "approvals", where: { id, state: "allowed" } }],
      writes: [{ kind: "update", table: "approvals", where: { id }, set: { state: "used" } }],
    }),

    async planClose(activation, reason) {
      const rows = await pendingOf({ activation });
      const end: ApprovalEnd = { state: "expired", reason };
      return {
        guards: [],
        writes: [
          ...rows.map(({ id }) => endWrite(id, end)),
          ...(await Promise.all(rows.map((row) => notices.planEnd(row, end)))).flat(),
        ],
        events: rows.map((row) => endEvent(row, end)),
      };
    },

    async expire(row) {
      await settle(row, { state: "expired" });
    },

    rulesFor: (agent, tool) => store.select({ table: "approval_rules", where: { agent, tool } }),

    async list(principal, { state, limit }) {
      const { newestApprovals } = await import("./approval-list.ts");
      const mine: ApprovalRow[] = [];
      for await (const rows of newestApprovals(store, state)) {
        mine.push(...(await mayDecideIn(rows, (house) => deciders.isDecider(principal, house))));
        if (mine.length >= limit) break;
      }
      return mine.slice(0, limit).map(shown);
    },

    async get(principal, id) {
      const row = await byId(id);
      await deciders.require(principal, row);
      return shown(row);
    },

    async decide(principal, id, { decision, scope, reason }) {
      const row = await byId(id);
      await deciders.require(principal, row);
      const by = principal.agent;
      if (decision === "deny") return shown(await decideRow(row, { state: "denied", by, reason }, []));
      return shown(await decideRow(row, { state: "allowed", scope, by, reason }, ruleWrite(row, scope, by)));
    },

    async decideSpoken({ code, room, person, decision, reason }) {
      const [row] = await store.select({
        table: "approvals",
        where: { code_hash: notices.hashOf(code), room, person },
      });
      if (row === undefined || !(await deciders.isDecider({ agent: person }, row.house))) return undefined;
      const word =
        decision === "allow" ? ({ state: "allowed", scope: "once" } as const) : ({ state: "denied" } as const);
      return shown(await decideRow(row, { ...word, by: person, reason, isSpoken: true }, []));
    },

    async denyAll(scope, by) {
      const where = scope === "house" ? {} : { agent: scope };
      const end = { state: "denied", by, reason: "The agent was stopped." } as const;
      await Promise.all((await pendingOf(where)).map((row) => settle(row, end)));
      // Withdraw unused approvals, so that resuming the agent later does not run them.
      const unused = await store.select({ table: "approvals", where: { ...where, state: "allowed" } });
      await Promise.all(unused.map((row) => settle(row, end)));
    },

    async rules(principal) {
      const rows = await store.select({ table: "approval_rules", order: [{ column: "at" }, { column: "id" }] });
      return (await mayDecideIn(rows, (house) => deciders.isDecider(principal, house))).map((row) =>
        toRule(row, redact),
      );
    },

    async removeRule(principal, id) {
      const [row] = await store.select({ table: "approval_rules", where: { id } });
      if (row === undefined) throw notFound(id);
      await deciders.require(principal, row);
      await store.commit({ writes: [{ kind: "delete", table: "approval_rules", where: { id } }] });
    },

    onDecided: (listener) => void listeners.push(listener),

    async run(signal) {
      while (!signal.aborted) {
        let pauseMs = HOUR_MS;
        try {
          pauseMs = await endDue();
        } catch (error) {
          log.write("warn", "cannot end expired approvals; will try again", { error });
        }
        await clock.sleep(pauseMs, signal);
      }
    },
  };
};

/** Returns the rows of houses where the principal decides. Checks each house once. */
const mayDecideIn = async <Kind extends { readonly house: string }>(
  rows: readonly Kind[],
  decidesIn: (house: string) => Promise<boolean>,
): Promise<readonly Kind[]> => {
  const houses = [...new Set(rows.map(({ house }) => house))];
  const may = new Set(
    (await Promise.all(houses.map(async (house) => ((await decidesIn(house)) ? [house] : [])))).flat(),
  );
  return rows.filter(({ house }) => may.has(house));
};
