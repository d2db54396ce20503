/** Sums of charged calls, by day, agent, model, room and kind. */
import { expect, test } from "bun:test";
import type { RoomId } from "@hearth/protocol";
import { agentId, AT, makeAgent, openTestBudgets, pay, turnId } from "../../fixtures/budgets.ts";
import { createDeferringStore } from "../../kernel/store/deferred-writes.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createUsageSums } from "./usage-sums.ts";

const DAY = "2026-11-22";
const ROOM = `room_${"1".repeat(26)}` as RoomId;
const USAGE = { inputTokens: 30, outputTokens: 5, cacheReadTokens: 10, cacheWriteTokens: 2 };
const BOOKED = { tokens: 47, money: 47, usage: USAGE, isEstimated: false };
const OF = { agent: agentId(1), model: "far/m", room: ROOM, kind: "turn" } as const;

const allowed = async (
  budgets: Awaited<ReturnType<typeof openTestBudgets>>,
  call: Parameters<typeof budgets.ask>[1],
) => {
  const admission = await budgets.ask(makeAgent(1), call);
  if (admission.kind !== "allowed") throw new Error(admission.kind);
  return admission.reservation;
};

test("a charged call is written with the next commit, under the room and the kind of its paying turns", async () => {
  const store = createMemoryStore();
  const budgets = await openTestBudgets({ store });
  const turn = { activation: turnId(1), agent: makeAgent(1), room: ROOM };
  const parent = { activation: turnId(2), agent: makeAgent(2), room: "room_2" as RoomId, isHeartbeat: true as const };
  await pay(await allowed(budgets, { turns: [turn] }), { usage: USAGE });
  expect(await store.select({ table: "model_usage" })).toEqual([]);
  await pay(await allowed(budgets, { turns: [turn] }), { usage: USAGE });
  await pay(await allowed(budgets, { turns: [turn, parent] }), { usage: USAGE });
  await pay(await allowed(budgets, { turns: [turn], isProgram: true }), { saidBytes: 30 });
  await budgets.commit();
  const rows = await budgets.sums.list(DAY, DAY);
  expect(rows.toSorted((a, b) => a.kind.localeCompare(b.kind))).toMatchObject([
    { agent: agentId(1), model: "far/m", room: "room_2", kind: "heartbeat", calls: 1, estimated_tokens: 0 },
    {
      ...{ agent: agentId(1), model: "far/m", room: ROOM, kind: "program", calls: 1, input_tokens: 34 },
      ...{ output_tokens: 10, estimated_tokens: 44, estimated_money: 44, money: 44 },
    },
    {
      ...{ agent: agentId(1), model: "far/m", room: ROOM, kind: "turn", calls: 2, input_tokens: 60, at: AT },
      ...{ output_tokens: 10, cache_read_tokens: 20, cache_write_tokens: 4, money: 94, estimated_tokens: 0 },
    },
  ]);
});

test("a call that cost nothing is not counted", async () => {
  const store = createMemoryStore();
  const budgets = await openTestBudgets({ store });
  const reservation = await allowed(budgets, {});
  await pay(reservation, { end: "provider.unreachable" });
  reservation.close();
  await budgets.commit();
  expect(await store.select({ table: "model_usage" })).toEqual([]);
});

test("sums continue after a restart, and for a day that left the memory", async () => {
  const deferring = createDeferringStore(createMemoryStore());
  const open = () => createUsageSums(deferring, { now: () => AT });
  (await open().open(DAY)).add(OF, BOOKED);
  await deferring.flush();
  const sums = open();
  (await sums.open(DAY)).add(OF, BOOKED);
  await deferring.flush();
  for (const day of ["2026-11-23", "2026-11-24", "2026-11-25", "2026-11-26"]) await sums.open(day);
  (await sums.open(DAY)).add(OF, BOOKED);
  await deferring.flush();
  expect(await sums.list("2026-11-01", "2026-11-30")).toMatchObject([{ day: DAY, calls: 3, money: 141 }]);
});

test("a day whose sums could not be read is read again", async () => {
  const store = createMemoryStore();
  let isBroken = true;
  const deferring = createDeferringStore({
    ...store,
    select: (query) => (isBroken ? Promise.reject(new Error("disk failure")) : store.select(query)),
  });
  const sums = createUsageSums(deferring, { now: () => AT });
  await expect(sums.open(DAY)).rejects.toThrow("disk failure");
  isBroken = false;
  (await sums.open(DAY)).add(OF, BOOKED);
  await deferring.flush();
  expect(await sums.list(DAY, DAY)).toHaveLength(1);
});

test("a call counts if it cost tokens or money", async () => {
  const deferring = createDeferringStore(createMemoryStore());
  const sums = createUsageSums(deferring, { now: () => AT });
  const { add } = await sums.open(DAY);
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  for (const [tokens, money] of [
    [0, 0],
    [1, 0],
    [0, 1],
  ] as const)
    add(OF, { tokens, money, usage, isEstimated: false });
  await deferring.flush();
  expect(await sums.list(DAY, DAY)).toMatchObject([{ calls: 2, money: 1 }]);
});

test("the four newest days, and the day that is opened, stay in memory", () => {
  const sums = createUsageSums(createDeferringStore(createMemoryStore()), { now: () => AT });
  const first = sums.open(DAY);
  for (const day of ["2026-11-23", "2026-11-24", "2026-11-25"]) void sums.open(day);
  expect(sums.open(DAY)).toBe(first);
  void sums.open("2026-11-26");
  const again = sums.open(DAY);
  expect(again).not.toBe(first);
  expect(sums.open(DAY)).toBe(again);
});
