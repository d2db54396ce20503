/**
 * Reads `cron/jobs.toml` as jobs and errors, and edits single jobs in it. Each job has a separate
 * table that is parsed alone, so an error in one job does not affect the others.
 */
import {
  CatchUp,
  HearthError,
  JobContext,
  type JobMistake,
  JobName,
  type JobSchedule,
  MAX_JOB_PROMPT,
  isHearthError,
} from "@hearth/protocol";
import { parse, stringify, TomlDate, TomlError } from "smol-toml";
import { z } from "zod";
import { traitsOf } from "./job-traits.ts";
import { createCronSlots } from "./time/cron.ts";
import { readEnd, readInstant, readInterval, requireZone } from "./terms.ts";
import { createZone } from "./time/zone.ts";

export const JOBS_PATH = "cron/jobs.toml";

/** The definition of a job in the file. */
export interface JobFileEntry {
  readonly name: string;
  readonly prompt: string;
  readonly schedule: JobSchedule;
  readonly context: JobContext;
  readonly room?: string;
  readonly until?: number;
  readonly catchUp: CatchUp;
  readonly paused: boolean;
  /** Present if a webhook may fire the job. */
  readonly hook?: true;
  /** The first and the last line of its table, from 1. */
  readonly lines: readonly [number, number];
}

export interface JobsFile {
  readonly jobs: readonly JobFileEntry[];
  readonly mistakes: readonly JobMistake[];
}

/** The fields of a job's table. */
const Fields = z.strictObject({
  prompt: z.string().min(1).max(MAX_JOB_PROMPT),
  cron: z.string().optional(),
  every: z.string().optional(),
  once: z.string().optional(),
  /** The start of an interval. */
  from: z.string().optional(),
  zone: z.string().optional(),
  context: JobContext.default("isolated"),
  room: z.string().min(1).optional(),
  until: z.string().optional(),
  catch_up: CatchUp.default("once"),
  paused: z.boolean().default(false),
  hook: z.boolean().default(false),
});
/** The fields of a job's table as they are written. */
export type JobFields = z.input<typeof Fields>;

/** Parses the file. `zone` is the default time zone. */
export const readJobs = (text: string, zone: string): JobsFile => {
  const jobs: JobFileEntry[] = [];
  const mistakes: JobMistake[] = [];
  const names = new Set<string>();
  for (const block of blocksOf(text)) {
    if (block.name === undefined && isBlank(block.text)) continue;
    try {
      if (block.name === undefined) throw textOutsideJobError();
      if (names.has(block.name)) throw new HearthError("job.invalid", `Two jobs have the name "${block.name}".`);
      jobs.push({ ...readTerms(block.name, fieldsOf(block), zone), lines: [block.line, block.end] });
      names.add(block.name);
    } catch (error) {
      mistakes.push(toMistake(block, error));
    }
  }
  return { jobs, mistakes };
};

/** Converts a table to a job definition. Throws `job.invalid`. */
export const readTerms = (name: string, fields: JobFields, zone: string): Omit<JobFileEntry, "lines"> => {
  if (!JobName.safeParse(name).success)
    throw new HearthError("job.invalid", `"${name}" is not a valid job name.`, {
      hint: "Use up to 64 characters: a-z, 0-9 and -",
    });
  if (traitsOf({ name }).settings === "record")
    throw new HearthError("job.invalid", `"${name}" is reserved for the heartbeat in the agent's record.`, {
      hint: "Give the job another name. To set a heartbeat: hearth agent edit AGENT --heartbeat 30m",
    });
  const { prompt, context, room, until, catch_up: catchUp, paused, hook, ...times } = Fields.parse(fields);
  const jobZone = requireZone(times.zone ?? zone);
  return {
    name,
    prompt,
    context,
    catchUp,
    paused,
    schedule: readSchedule(times, jobZone),
    ...(room === undefined ? {} : { room }),
    ...(until === undefined ? {} : { until: readEnd(until, jobZone) }),
    ...(hook ? { hook } : {}),
  };
};

const readSchedule = (
  { cron, every, once, from }: Pick<JobFields, "cron" | "every" | "once" | "from">,
  zone: string,
): JobSchedule => {
  if ([cron, every, once].filter((value) => value !== undefined).length !== 1)
    throw new HearthError("job.invalid", "A job needs exactly one of cron, every and once.", {
      hint: 'For example cron = "0 9 * * 1-5"',
    });
  if (cron !== undefined) {
    createCronSlots(cron, createZone(zone));
    return { kind: "cron", cron, zone };
  }
  if (every === undefined) return { kind: "once", at: readInstant(once ?? "", zone) };
  return { kind: "every", everyMs: readInterval(every), from: from === undefined ? 0 : readInstant(from, zone) };
};

/** Replaces this job in the text, or appends it. */
export const putJob = (text: string, name: string, fields: JobFields): string => {
  const table = `[jobs.${name}]\n${stringify(fields).trimEnd()}\n`;
  const block = blocksOf(text).find((block) => block.name === name);
  if (block === undefined) return `${text.trimEnd()}${text.trim() === "" ? "" : "\n\n"}${table}`;
  return replaceLines(text, block, table);
};

/** Removes this job from the text. */
export const dropJob = (text: string, name: string): string => {
  const block = blocksOf(text).find((block) => block.name === name);
  return block === undefined ? text : replaceLines(text, block, "");
};

/**
 * Returns the job's table. Throws `job.not-found`, and `job.invalid` if the table cannot be read.
 */
