import { expect, test } from "bun:test";
import type { ActivationId, AgentId, AgentRecord } from "@hearth/protocol";
import type { ChokePoint, TurnTaints } from "../../policy/index.ts";
import { createPassEgress } from "./pass-egress.ts";

const agent = { id: `agent_${"0".repeat(26)}` as AgentId, handle: "main" } as AgentRecord;
const activation = `act_${"0".repeat(26)}` as ActivationId;
const signal = new AbortController().signal;
const place = { scheme: "https", host: "a.example", port: 443, method: "GET", path: "/" } as const;
const request = { ...place, agent, isJudged: false, caller: { activation, agent: agent.id, signal } };

const passWith = (verdict: Awaited<ReturnType<ChokePoint["pass"]>>) => {
  const events: unknown[] = [];
  const pass = createPassEgress(
    {
      async pass(effect, begin) {
        events.push(effect);
        await begin();
        return verdict;
      },
    },
    {
      async reach(of, host) {
        // The record of the host is durable before the request is judged.
        await Promise.resolve();
        events.push(["reach", of, host]);
      },
      of: () => undefined,
    } satisfies Pick<TurnTaints, "of" | "reach">,
  );
  return { events, passed: pass(request, async () => void events.push("begin")) };
};

test("a request is judged with its turn's taint, after its host was recorded", async () => {
  const { events, passed } = passWith({ verdict: "allowed" } as never);
  expect(await passed).toBe("allowed");
  expect(events).toMatchObject([
    ["reach", activation, "a.example"],
    { kind: "egress", activation, agent: { id: agent.id, handle: "main" }, ...place },
    "begin",
  ]);
});

test("a request that the choke point does not pass gets the reason", async () => {
  const { passed } = passWith({ verdict: "refused", text: "It was stopped." } as never);
  expect(await passed).toEqual({ why: "It was stopped." });
});
