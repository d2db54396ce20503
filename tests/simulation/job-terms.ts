/** Reads jobs files and computes due slots, independently of the engine's code. */

/** The path of the file in a brain. */
export const JOBS_FILE = "cron/jobs.toml";

export type JobTimes =
  | { readonly kind: "cron"; readonly cron: string }
  | { readonly kind: "every"; readonly everyMs: number; readonly from: number }
  | { readonly kind: "once"; readonly at: number };

export interface JobTerms {
  readonly prompt: string;
  readonly times: JobTimes;
  readonly catchUp: string;
  readonly until: number;
  readonly isPaused: boolean;
}

/** The valid jobs of a file, by name. Invalid jobs are omitted: they have no due slots. */
export const readJobsFile = (text: string): ReadonlyMap<string, JobTerms> => {
  const jobs = new Map<string, JobTerms>();
  for (const part of text.split(/^(?=\[jobs\.)/m)) {
    const name = /^\[jobs\.([a-z-]+)\]/.exec(part)?.[1];
    const fields = new Map(
      [...part.matchAll(/^(\w+) = "?([^"\n]*)"?$/gm)].map(([, key = "", value = ""]) => [key, value]),
    );
    const times = timesOf(fields);
    if (name === undefined || times === undefined) continue;
    const until = fields.get("until");
    jobs.set(name, {
      ...{ prompt: fields.get("prompt") ?? "", times, catchUp: fields.get("catch_up") ?? "once" },
      until: until === undefined ? Infinity : Date.parse(until),
      isPaused: fields.get("paused") === "true",
    });
  }
  return jobs;
};

const timesOf = (fields: ReadonlyMap<string, string>): JobTimes | undefined => {
  const [cron, every, once] = [fields.get("cron"), fields.get("every"), fields.get("once")];
  if (cron !== undefined) return CRON.test(cron) ? { kind: "cron", cron } : undefined;
  if (once !== undefined) return { kind: "once", at: Date.parse(once) };
  const [, count, unit] = /^(\d+)([smh])$/.exec(every ?? "") ?? [];
  const from = Date.parse(fields.get("from") ?? "");
  if (count === undefined || Number.isNaN(from)) return undefined;
  return {
    kind: "every",
    everyMs: Number(count) * (unit === "s" ? 1000 : unit === "m" ? MINUTE_MS : 60 * MINUTE_MS),
    from,
  };
};

const MINUTE_MS = 60_000;
/**
 * The cron expressions of the runs: a minute and an hour, each a number or `*`; the minute also as
 * a step.
 */
const CRON = /^(\*|\d+|\*\/\d+) (\*|\d+) \* \* \*$/;
/** How far to search for slots: longer than any run. */
const HORIZON_MS = 3 * 24 * 60 * MINUTE_MS;

/** The first slot after the instant, in UTC. */
export const nextSlot = ({ times, until }: Pick<JobTerms, "times" | "until">, after: number): number | undefined => {
  const slot = ((): number | undefined => {
    switch (times.kind) {
      case "once":
        return times.at > after ? times.at : undefined;
      case "every":
        return times.from + Math.max(1, Math.floor((after - times.from) / times.everyMs) + 1) * times.everyMs;
      case "cron": {
        const [minute = "", hour = ""] = times.cron.split(" ");
        const first = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS;
        for (let at = first; at < first + HORIZON_MS; at += MINUTE_MS) {
          const date = new Date(at);
          if (fits(minute, date.getUTCMinutes()) && fits(hour, date.getUTCHours())) return at;
        }
        return undefined;
      }
    }
  })();
  return slot === undefined || slot > until ? undefined : slot;
};

const fits = (field: string, value: number): boolean =>
  field === "*" || (field.startsWith("*/") ? value % Number(field.slice(2)) === 0 : value === Number(field));

/** Every slot from `from` to `to`, both included. */
export const slotsBetween = (terms: Pick<JobTerms, "times" | "until">, from: number, to: number): readonly number[] => {
  const slots: number[] = [];
  for (let slot = nextSlot(terms, from - 1); slot !== undefined && slot <= to; slot = nextSlot(terms, slot))
    slots.push(slot);
  return slots;
};

/** Replaces or removes the table of this job, as a person who edits the file does. */
export const withTable = (text: string, name: string, table: string | undefined): string => {
  const others = text
    .split(/^(?=\[jobs\.)/m)
    .filter((part) => !part.startsWith(`[jobs.${name}]`) && part.trim() !== "");
  return [...others, ...(table === undefined ? [] : [`[jobs.${name}]\n${table}`])]
    .map((part) => `${part.trim()}\n`)
    .join("\n");
};

/** The table of this name without its header. */
export const tableOf = (text: string, name: string): string | undefined =>
  text
    .split(/^(?=\[jobs\.)/m)
    .find((part) => part.startsWith(`[jobs.${name}]`))
    ?.replace(/^[^\n]*\n/, "");
