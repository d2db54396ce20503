/** Stores approvals. A decision and its consequences are one commit, and a decision is final. */
import type { DurableStreams, Log, Notices, Row, Store, Write } from "../../kernel/index.ts";
import type { Permissions, Principal, Records } from "../../people/index.ts";
import {
  type AgentId,
  type Approval,
  type ApprovalId,
  type ApprovalScope,
  HearthError,
  type World,
} from "@hearth/protocol";
import {
  type ApprovalPlace,
  type Authority,
  createApprovalDeciders,
  approvalNotFoundError,
} from "./approval-deciders.ts";
import { createApprovalEnds } from "./approval-ends.ts";
import { createApprovalNotices } from "./approval-notices.ts";
import { createApprovalRequests } from "./approval-requests.ts";
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
  readonly permissions: Pick<Permissions, "levelOf" | "hasRight">;
  readonly outbox: Pick<Notices, "planNotice" | "planChoicesEnd" | "poke">;
  readonly redact: Redact;
  /** How long a person has to answer: at least an hour. */
  readonly expireMs: () => number;
}

export const createApprovals = (options: ApprovalsOptions): Approvals => {
  const { world, store, redact } = options;
  const deciders = createApprovalDeciders(options);
  const notices = createApprovalNotices(options);
  const ends = createApprovalEnds({ ...options, notices });
  const showApproval = (row: ApprovalRow): Approval => toApproval(row, redact);

  /**
   * Returns the row, and why the principal may decide. Throws `approval.not-found`, and
   * `auth.denied` for a principal who may not.
   */
  const findDecidable = async (principal: Principal, id: ApprovalId): Promise<readonly [ApprovalRow, Authority]> => {
    const [row] = await store.select({ table: "approvals", where: { id } });
    if (row === undefined) throw approvalNotFoundError(id);
    return [row, await deciders.require(principal, row)];
  };

  const planRule = (row: ApprovalRow, scope: ApprovalScope, by: AgentId): readonly Write[] => {
    if (scope === "once") return [];
    const offer = showApproval(row).offers.find((offer) => offer.scope === scope);
    if (offer === undefined) {
      throw new HearthError("request.invalid", `This call cannot be allowed with the scope "${scope}".`, {
        hint: `Allow it once, or see the offered scopes: hearth approval show ${row.id}`,
      });
    }
    const rule: Row<"approval_rules"> = {
      id: world.ids.fresh("rule"),
      house: row.house,
      agent: row.agent,
      tool: row.kind === "model" ? `model ${row.name}` : row.name,
      bound: row.bound,
      text: offer.text,
      room: scope === "session" ? row.room : null,
      since: scope === "session" ? row.since : null,
      approval: row.id,
      by,
      at: world.clock.now(),
    };
    return [{ kind: "insert", table: "approval_rules", row: rule }];
  };

  return {
    ...createApprovalRequests({ ...options, deciders, notices, ends }),
    onDecided: ends.onDecided,
    run: ends.run,

    rulesFor: (agent, tool) => store.select({ table: "approval_rules", where: { agent, tool } }),

    async list(principal, { limit, ...filter }) {
      const { newestApprovals } = await import("./approval-list.ts");
      const decidable: ApprovalRow[] = [];
      for await (const rows of newestApprovals(store, filter)) {
        decidable.push(...(await mayDecide(rows, (approvalPlace) => deciders.authority(principal, approvalPlace))));
        if (decidable.length >= limit) break;
      }
      return decidable.slice(0, limit).map(showApproval);
    },

    get: async (principal, id) => showApproval((await findDecidable(principal, id))[0]),

    async decide(principal, id, { decision, scope, reason }) {
      const [row, authority] = await findDecidable(principal, id);
      const by = principal.agent;
      const right = rightOf(authority);
      if (decision === "deny") return showApproval(await ends.decide(row, { state: "denied", by, right, reason }, []));
      if (right !== undefined && scope !== "once") throw onlyOnceError(id);
      return showApproval(
        await ends.decide(row, { state: "allowed", scope, by, right, reason }, planRule(row, scope, by)),
      );
    },

    async decideByCode({ code, room, person, decision, reason }) {
      const [row] = await store.select({
        table: "approvals",
        where: { code_hash: notices.hashOf(code), room, person },
      });
      const authority = row === undefined ? undefined : await deciders.authority({ agent: person }, row);
      if (row === undefined || authority === undefined) return undefined;
      const outcome =
        decision === "allow" ? ({ state: "allowed", scope: "once" } as const) : ({ state: "denied" } as const);
      return showApproval(
        await ends.decide(row, { ...outcome, by: person, right: rightOf(authority), reason, isByCode: true }, []),
      );
    },

    async denyAll(scope, by) {
      const where = scope === "house" ? {} : { agent: scope };
      const end = { state: "denied", by, reason: "The agent was stopped." } as const;
      const pendingRows = await store.select({ table: "approvals", where: { ...where, state: "pending" } });
      await Promise.all(pendingRows.map((row) => ends.settle(row, end)));
      // Unused approvals are withdrawn, so that the agent does not run these calls when a person
      // resumes it.
      const unusedRows = await store.select({ table: "approvals", where: { ...where, state: "allowed" } });
      await Promise.all(unusedRows.map((row) => ends.settle(row, end)));
    },

    async rules(principal) {
      const rows = await store.select({ table: "approval_rules", order: [{ column: "at" }, { column: "id" }] });
      return (await mayDecide(rows, ({ house }) => deciders.authority(principal, allRoomsOf(house)))).map((row) =>
        toRule(row, redact),
      );
    },

    async removeRule(principal, id) {
      const [row] = await store.select({ table: "approval_rules", where: { id } });
      if (row === undefined) throw approvalNotFoundError(id);
      if ((await deciders.require(principal, row)) !== "x") throw onlyAdminsError();
      await store.commit({ writes: [{ kind: "delete", table: "approval_rules", where: { id } }] });
    },
  };
};

/**
 * Returns the place of a standing approval, which needs `x`, because the right `approve` covers
 * single calls in one room.
 */
const allRoomsOf = (house: string): ApprovalPlace => ({ house, room: null });

const rightOf = (authority: Authority): "approve" | undefined => (authority === "x" ? undefined : authority);

const onlyOnceError = (id: ApprovalId): HearthError =>
  new HearthError("auth.denied", "The right approve allows this call only, not later ones.", {
    hint: `Allow it once: hearth approval allow ${id}`,
  });

const onlyAdminsError = (): HearthError =>
  new HearthError("auth.denied", "Only a person with x on the agent's house may remove a standing approval.", {
    hint: "Ask an administrator of that house.",
  });

/** Returns the rows that the principal may decide. Checks each room of a house once. */
const mayDecide = async <Kind extends ApprovalPlace>(
  rows: readonly Kind[],
  authorityIn: (approvalPlace: ApprovalPlace) => Promise<Authority | undefined>,
): Promise<readonly Kind[]> => {
  const rowsByPlace = new Map(rows.map((row) => [placeKeyOf(row), row]));
  const authorities = await Promise.all(
    [...rowsByPlace].map(async ([place, approvalPlace]) => [place, await authorityIn(approvalPlace)] as const),
  );
  const decidablePlaces = new Set(
    authorities.flatMap(([place, authority]) => (authority === undefined ? [] : [place])),
  );
  return rows.filter((row) => decidablePlaces.has(placeKeyOf(row)));
};

const placeKeyOf = ({ house, room }: ApprovalPlace): string => `${house} ${room ?? ""}`;
