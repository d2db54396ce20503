/**
 * Records people's decisions about calls that need approval, and checks that only approved calls
 * take effect.
 */
import type { MemoryDisk, Row } from "@hearth/warden/memory-warden";
import type { Complain, ToolWorld } from "./far-side.ts";
import { isAsking, subjectOf } from "./plan.ts";

/** A decision: `deny`, or the scope of an approval. */
export type Decision = "deny" | "once" | "session" | "rule";

export interface ApprovalDecisions {
  /** The nth pending approval, if there is one. */
  asked(nth: number): Promise<Row<"approvals"> | undefined>;
  /** The nth standing approval rule, if there is one. */
  rule(nth: number): Promise<Row<"approval_rules"> | undefined>;
  /** Records a decision before its request is sent, because the response may be lost. */
  record(approval: Row<"approvals">, decision: Decision): void;
  /** Called when a call reaches its tool. */
  crosses(key: string, input: unknown): Promise<void>;
  /**
   * Checks that activations that wait for an approval do not block others. The house has no other
   * work left.
   */
  checkLanes(): Promise<void>;
  /** Checks all approvals at the end of the run. */
  check(effects: ToolWorld["effects"]): Promise<void>;
}

export const createApprovalDecisions = (disk: MemoryDisk, complain: Complain): ApprovalDecisions => {
  const decisions = new Map<string, Set<Decision>>();
  /** Inputs that a session or rule approval covers, by agent. */
  const ruled = new Map<string, unknown[]>();
  /**
   * The inputs of each call that reached its tool. A repeated model request may replace a call by
   * another one under the same key.
   */
  const crossed = new Map<string, unknown[]>();

  const isRuled = (agent: string | undefined, input: unknown): boolean =>
    (ruled.get(agent ?? "") ?? []).some((ruledInput) => Bun.deepEquals(ruledInput, input));

  const callOf = (key: string): { readonly activation: string; readonly step: number } => {
    const [activation = "", step = ""] = key.split("/");
    return { activation, step: Number(step) };
  };

  const checkRow = (row: Row<"approvals">): void => {
    const { id, state, decided_at: decidedAt, expires_at: expiresAt } = row;
    const recorded = [...(decisions.get(id) ?? [])];
    const isAllowed = state === "allowed" || state === "used";
    if (state === "pending") complain("approval", `${id} was never decided and has not expired`);
    if (isAllowed && !recorded.some((decision) => decision !== "deny"))
      complain("approval", `${id} is ${state}, and no person allowed it`);
    // Forgetting erases the reason.
    const isErased = row.input === "{}" && row.reason === null;
    if (state === "denied" && !recorded.includes("deny") && row.reason !== STOPPED && !isErased)
      complain("approval", `${id} is denied, and no person denied it`);
    if (isAllowed && (decidedAt === null || decidedAt >= expiresAt))
      complain("approval", `${id} was allowed after it had expired`);
  };

  return {
    async asked(nth) {
      const rows = await disk.store.select({
        ...{ table: "approvals", where: { state: "pending" }, order: [{ column: "id" }] },
      });
      return rows[nth % Math.max(1, rows.length)];
    },

    async rule(nth) {
      const rows = await disk.store.select({ table: "approval_rules", order: [{ column: "id" }] });
      return rows[nth % Math.max(1, rows.length)];
    },

    record(approval, decision) {
      decisions.set(approval.id, (decisions.get(approval.id) ?? new Set()).add(decision));
      if (decision !== "session" && decision !== "rule") return;
      ruled.set(approval.agent, [...(ruled.get(approval.agent) ?? []), JSON.parse(approval.input)]);
    },

    async crosses(key, input) {
      crossed.set(key, [...(crossed.get(key) ?? []), input]);
      if (!isAsking(input)) return;
      const { activation, step } = callOf(key);
      const rows = await disk.store.select({ table: "approvals", where: { activation, step } });
      const isShown = rows.some((row) => row.state === "used" && Bun.deepEquals(JSON.parse(row.input), input));
      if (isShown) return;
      const [row] = await disk.store.select({ table: "activations", where: { id: activation } });
      if (!isRuled(row?.agent, input))
        complain("approval", `the call ${key} (${subjectOf(input)}) was made, but its approval is ${stateOf(rows)}`);
    },

    async checkLanes() {
      if ((await disk.store.select({ table: "holds" })).length > 0) return;
      const open = await disk.store.select({ table: "activations", where: { ended_at: null, ready_at: 0 } });
      for (const [lane, rows] of Map.groupBy(open, ({ agent, room }) => `${agent} in ${room}`)) {
        const has = (state: string): boolean => rows.some((row) => row.state === state);
        if (has("waiting") && has("queued") && !has("running"))
          complain("lane", `${lane}: an activation is blocked by one that waits for an approval`);
      }
    },

    async check(effects) {
      const rows = await disk.store.select({ table: "approvals" });
      for (const row of rows) checkRow(row);
      const decided = (await disk.store.select({ table: "events", where: { type: "approval-decided" } })).map(
        ({ body }) => JSON.parse(body ?? "{}").approval,
      );
      for (const { id, by } of rows)
        if (by !== null && decided.filter((decision) => decision === id).length !== 1)
          complain("approval", `the room does not have exactly one decision event for ${id}`);
      for (const [key, calls] of Map.groupBy(rows, ({ activation, step }) => `${activation}/${step}`)) {
        const used = calls.filter(({ state }) => state === "used").length;
        if (used > 1) complain("approval", `the call ${key} used ${used} approvals`);
        const asked = calls.filter(({ input }) =>
          (crossed.get(key) ?? []).some((crossedInput) => Bun.deepEquals(crossedInput, JSON.parse(input))),
        );
        if (used === 0 && effects.has(key) && asked.some(({ agent, input }) => !isRuled(agent, JSON.parse(input))))
          complain("approval", `the call ${key} took effect, but its approval is ${stateOf(calls)}`);
      }
    },
  };
};

/** The reason of approvals that ended because the agent was stopped. */
const STOPPED = "The agent was stopped.";

const stateOf = (rows: readonly Row<"approvals">[]): string => rows.map(({ state }) => state).join(", ") || "none";
