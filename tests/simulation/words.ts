/** Calls that a person is asked about: what people said of each, and what must hold of it when it takes effect and in the end. */
import type { MemoryDisk, Row } from "@hearth/warden/memory-warden";
import type { Complain, ToolWorld } from "./far-side.ts";
import { isAsking, subjectOf } from "./plan.ts";

/** `deny`, or how far a yes reaches. */
export type Word = "deny" | "once" | "session" | "rule";

export interface Words {
  /** One that waits for a word, or a rule that stands, if there is any. */
  asked(nth: number): Promise<Row<"approvals"> | undefined>;
  rule(nth: number): Promise<Row<"approval_rules"> | undefined>;
  /** Right before somebody says it: whether it counted may be lost on the way back. */
  says(approval: Row<"approvals">, word: Word): void;
  /** A call crosses to its tool. */
  crosses(key: string, input: unknown): Promise<void>;
  /** Nothing is left to do but what waits for a word: that holds up nobody. */
  checkLanes(): Promise<void>;
  /** Nothing happens any more. */
  check(effects: ToolWorld["effects"]): Promise<void>;
}

export const createWords = (disk: MemoryDisk, complain: Complain): Words => {
  const said = new Map<string, Set<Word>>();
  /** What may pass again unasked, by the agent. */
  const ruled = new Map<string, unknown[]>();
  /** The inputs of each call that crossed. A model that is asked again may put another call in the place of one that was asked about. */
  const crossed = new Map<string, unknown[]>();

  const isRuled = (agent: string | undefined, input: unknown): boolean =>
    (ruled.get(agent ?? "") ?? []).some((one) => Bun.deepEquals(one, input));

  const callOf = (key: string): { readonly activation: string; readonly step: number } => {
    const [activation = "", step = ""] = key.split("/");
    return { activation, step: Number(step) };
  };

  const checkRow = (row: Row<"approvals">): void => {
    const { id, state, decided_at: decidedAt, expires_at: expiresAt } = row;
    const words = [...(said.get(id) ?? [])];
    const isAllowed = state === "allowed" || state === "used";
    if (state === "pending") complain("approval", `${id} is left without an end`);
    if (isAllowed && !words.some((word) => word !== "deny"))
      complain("approval", `${id} is ${state}, and nobody said yes`);
    // Forgetting erases the reason.
    const isErased = row.input === "{}" && row.reason === null;
    if (state === "denied" && !words.includes("deny") && row.reason !== STOPPED && !isErased)
      complain("approval", `${id} is denied, and nobody said no`);
    if (isAllowed && (decidedAt === null || decidedAt >= expiresAt))
      complain("approval", `${id} was allowed after it had run out`);
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

    says(approval, word) {
      said.set(approval.id, (said.get(approval.id) ?? new Set()).add(word));
      if (word !== "session" && word !== "rule") return;
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
        complain("approval", `the call ${key} (${subjectOf(input)}) was made, and its word is ${stateOf(rows)}`);
    },

    async checkLanes() {
      if ((await disk.store.select({ table: "holds" })).length > 0) return;
      const open = await disk.store.select({ table: "activations", where: { ended_at: null, ready_at: 0 } });
      for (const [lane, rows] of Map.groupBy(open, ({ agent, room }) => `${agent} in ${room}`)) {
        const has = (state: string): boolean => rows.some((row) => row.state === state);
        if (has("waiting") && has("queued") && !has("running"))
          complain("lane", `${lane} waits for one that waits for a word`);
      }
    },

    async check(effects) {
      const rows = await disk.store.select({ table: "approvals" });
      for (const row of rows) checkRow(row);
      const decided = (await disk.store.select({ table: "events", where: { type: "approval-decided" } })).map(
        ({ body }) => JSON.parse(body ?? "{}").approval,
      );
      for (const { id, by } of rows)
        if (by !== null && decided.filter((one) => one === id).length !== 1)
          complain("approval", `the room was not told once what became of ${id}`);
      for (const [key, calls] of Map.groupBy(rows, ({ activation, step }) => `${activation}/${step}`)) {
        const used = calls.filter(({ state }) => state === "used").length;
        if (used > 1) complain("approval", `the call ${key} used ${used} words`);
        const asked = calls.filter(({ input }) =>
          (crossed.get(key) ?? []).some((one) => Bun.deepEquals(one, JSON.parse(input))),
        );
        if (used === 0 && effects.has(key) && asked.some(({ agent, input }) => !isRuled(agent, JSON.parse(input))))
          complain("approval", `the call ${key} took effect, and its word is ${stateOf(calls)}`);
      }
    },
  };
};

/** What stands where somebody stopped the agent. */
const STOPPED = "The agent was stopped.";

const stateOf = (rows: readonly Row<"approvals">[]): string => rows.map(({ state }) => state).join(", ") || "none";
