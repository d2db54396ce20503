/**
 * A small workload, ended at every failpoint, one by one and in pairs: a message from the port and one from a chat platform, and a tool
 * of each effect class. Nothing is left to chance, so each run differs from the others in where it ends and in nothing else.
 */
import { createHouse, type House } from "./house.ts";
import { checkHouse } from "./invariants.ts";
import { EFFECTS } from "./plan.ts";
import { createStage } from "./stage.ts";
import type { Operation } from "./workload.ts";

/** Where a life ends: at this failpoint, met for so many times before. */
export interface Crash {
  readonly point: string;
  readonly occurrence: number;
}

export interface Variant {
  readonly channel: "keyed" | "plain";
  readonly queue: "steer" | "followup";
  /** Whether there is talk in a group, too, and somebody who listens. */
  readonly listens?: true;
}

export interface Outcome {
  readonly variant: Variant;
  /** Of the first life, the second, and so on. */
  readonly crashes: readonly Crash[];
  readonly complaints: readonly string[];
  readonly diary: readonly string[];
  /** Failpoints that each life met while the workload was there, in their order. */
  readonly met: readonly (readonly Crash[])[];
  /** Calls and deliveries of which nobody knows what came. */
  readonly unknown: { readonly calls: number; readonly deliveries: number };
}

export const VARIANTS: readonly Variant[] = [
  { channel: "keyed", queue: "steer" },
  { channel: "plain", queue: "steer" },
  { channel: "plain", queue: "followup" },
  { channel: "plain", queue: "followup", listens: true },
];

/** The second stands for both, while one waits for a silence; it concerns who listens, whose reply calls the others. */
const TALK: readonly Operation[] = ["m4", "m3 ping"].map((text, index) => ({
  ...{ at: index * 10, do: "post", room: "group", by: "owner", text, key: `talk ${index}` },
}));

/** Between the two messages: the second comes while the first is being answered. */
const PAUSE_MS = 15;

export const runOnce = async (
  variant: Variant,
  crashes: readonly Crash[],
  counts = new Map<string, number>(),
): Promise<Outcome> => {
  const met: Crash[][] = [];
  const house = createHouse({
    ...{
      seed: 1,
      families: new Set<never>(),
      isShared: false,
      queue: variant.queue,
      otherQueue: "steer",
      latency: () => 1,
      slowReads: 0,
      counts,
    },
    cutsPower: () => variant.queue === "followup",
    crashesAt: (life) => {
      const own: Crash[] = [];
      met.push(own);
      const crash = crashes[life - 1];
      return (point, occurrence) => {
        own.push({ point, occurrence });
        return crash?.point === point && crash.occurrence === occurrence;
      };
    },
  });
  const stage = createStage(house, false);
  await stage.settle(stage.prepare(variant.listens === true ? "all" : "alone"));
  house.faults.crashes = true;
  const all = EFFECTS.join(",");
  await stage.settle(
    stage.perform([
      ...(variant.listens === true ? TALK : []),
      { at: 0, do: "post", room: "main", by: "owner", text: `m1 do=${all}`, key: "k1" },
      {
        ...{ at: PAUSE_MS, do: "update", channel: variant.channel === "keyed" ? 0 : 1 },
        inbound: {
          ...{
            externalId: "u1",
            kind: "message",
            messageId: "p1",
            at: 0,
            text: `m2 do=${all} at=once`,
            isMention: true,
          },
          conversation: { id: "d1", kind: "direct", name: "Ana" },
          sender: { id: "s1", name: "Ana" },
        },
      },
    ]),
  );
  await checkHouse(house, stage.said, { isClean: true, isShared: false });
  const unknown = await checkOutcome(house, variant);
  house.forget();
  return { variant, crashes, complaints: house.complaints, diary: house.diary, met, unknown };
};

/** What is promised where nothing but crashes went wrong. */
const checkOutcome = async (
  { disk, toolWorld, platforms, complain }: House,
  variant: Variant,
): Promise<Outcome["unknown"]> => {
  const steps = await disk.store.select({ table: "steps" });
  const outbox = await disk.store.select({ table: "outbox" });
  for (const message of ["m1", "m2"]) {
    for (const [index, effect] of EFFECTS.entries()) {
      const times = toolWorld.subjects.get(`${message}.${index}`) ?? 0;
      if (effect === "pure") continue;
      if (effect === "plain" ? times > 1 : times !== 1)
        complain("I3", `the ${effect} call of ${message} took effect ${times} times`);
    }
  }
  if (variant.listens === true) {
    const heard = await disk.store.select({ table: "activations", where: { trigger: "ambient", state: "replied" } });
    const causes = await disk.store.select({ table: "events", where: { type: "message" } });
    const texts = heard.map(({ cause }) => causes.find(({ id }) => id === cause)?.body ?? "");
    if (texts.length !== 1 || !texts[0]?.includes("m3 ping"))
      complain("rest", `who listens answered ${texts.length} messages: ${texts.join(" ")}`);
  }
  const calls = steps.filter(({ state }) => state === "unknown");
  for (const { effect, step } of calls)
    if (effect !== "plain") complain("I3", `step ${step} is ${effect} and became unknown`);
  const copies = platforms.find(({ name }) => name === variant.channel)?.arrived.length ?? 0;
  const [delivery] = outbox;
  if (outbox.length !== 1 || delivery === undefined)
    complain("I2", `there are ${outbox.length} deliveries for one message of a platform`);
  else if (delivery.state === "unknown" ? copies > 1 : delivery.state !== "sent" || copies !== 1)
    complain("I2", `a delivery is ${delivery.state} and there ${copies} times`);
  return { calls: calls.length, deliveries: outbox.filter(({ state }) => state === "unknown").length };
};

/** Hears of each run, and says whether that is enough. */
type Tell = (outcome: Outcome) => boolean;

/** Without a crash, then with one at every place. True when it was ended early. `isMine`: which of the runs are made here. */
export const singles = async (
  variant: Variant,
  isMine: (index: number) => boolean,
  tell: Tell,
  counts?: Map<string, number>,
): Promise<boolean> => {
  const calm = await runOnce(variant, [], counts);
  if (isMine(0) && tell(calm)) return true;
  for (const [index, crash] of (calm.met[0] ?? []).entries())
    if (isMine(index) && tell(await runOnce(variant, [crash], counts))) return true;
  return false;
};

/** After a crash at the first meeting with each failpoint, another at every first meeting with one in the life after it. */
export const pairs = async (
  variant: Variant,
  isMine: (index: number) => boolean,
  tell: Tell,
  counts?: Map<string, number>,
): Promise<boolean> => {
  const firsts = (await runOnce(variant, [], counts)).met[0] ?? [];
  for (const [index, first] of firsts.filter(isFirst).entries()) {
    if (!isMine(index)) continue;
    const seconds = (await runOnce(variant, [first], counts)).met[1] ?? [];
    for (const second of seconds.filter(isFirst))
      if (tell(await runOnce(variant, [first, second], counts))) return true;
  }
  return false;
};

const isFirst = ({ point }: Crash, index: number, all: readonly Crash[]): boolean =>
  all.findIndex((other) => other.point === point) === index;
