/** Requests of activations for approval: creates them, uses allowed ones, and closes them. */
import { type NewEvent, type Row, type Store, writeJson, type Write } from "../../kernel/index.ts";
import type { Records } from "../../people/index.ts";
import type { ActivationId, World } from "@hearth/protocol";
import type { ApprovalDeciders } from "./approval-deciders.ts";
import type { ApprovalEnds } from "./approval-ends.ts";
import type { ApprovalEnd, ApprovalNotices } from "./approval-notices.ts";
import type { Approvals, NewApproval } from "./approvals.ts";

type ApprovalRow = Row<"approvals">;

export interface ApprovalRequestsOptions {
  readonly world: Pick<World, "clock" | "ids">;
  readonly store: Pick<Store, "select">;
  readonly records: Pick<Records, "get">;
  readonly deciders: Pick<ApprovalDeciders, "personFor">;
  readonly notices: Pick<ApprovalNotices, "plan" | "planEnd">;
  readonly ends: Pick<ApprovalEnds, "planWrite" | "event" | "settle">;
  readonly expireMs: () => number;
}

export const createApprovalRequests = (
  options: ApprovalRequestsOptions,
): Pick<Approvals, "find" | "planRequest" | "use" | "planClose" | "expire"> => {
  const { store, records, deciders, notices, ends, expireMs } = options;
  const { clock, ids } = options.world;

  const pendingOf = (activation: ActivationId): Promise<readonly ApprovalRow[]> =>
    store.select({ table: "approvals", where: { activation, state: "pending" } });

  /** Plans the notices about the end of the requests, for the people who were asked. */
  const planEnds = async (rows: readonly ApprovalRow[], end: ApprovalEnd): Promise<readonly Write[]> =>
    (await Promise.all(rows.map((row) => notices.planEnd(row, end)))).flat();

  /** Ends the activation's earlier requests, even if they were allowed and not used. */
  const planReplace = async (activation: ActivationId, at: number): Promise<readonly Write[]> => {
    const set = { state: "expired", decided_at: at, code_hash: null } as const;
    const pendingRows = await pendingOf(activation);
    return [
      { kind: "update", table: "approvals", where: { activation, state: "pending" }, set },
      { kind: "update", table: "approvals", where: { activation, state: "allowed" }, set },
      ...(await planEnds(pendingRows, { state: "expired", reason: "The agent asked about another call instead." })),
    ];
  };

  const plan = async ({ activation, step, call, asks, display, offers, bound }: NewApproval, at: number) => {
    const agent = await records.get("agent", activation.agent);
    const { room } = activation;
    const id = ids.fresh("apr");
    const person = await deciders.personFor(activation, agent);
    const requestedCall = { id, handle: agent.handle, tool: call.name, room, person, asks, display };
    const { codeHash, writes } = await notices.plan(requestedCall);
    const row: ApprovalRow = {
      id,
      house: agent.house,
      agent: agent.id,
      activation: activation.id,
      step,
      room,
      person,
      ...call,
      display,
      bound,
      asks: writeJson(asks),
      offers: writeJson(offers),
      since: activation.cause_offset,
      code_hash: codeHash,
      state: "pending",
      scope: null,
      by: null,
      reason: null,
      at,
      decided_at: null,
      expires_at: at + expireMs(),
    };
    return { row, writes };
  };

  const toAskedEvent = ({ id, room, at, agent, activation, person, name }: ApprovalRow): NewEvent => ({
    stream: `room:${room}`,
    id: ids.derive("evt", id, "asked"),
    event: {
      type: "approval-asked",
      room,
      at,
      approval: id,
      agent,
      tool: name,
      activation,
      ...(person === null ? {} : { person }),
    },
  });

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
      // Each model call needs a new approval, so a used one does not count. A tool call has its own step.
      return rows.find(({ state }) => kind === "tool" || state !== "used");
    },

    async planRequest(request) {
      const at = clock.now();
      const { row, writes } = await plan(request, at);
      const replace = await planReplace(row.activation, at);
      return {
        writes: [...replace, { kind: "insert", table: "approvals", row }, ...writes],
        events: [toAskedEvent(row)],
      };
    },

    use: ({ id }) => ({
      guards: [{ kind: "exists", table: "approvals", where: { id, state: "allowed" } }],
      writes: [{ kind: "update", table: "approvals", where: { id }, set: { state: "used" } }],
    }),

    async planClose(activation, reason) {
      const rows = await pendingOf(activation);
      const end: ApprovalEnd = { state: "expired", reason };
      return {
        guards: [],
        writes: [...rows.map((row) => ends.planWrite(row, end)), ...(await planEnds(rows, end))],
        events: rows.map((row) => ends.event(row, end)),
      };
    },

    async expire(row) {
      await ends.settle(row, { state: "expired" });
    },
  };
};
