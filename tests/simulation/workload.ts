/**
 * Generates the random operations of a run in advance, so that they can be printed and shortened.
 */
import type { InboundUpdate } from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import { type FamilyOperation, PADDING } from "./family-operations.ts";
import { createJobWork, type JobOperation } from "./job-work.ts";
import { EFFECTS } from "./plan.ts";
import type { Decision } from "./approval-decisions.ts";

export type Person = "owner" | "ben";
/** Faults with a duration. `diskFull`: neither the database nor the blobs have space left. */
export type FaultKind = "model" | "channel" | "diskFull" | "databaseFull" | "blobsFull";
export type Operation = JobOperation | FamilyOperation | PlainOperation;
type PlainOperation = { readonly at: number } & (
  | {
      readonly do: "post";
      readonly room: "main" | "group";
      readonly by: Person;
      readonly text: string;
      readonly key: string;
    }
  | { readonly do: "edit" | "delete"; readonly key: string }
  | { readonly do: "say-stop"; readonly room: "main" | "group"; readonly key: string }
  | { readonly do: "stop-one"; readonly nth: number }
  | { readonly do: "stop-agent" | "resume-agent"; readonly agent: "main" | "aide" }
  | { readonly do: "stop-all" | "resume-all" }
  | { readonly do: "decide"; readonly nth: number; readonly decision: Decision; readonly by: Person }
  | { readonly do: "remove-rule"; readonly nth: number }
  | { readonly do: "decide-delivery"; readonly decision: "resend" | "leave" }
  | { readonly do: "update"; readonly channel: 0 | 1; readonly inbound: InboundUpdate }
  | { readonly do: "crash" | "close" | "kill-cell"; readonly daemon: number }
  | { readonly do: "suspend"; readonly daemon: number; readonly ms: number }
  | { readonly do: "fault"; readonly what: FaultKind; readonly ms: number }
  | { readonly do: "set-clock"; readonly ms: number }
  /** A write to a brain file, through the house or outside it. */
  | { readonly do: "write" | "edit-by-hand"; readonly agent: "main" | "aide"; readonly text: string }
);

const HOUR_MS = 60 * 60_000;
const DECISIONS: readonly Decision[] = ["once", "deny", "session", "rule", "rule"];
/** Who decides. Ben has no permission to decide, and tries. */
const DECIDERS: readonly Person[] = ["owner", "owner", "owner", "ben"];

/** Maximum duration of a run's operations. */
const WORK_MS = 4000;

/** A little longer than a lease. */
const PAST_LEASE_MS = 61_000;

export interface WorkloadOptions {
  readonly count: number;
  readonly shared: boolean;
  /** Whether agents have jobs. */
  readonly jobs: boolean;
}

