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

/** Every stage says on, but these. Tells who was asked. */
const open = (others: Partial<Record<Judged, "refused" | "waiting" | "stopped">> = {}) => {
  const asked: StageName[] = [];
  const stages = Object.fromEntries(
    judged.map((name) => [
      name,
      () => {
        asked.push(name);
        const verdict = others[name];
        return verdict === undefined ? ({ verdict: "on" } as const) : ({ verdict, text: `no, says ${name}` } as const);
      },
    ]),
  );
  const chokePoint = createChokePoint(stages);
  return { asked, pass: () => chokePoint.pass(effect, async () => void asked.push("journal")) };
};

test("an effect that nobody minds passes every stage in the order of the house", async () => {
  const { asked, pass } = open();
  expect(await pass()).toEqual({ verdict: "on" });
  expect(asked).toEqual([...STAGES]);
});

test.each(judged)("what %p refuses goes no further, and names the stage", async (name) => {
  for (const verdict of ["refused", "waiting", "stopped"] as const) {
    const { asked, pass } = open({ [name]: verdict });
    expect(await pass()).toEqual({ verdict, stage: name, text: `no, says ${name}` });
    expect(asked).toEqual(STAGES.slice(0, STAGES.indexOf(name) + 1));
  }
});

test("the journal is written after all that decide and before anything that lends a secret", () => {
  const journal = STAGES.indexOf("journal");
  for (const name of ["stop", "budget", "schema", "role", "labels", "quota", "approval"] as const)
    expect(STAGES.indexOf(name)).toBeLessThan(journal);
  for (const name of ["credentials", "leak-scan", "audit"] as const)
    expect(STAGES.indexOf(name)).toBeGreaterThan(journal);
});

test("a journal that cannot be written lets nothing on", async () => {
  const chokePoint = createChokePoint({});
  const failing = chokePoint.pass(effect, () => Promise.reject(new Error("disk full")));
  await expect(failing).rejects.toThrow("disk full");
});

test("what a person is to be asked reaches `approval` from every stage before it, and is refused where nobody can be asked", async () => {
  const ask = (text: string) => () => ({ verdict: "ask", text, fields: ["to"] }) as const;
  const stages = { budget: ask("it costs much"), labels: ask("a stranger named it") };
  const heard: unknown[] = [];
  const answered = createChokePoint({
    ...stages,
    approval(_, asks = []) {
      heard.push(...asks);
      return { verdict: "waiting", text: "Ana is asked." };
    },
  });
  expect(await answered.pass(effect, async () => void heard.push("journal"))).toEqual({
    ...{ verdict: "waiting", stage: "approval", text: "Ana is asked." },
  });
  expect(heard).toEqual([
    { stage: "budget", text: "it costs much", fields: ["to"] },
    { stage: "labels", text: "a stranger named it", fields: ["to"] },
  ]);
  const refused = await createChokePoint(stages).pass(effect, async () => void heard.push("journal"));
  expect(refused).toMatchObject({ verdict: "refused", stage: "approval" });
  expect(heard).toHaveLength(2);
});

test("a stage after one that would ask may refuse, and then nobody is asked", async () => {
  const chokePoint = createChokePoint({
    labels: () => ({ verdict: "ask", text: "a stranger named it", fields: [] }),
    quota: () => ({ verdict: "refused", text: "used up" }),
    approval: () => {
      throw new Error("asked all the same");
    },
  });
  expect(await chokePoint.pass(effect, async () => {})).toEqual({
    verdict: "refused",
    stage: "quota",
    text: "used up",
  });
});

test("what a stage holds back is given back when a later stage does not let it on, or the journal cannot be written", async () => {
  let held = 0;
  const hold: Stage = () => {
    held += 1;
    const toll: ChargeGate = { begin: () => Promise.reject(new Error("nobody asks")) };
    const terms = { maxOutputTokens: 1, toll, close: () => void (held -= 1) };
    return { verdict: "on", terms };
  };
  const refusing = createChokePoint({ budget: hold, quota: () => ({ verdict: "refused", text: "no" }) });
  expect((await refusing.pass(effect, async () => {})).verdict).toBe("refused");
  expect(held).toBe(0);
  const open = createChokePoint({ budget: hold });
  await expect(open.pass(effect, () => Promise.reject(new Error("disk full")))).rejects.toThrow("disk full");
  expect(held).toBe(0);
  expect(await open.pass(effect, async () => {})).toMatchObject({ verdict: "on", terms: { maxOutputTokens: 1 } });
  expect(held).toBe(1);
});
