import { noLeakScan } from "./fixtures/no-leak-scan.ts";
import { expect, test } from "bun:test";
import type { ActivationId, AgentId, RoomId } from "@hearth/protocol";
import type { ChargeGate } from "../models/resilience/charge.ts";
import { NO_TAINT } from "./taint/turn-taint.ts";
import { createChokePoint, type Effect, type Stage, STAGES, type StageName } from "./effect.ts";

const effect: Effect = {
  ...{ kind: "tool", activation: "act_1" as ActivationId, agent: { id: "agent_1" as AgentId, handle: "main" } },
  ...{ place: "room_1" as RoomId, step: 1, effect: "plain", signal: new AbortController().signal },
  ...{ call: { id: "c", name: "shell", input: {} }, granted: [], earlier: [], taint: NO_TAINT },
};
type Judged = Exclude<StageName, "journal">;
const judged = STAGES.filter((name): name is Judged => name !== "journal");

/** Every stage allows the effect except those given here. Returns the stages that were called. */
const open = (others: Partial<Record<Judged, "refused" | "waiting" | "stopped">> = {}) => {
  const asked: StageName[] = [];
  const stages = Object.fromEntries(
    judged.map((name) => [
      name,
      () => {
        asked.push(name);
        const verdict = others[name];
        return verdict === undefined
          ? ({ verdict: "allowed" } as const)
          : ({ verdict, text: `no, says ${name}` } as const);
      },
    ]),
  );
  const chokePoint = createChokePoint(stages, noLeakScan);
  return { asked, pass: () => chokePoint.pass(effect, async () => void asked.push("journal")) };
};

test("an effect that no stage refuses passes every stage in order", async () => {
  const { asked, pass } = open();
  expect(await pass()).toEqual({ verdict: "allowed" });
  expect(asked).toEqual([...STAGES]);
});

test.each(judged)("an effect that %p refuses stops there, and the verdict names the stage", async (name) => {
  for (const verdict of ["refused", "waiting", "stopped"] as const) {
    const { asked, pass } = open({ [name]: verdict });
    expect(await pass()).toEqual({ verdict, stage: name, text: `no, says ${name}` });
    expect(asked).toEqual(STAGES.slice(0, STAGES.indexOf(name) + 1));
  }
});

test("the journal is written after all deciding stages and before any stage that lends a secret", () => {
  const journal = STAGES.indexOf("journal");
  for (const name of ["stop", "budget", "schema", "role", "labels", "quota", "approval"] as const)
    expect(STAGES.indexOf(name)).toBeLessThan(journal);
  for (const name of ["credentials", "leak-scan", "audit"] as const)
    expect(STAGES.indexOf(name)).toBeGreaterThan(journal);
});

test("an effect does not pass when the journal cannot be written", async () => {
  const chokePoint = createChokePoint({}, noLeakScan);
  const failing = chokePoint.pass(effect, () => Promise.reject(new Error("disk full")));
  await expect(failing).rejects.toThrow("disk full");
});

test("`approval` receives the questions of all stages before it, and the effect is refused where approval is impossible", async () => {
  const ask = (text: string) => () => ({ verdict: "ask", text, fields: ["to"] }) as const;
  const stages = { budget: ask("it costs much"), labels: ask("a stranger named it") };
  const heard: unknown[] = [];
  const answered = createChokePoint(
    {
      ...stages,
      approval(_, asks = []) {
        heard.push(...asks);
        return { verdict: "waiting", text: "Ana is asked." };
      },
    },
    noLeakScan,
  );
  expect(await answered.pass(effect, async () => void heard.push("journal"))).toEqual({
    ...{ verdict: "waiting", stage: "approval", text: "Ana is asked." },
  });
  expect(heard).toEqual([
    { stage: "budget", text: "it costs much", fields: ["to"] },
    { stage: "labels", text: "a stranger named it", fields: ["to"] },
  ]);
  const refused = await createChokePoint(stages, noLeakScan).pass(effect, async () => void heard.push("journal"));
  expect(refused).toMatchObject({ verdict: "refused", stage: "approval" });
  expect(heard).toHaveLength(2);
});

test("a stage after one that asks may refuse, and then no person is asked", async () => {
  const chokePoint = createChokePoint(
    {
      labels: () => ({ verdict: "ask", text: "a stranger named it", fields: [] }),
      quota: () => ({ verdict: "refused", text: "used up" }),
      approval: () => {
        throw new Error("asked all the same");
      },
    },
    noLeakScan,
  );
  expect(await chokePoint.pass(effect, async () => {})).toEqual({
    verdict: "refused",
    stage: "quota",
    text: "used up",
  });
});

test("a reservation is released when a later stage refuses or the journal cannot be written", async () => {
  let held = 0;
  const hold: Stage = () => {
    held += 1;
    const chargeGate: ChargeGate = { admit: () => Promise.reject(new Error("a stopped call has no cost")) };
    const reservation = { maxOutputTokens: 1, chargeGate, close: () => void (held -= 1) };
    return { verdict: "allowed", reservation };
  };
  const refusing = createChokePoint({ budget: hold, quota: () => ({ verdict: "refused", text: "no" }) }, noLeakScan);
  expect((await refusing.pass(effect, async () => {})).verdict).toBe("refused");
  expect(held).toBe(0);
  const open = createChokePoint({ budget: hold }, noLeakScan);
  await expect(open.pass(effect, () => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
  expect(held).toBe(0);
  expect(await open.pass(effect, async () => {})).toMatchObject({
    verdict: "allowed",
    reservation: { maxOutputTokens: 1 },
  });
  expect(held).toBe(1);
});
