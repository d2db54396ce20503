/** Generates random operations on jobs, and changes of the clock around their slots. */
import type { Chance } from "./chance.ts";

/** A job to create. Instants are relative to the time of the request. */
export interface WantedJob {
  readonly prompt: string;
  readonly times:
    | { readonly kind: "cron"; readonly cron: string }
    | { readonly kind: "every"; readonly every: string; readonly firstInMs: number }
    | { readonly kind: "once"; readonly inMs: number };
  readonly catchUp: "once" | "all" | "skip";
  readonly context: "isolated" | "main";
  readonly untilInMs?: number;
}

export type JobOperation = { readonly at: number } & (
  | { readonly do: "job-add"; readonly agent: "main" | "aide"; readonly name: string; readonly job: WantedJob }
  | {
      readonly do: "job-edit";
      readonly agent: "main" | "aide";
      readonly name: string;
      readonly change: "prompt" | "times" | "catchUp";
      readonly job: WantedJob;
    }
  | {
      readonly do: "job-pause" | "job-resume" | "job-cancel" | "job-run";
      readonly agent: "main" | "aide";
      readonly name: string;
    }
  /** An edit of the file outside the house. `mistake` makes the job invalid. */
  | {
      readonly do: "job-by-hand";
      readonly how: "put" | "pause" | "resume" | "drop" | "mistake";
      readonly agent: "main" | "aide";
      readonly name: string;
      readonly job: WantedJob;
    }
  /** Sets the clock to right before the next full minute, where slots are. */
  | { readonly do: "near-minute"; readonly beforeMs: number }
);

const MINUTE_MS = 60_000;
const NAMES = ["tea", "tea", "news"] as const;
/** Intervals of jobs. */
const SPANS = { "20s": 20_000, "45s": 45_000, "90s": 90_000, "1h": 60 * MINUTE_MS } as const;
/** Tokens of prompts begin above those of messages. */
const FIRST_PROMPT = 500;

export const createJobWork = (chance: Chance, effects: readonly string[]): ((at: number) => JobOperation) => {
  let prompts = FIRST_PROMPT;
  let made = 0;

  const prompt = (): string => {
    prompts += 1;
    const tools = Array.from(
      { length: chance.whole(0, 2) },
      () => `${chance.happens(0.05) ? "ask-" : ""}${chance.pick(effects)}`,
    );
    return `m${prompts}${tools.length === 0 ? "" : ` do=${tools.join(",")}`}`;
  };
  const times = (): WantedJob["times"] => {
    const every = chance.pick(["20s", "45s", "90s", "1h"] as const);
    return chance.pick([
      {
        kind: "cron",
        cron: chance.pick(["* * * * *", "* * * * *", "*/5 * * * *", "30 * * * *", "0 4 * * *"]),
      } as const,
      { kind: "every", every, firstInMs: Math.min(SPANS[every], chance.pick([5, 100, 1000, 20_000])) } as const,
      { kind: "once", inMs: chance.pick([1, 10, 50, 500, 2000, 30_000, 30 * MINUTE_MS]) } as const,
    ]);
  };
  const wanted = (): WantedJob => ({
    ...{ prompt: prompt(), times: times(), catchUp: chance.pick(["once", "once", "all", "skip"] as const) },
    context: chance.happens(0.3) ? "main" : "isolated",
    ...(chance.happens(0.3) ? { untilInMs: chance.pick([30_000, 90_000, 40 * MINUTE_MS]) } : {}),
  });
  const whose = () => ({ agent: chance.pick(["main", "main", "aide"] as const), name: chance.pick(NAMES) });

  const makes: readonly (readonly [number, (at: number) => JobOperation])[] = [
    [6, (at) => ({ at, do: "job-add", ...whose(), job: wanted() })],
    [5, (at) => ({ at, do: "job-by-hand", how: "put", ...whose(), job: wanted() })],
    [
      4,
      (at) => ({
        at,
        do: "job-by-hand",
        how: chance.pick(["pause", "resume", "drop", "mistake"]),
        ...whose(),
        job: wanted(),
      }),
    ],
    [
      4,
      (at) => ({ at, do: "job-edit", change: chance.pick(["prompt", "times", "catchUp"]), ...whose(), job: wanted() }),
    ],
    [6, (at) => ({ at, do: chance.pick(["job-pause", "job-resume", "job-cancel"]), ...whose() })],
    [4, (at) => ({ at, do: "job-run", ...whose() })],
    [6, (at) => ({ at, do: "near-minute", beforeMs: chance.pick([1, 20, 200]) })],
  ];
  const total = makes.reduce((sum, [weight]) => sum + weight, 0);

  return (at) => {
    made += 1;
    // First there is a job.
    let left = made === 1 ? chance.next() * 11 : chance.next() * total;
    for (const [weight, make] of makes) {
      left -= weight;
      if (left < 0) return make(at);
    }
    return { at, do: "near-minute", beforeMs: 1 };
  };
};