export const jobFields = (text: string, name: string): JobFields => {
  const block = blocksOf(text).find((block) => block.name === name);
  if (block !== undefined) {
    try {
      const fields = fieldsOf(block);
      Fields.parse(fields);
      return fields;
    } catch (error) {
      const { line, message } = toMistake(block, error);
      throw new HearthError("job.invalid", `${JOBS_PATH}, line ${line}: ${message}`, {
        hint: "Correct the file by hand.",
        cause: error,
      });
    }
  }
  throw new HearthError("job.not-found", `There is no job "${name}".`, { hint: "List the jobs: hearth job list" });
};

interface Block {
  /** The name in the header `[jobs.NAME]`. It is absent for another table, and for the text before the first table. */
  readonly name?: string;
  readonly text: string;
  /** The first line of the block, from 1. */
  readonly line: number;
  readonly end: number;
}

/** Splits the text into tables. Ignores headers within multi-line strings. */
const blocksOf = (text: string): readonly Block[] => {
  const lines = text.split("\n");
  const starts: number[] = [0];
  let openQuotes: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (openQuotes === undefined && /^\s*\[/.test(line) && index > 0) starts.push(index);
    openQuotes = openAfter(line, openQuotes);
  }
  return starts.map((start, index) => {
    let end = starts[index + 1] ?? lines.length;
    // Comments right above a table belong to it.
    while (end < lines.length && end - 1 > start && /^\s*#/.test(lines[end - 1] ?? "")) end -= 1;
    const [, name] = /^\s*\[\s*jobs\s*\.\s*"?([^\]"]+?)"?\s*\]\s*(?:#.*)?$/.exec(lines[start] ?? "") ?? [];
    return {
      ...(name === undefined ? {} : { name }),
      text: lines.slice(start, end).join("\n"),
      line: start + 1,
      end,
    };
  });
};

/** Returns the multi-line quote that is open at the end of this line. */
const openAfter = (line: string, openQuotes: string | undefined): string | undefined => {
  let quotes = openQuotes;
  for (let remaining = line; ;) {
    const match =
      quotes === undefined ? /"""|'''|"(?:\\.|[^"\\])*"|'[^']*'|#/.exec(remaining) : new RegExp(quotes).exec(remaining);
    if (match === null || match[0] === "#") return quotes;
    if (quotes !== undefined) quotes = undefined;
    else if (match[0] === '"""' || match[0] === "'''") quotes = match[0];
    remaining = remaining.slice(match.index + match[0].length);
  }
};

const fieldsOf = ({ text }: Block): JobFields => {
  // Only the text of the header is removed and its line stays, so that line numbers count from it.
  const table = parse(text.replace(/^[^\n]*/, ""));
  const entries = Object.entries(table).map(([key, value]) => [
    key,
    value instanceof TomlDate ? value.toISOString() : value,
  ]);
  return Object.fromEntries(entries) as JobFields;
};

const isBlank = (text: string): boolean => text.split("\n").every((line) => /^\s*(#.*)?$/.test(line));

const textOutsideJobError = (): HearthError =>
  new HearthError("job.invalid", "This belongs to no job. Put it into a table such as [jobs.morning-news].");

const toMistake = ({ name, text, line }: Block, error: unknown): JobMistake => {
  const nameField = name === undefined ? {} : { name };
  if (error instanceof TomlError) {
    const [firstLine = ""] = error.message.replace(/^Invalid TOML document: /, "").split("\n");
    return { line: line + error.line - 1, ...nameField, message: `Invalid TOML: ${firstLine}.` };
  }
  if (error instanceof z.ZodError) {
    const [issue] = error.issues;
    const isUnknown = issue?.code === "unrecognized_keys";
    const key = String(isUnknown ? issue.keys[0] : issue?.path[0]);
    const lineOffset = lineOf(text, key);
    const expected = `"${key}" takes ${EXPECTED_VALUES[key] ?? "a text"}.`;
    const message = isUnknown ? `A job has no "${key}".` : lineOffset === 0 ? `"${key}" is missing.` : expected;
    return { line: line + lineOffset, ...nameField, message };
  }
  if (isHearthError(error)) {
    const key = ["cron", "every", "once", "from", "zone", "until"].find((name) =>
      error.message.includes(quotedIn(text, name)),
    );
    return { line: line + (key === undefined ? 0 : lineOf(text, key)), ...nameField, message: error.message };
  }
  throw error;
};

/** The expected values of fields that are not plain text. */
const EXPECTED_VALUES: Readonly<Record<string, string>> = {
  prompt: `a text of 1 to ${MAX_JOB_PROMPT.toLocaleString("en")} characters`,
  context: JobContext.options.join(" or "),
  catch_up: CatchUp.options.join(", "),
  paused: "true or false",
  hook: "true or false",
};

/** Returns the line of the key below the header, or 0 if the key is absent. */
const lineOf = (text: string, key: string): number =>
  Math.max(
    0,
    text.split("\n").findIndex((line) => line.trimStart().startsWith(key)),
  );

/**
 * Returns the quoted value of a key. If the key has no quoted value, returns a text that no message
 * contains.
 */
const quotedIn = (text: string, key: string): string => {
  const [, value] = new RegExp(`^\\s*${key}\\s*=\\s*["']?([^"'\\n#]*)`, "m").exec(text) ?? [];
  return value === undefined ? "\0" : `"${value.trim()}"`;
};

const replaceLines = (text: string, { line, end }: Block, table: string): string => {
  const lines = text.split("\n");
  const textBefore = lines.slice(0, line - 1).join("\n");
  const textAfter = lines.slice(end).join("\n");
  return [textBefore.trimEnd(), table.trimEnd(), textAfter.trim()]
    .filter((part) => part !== "")
    .join("\n\n")
    .concat("\n");
};
