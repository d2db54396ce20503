/**
 * Model calls of programs in a cell are paid by their turn, and refused when the budget is used up.
 */
import { expect, test } from "bun:test";
import type { ModelEvent, ModelRequest } from "@hearth/protocol";
import type { Provider } from "../../models/provider.ts";
import { HOME, makeAgent, openTestBudgets, turnId } from "../../fixtures/budgets.ts";
import { createScriptedProvider, type ScriptedReply } from "../../models/scripted/scripted.ts";
import { createChargedProvider } from "../../models/resilience/charged-provider.ts";
import { createMemoryStore } from "../../kernel/store/memory.ts";
import { createPay } from "./paid-provider.ts";

const DAY = "2026-11-22";
const request: ModelRequest = {
  ...{ model: "m", system: [], tools: [], toolUse: "allowed", maxOutputTokens: 2_000 },
  messages: [{ role: "user", text: "hi" }],
};
const usage = (outputTokens: number) => ({ inputTokens: 0, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 });

const open = async (money: number, script: readonly ScriptedReply[]) => {
  const store = createMemoryStore();
  const budgets = await openTestBudgets({ store });
  const agent = makeAgent(1, { day: { money } });
  const model = createScriptedProvider([...script]);
  const tolled = createChargedProvider(model, "far");
  const pay = createPay({
    ...{ budgets, store },
    records: { find: async () => undefined },
    resolve: async () => ({ provider: tolled, model: "other" }),
  });
  const provider = pay(tolled, { agent, activation: turnId(0), models: ["far/m"] });
  const ask = (): Promise<readonly ModelEvent[]> =>
    Array.fromAsync(provider.stream(request, new AbortController().signal));
  const tally = () => budgets.ledger.tally(agent.id, DAY);
  return { budgets, model, provider, ask, tally };
};

test("a call is booked with its cost for its agent and for all agents, and reports the usage", async () => {
  const { ask, tally, budgets } = await open(10_000, [{ text: "hello", usage: usage(30) }]);
  expect((await ask()).at(-1)).toMatchObject({ type: "end", usage: { outputTokens: 30, cost: 30 } });
  expect(tally()).toEqual({ spent: { tokens: 30, money: 30 }, reserved: { tokens: 0, money: 0 } });
  expect(budgets.ledger.tally(HOME, DAY).spent.money).toBe(30);
});

test("a call that does not fit returns an error with an explanation, and no model is called", async () => {
  const { ask, model } = await open(500, [{ text: "hello", usage: usage(30) }]);
  const [error] = await ask();
  expect(error).toMatchObject({ type: "error", error: { code: "budget.spent" } });
  expect(model.requests).toEqual([]);
});

test("a call that fits with a shorter answer requests a shorter answer", async () => {
  const { ask, model } = await open(1_000, [{ text: "hello", usage: usage(30) }]);
  await ask();
  expect(model.requests[0]?.maxOutputTokens).toBeLessThan(1_000);
});

test("a reader that abandons the stream pays for the request and the answer so far", async () => {
  const { provider, tally } = await open(10_000, [{ text: "one two three", usage: usage(30) }]);
  for await (const event of provider.stream(request, new AbortController().signal)) {
    expect(event.type).toBe("text-delta");
    break;
  }
  expect(tally().reserved).toEqual({ tokens: 0, money: 0 });
  const { spent } = tally();
  const asked = new TextEncoder().encode(JSON.stringify(request)).length;
  expect(spent.money).toBe(Math.ceil(asked / 3) + Math.ceil("one ".length / 3));
});

test("a call that ends before the model charges leaves nothing reserved", async () => {
  const store = createMemoryStore();
  const budgets = await openTestBudgets({ store });
  const agent = makeAgent(1, { day: { money: 10_000 } });
  const error = { code: "provider.failed", message: "no connection" } as const;
  const failing: Provider = {
    ...createScriptedProvider([]),
    async *stream(): AsyncGenerator<ModelEvent> {
      yield { type: "error", error };
    },
  };
  const provider = createPay({
    ...{ budgets, store },
    records: { find: async () => undefined },
    resolve: () => Promise.reject(new Error("no other model")),
  })(failing, { agent, activation: turnId(0), models: ["far/m"] });
  expect(await Array.fromAsync(provider.stream(request, new AbortController().signal))).toEqual([
    { type: "error", error },
  ]);
  expect(budgets.ledger.tally(agent.id, DAY)).toEqual({
    spent: { tokens: 0, money: 0 },
    reserved: { tokens: 0, money: 0 },
  });
});
