/**
 * Runs a small workload and crashes the daemon at every failpoint, singly and in pairs: a message
 * from the port, one from a chat platform, and a tool of each effect class. Runs have no
 * randomness, so they differ only in the failpoints of their crashes.
 */
import { createHouse, type House } from "./house.ts";
import { checkHouse } from "./invariants.ts";
import { EFFECTS } from "./plan.ts";
import { createStage } from "./stage.ts";
import type { Operation } from "./workload.ts";

/** Where a life ends: at this failpoint, after it was reached `occurrence` times. */
export interface Crash {
  readonly point: string;
  readonly occurrence: number;
}

export interface Variant {
  readonly channel: "keyed" | "plain";
  readonly queue: "steer" | "followup";
  /** Whether the workload includes a conversation in a group and an agent that listens to it. */
  readonly listens?: true;
}

export interface Outcome {
  readonly variant: Variant;
  /** The crash of the first life, the second, and so on. */
  readonly crashes: readonly Crash[];
  readonly complaints: readonly string[];
  readonly diary: readonly string[];
  /** Failpoints that each life reached during the workload, in order. */
  readonly met: readonly (readonly Crash[])[];
  /** Calls and deliveries with an unknown outcome. */
  readonly unknown: { readonly calls: number; readonly deliveries: number };
}

export const VARIANTS: readonly Variant[] = [
  { channel: "keyed", queue: "steer" },
  { channel: "plain", queue: "steer" },
  { channel: "plain", queue: "followup" },
  { channel: "plain", queue: "followup", listens: true },
];

/** Together they have each channel, each queue mode and the listening agent. */
export const QUICK_VARIANTS: readonly Variant[] = [
  { channel: "keyed", queue: "steer" },
  { channel: "plain", queue: "followup", listens: true },
];

/**
 * Messages for the listening agent. It waits for a silence, so the second message replaces the
 * first. Its reply mentions the other agents.
 */
const TALK: readonly Operation[] = ["m4", "m3 ping"].map((text, index) => ({
  ...{ at: index * 10, do: "post", room: "group", by: "owner", text, key: `talk ${index}` },
}));

/** Delay of the second message, so that it arrives while the first is being answered. */
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
  await checkHouse(house, stage.accepted, { isClean: true, isShared: false });
  const unknown = await checkOutcome(house, variant);
  house.forget();
  return { variant, crashes, complaints: house.complaints, diary: house.diary, met, unknown };
};

/** Checks what must hold in a run whose only faults are crashes. */
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
      complain("rest", `the listening agent answered ${texts.length} messages: ${texts.join(" ")}`);
  }
  const calls = steps.filter(({ state }) => state === "unknown");
  const copies = platforms.find(({ name }) => name === variant.channel)?.arrived.length ?? 0;
  const [delivery] = outbox;
  if (outbox.length !== 1 || delivery === undefined)
    complain("I2", `there are ${outbox.length} deliveries for one message of a platform`);
  else if (delivery.state === "unknown" ? copies > 1 : delivery.state !== "sent" || copies !== 1)
    complain("I2", `a delivery is ${delivery.state}, but arrived ${copies} times`);
  return { calls: calls.length, deliveries: outbox.filter(({ state }) => state === "unknown").length };
};

/** Called with each outcome. Returns whether to stop. */
type Report = (outcome: Outcome) => boolean;

/**
 * Runs the workload without a crash, then with a crash at every failpoint. Returns whether `report`
 * stopped it. `isMine` selects the runs of this worker.
 */
export const singles = async (
  variant: Variant,
  isMine: (index: number) => boolean,
  report: Report,
  counts?: Map<string, number>,
): Promise<boolean> => {
  const calm = await runOnce(variant, [], counts);
  if (isMine(0) && report(calm)) return true;
  for (const [index, crash] of (calm.met[0] ?? []).entries())
    if (isMine(index) && report(await runOnce(variant, [crash], counts))) return true;
  return false;
};

/**
 * Combines a crash at each failpoint's first occurrence with a second crash in the following life.
 */
export const pairs = async (
  variant: Variant,
  isMine: (index: number) => boolean,
  report: Report,
  counts?: Map<string, number>,
): Promise<boolean> => {
  const firsts = (await runOnce(variant, [], counts)).met[0] ?? [];
  for (const [index, first] of firsts.filter(isFirst).entries()) {
    if (!isMine(index)) continue;
    const seconds = (await runOnce(variant, [first], counts)).met[1] ?? [];
    for (const second of seconds.filter(isFirst))
      if (report(await runOnce(variant, [first, second], counts))) return true;
  }
  return false;
};

const isFirst = ({ point }: Crash, index: number, all: readonly Crash[]): boolean =>
  all.findIndex((other) => other.point === point) === index;