export const createWorkload = (chance: Chance, { count, shared, jobs }: WorkloadOptions): readonly Operation[] => {
  let posted = 0;
  const keys: string[] = [];

  const wanted = (): string => {
    posted += 1;
    const tools = Array.from(
      { length: chance.whole(0, 3) },
      () => `${chance.happens(0.12) ? "ask-" : ""}${chance.pick(EFFECTS)}`,
    );
    const plan = tools.length === 0 ? "" : ` do=${tools.join(",")}${chance.happens(0.3) ? " at=once" : ""}`;
    return `m${posted}${plan}`;
  };
  const newKey = (): string => {
    const key = `k${keys.length + 1}`;
    keys.push(key);
    return key;
  };
  const post = (at: number): Operation => {
    const room = chance.happens(0.6) ? "main" : "group";
    const mentions = room === "main" ? "" : chance.pick(["@main ", "@aide ", "@main @aide ", ""]);
    const by = room === "main" || chance.happens(0.5) ? "owner" : "ben";
    const text = `${mentions}${wanted()}${chance.happens(0.15) ? " ping" : ""}`;
    return { at, do: "post", room, by, text, key: newKey() };
  };
  const update = (at: number): Operation => {
    const isGroup = chance.happens(0.3);
    const isEdit = chance.happens(0.25);
    const number = posted + 1;
    const stranger = chance.happens(0.1);
    return {
      ...{ at, do: "update", channel: chance.pick([0, 1, 1] as const) },
      inbound: {
        externalId: `u${number}`,
        kind: isEdit ? "edit" : "message",
        conversation: isGroup
          ? { id: "g1", kind: "group", name: "Family" }
          : { id: stranger ? "d9" : "d1", kind: "direct", name: "Ana" },
        sender: stranger ? { id: "s9", name: "Eve" } : { id: "s1", name: "Ana" },
        messageId: `p${isEdit && number > 1 ? chance.whole(1, number - 1) : number}`,
        at: number,
        text: wanted(),
        isMention: !isGroup || chance.happens(0.7),
      },
    };
  };
  let notes = 0;
  const note = (at: number, how: "write" | "edit-by-hand"): Operation => {
    notes += 1;
    return { at, do: how, agent: chance.pick(["main", "main", "aide"]), text: `# Facts\n\n- fact ${notes}, ${how}\n` };
  };
  const daemon = (): number => (shared ? chance.whole(0, 1) : 0);
  const others: readonly (readonly [number, (at: number) => Operation])[] = [
    [5, (at) => ({ at, do: "edit", key: chance.pick(keys) })],
    [4, (at) => ({ at, do: "delete", key: chance.pick(keys) })],
    [4, (at) => ({ at, do: "say-stop", room: chance.pick(["main", "group"]), key: newKey() })],
    [4, (at) => ({ at, do: "stop-one", nth: chance.whole(0, 5) })],
    [3, (at) => ({ at, do: "stop-agent", agent: chance.pick(["main", "aide"]) })],
    [3, (at) => ({ at, do: "resume-agent", agent: chance.pick(["main", "aide"]) })],
    [2, (at) => ({ at, do: "stop-all" })],
    [3, (at) => ({ at, do: "resume-all" })],
    [
      10,
      (at) => ({
        at,
        do: "decide",
        nth: chance.whole(0, 3),
        decision: chance.pick(DECISIONS),
        by: chance.pick(DECIDERS),
      }),
    ],
    [3, (at) => ({ at, do: "remove-rule", nth: chance.whole(0, 3) })],
    [8, (at) => ({ at, do: "decide-delivery", decision: chance.pick(["resend", "leave"]) })],
    [3, (at) => ({ at, do: "crash", daemon: daemon() })],
    [4, (at) => ({ at, do: "close", daemon: daemon() })],
    [4, (at) => ({ at, do: "kill-cell", daemon: daemon() })],
    [shared ? 16 : 1, (at) => ({ at, do: "suspend", daemon: daemon(), ms: chance.pick([500, 5000, 61_000, 130_000]) })],
    [
      10,
      (at) => ({
        at,
        do: "fault",
        what: chance.pick(["model", "channel", "channel", "diskFull"]),
        ms: chance.pick([20, 300, 3000]),
      }),
    ],
    [6, (at) => ({ at, do: "set-clock", ms: chance.pick([-HOUR_MS, HOUR_MS, 5 * HOUR_MS]) })],
    [6, (at) => note(at, "write")],
    [6, (at) => note(at, "edit-by-hand")],
  ];
  const total = others.reduce((sum, [weight]) => sum + weight, 0);
  const other = (at: number): Operation => {
    let left = chance.next() * total;
    for (const [weight, make] of others) {
      left -= weight;
      if (left < 0) return make(at);
    }
    return post(at);
  };

  const jobWork = createJobWork(chance.branch("jobs"), EFFECTS);
  const operations: Operation[] = [];
  let at = 0;
  // People write in bursts and leave pauses.
  for (let index = 0; index < count; index += 1) {
    // With two daemons, one may be suspended for longer than a lease, and the other takes over.
    if (shared && chance.happens(0.15)) at += PAST_LEASE_MS;
    at += chance.happens(0.6) ? chance.next() * 20 : (chance.next() * WORK_MS) / count;
    if (jobs && index % 3 === 1) operations.push(jobWork(at));
    operations.push(index === 0 || chance.happens(0.4) ? post(at) : chance.happens(0.5) ? update(at) : other(at));
  }
  return operations;
};

export const showOperation = ({ at, ...operation }: Operation): string =>
  `${at.toFixed(1).padStart(8)} ms  ${JSON.stringify(operation).replaceAll(PADDING, "(padding)")}`;
