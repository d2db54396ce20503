/** Reads a home of Hermes Agent: its persona, memories, skills, jobs and conversations. */
import { z } from "zod";
import { type FileItem, type Item, left, type ReadSource, toSlug } from "../../../http/imports/plan.ts";
import { createFileItem } from "./file-item.ts";
import { createCleaner, secretsIn } from "./secrets.ts";
import { readFiles, readSkills } from "./skills.ts";
import { type TranscriptMessage, readLines, textOf, toPages } from "./transcript.ts";
import { listNames, readList, readText } from "./tree.ts";

const MAX_TRANSCRIPT = 64 * 1024 * 1024;
const HISTORY = "memory/imported/hermes";
/** The character between the entries of a memory. */
const SECTION = "§";

export const readHermes: ReadSource = async function* (root) {
  const environment = await readText(root, ".env");
  const clean = createCleaner(environment !== undefined && "text" in environment ? valuesOf(environment.text) : []);
  yield* readFiles(root, [["SOUL.md", "SOUL.md"]], clean);
  for (const name of ["MEMORY.md", "USER.md"])
    for await (const item of readFiles(root, [[`memories/${name}`, name]], clean))
      yield item.kind === "file" ? toList(item) : item;
  yield* readSkills(root, "skills", clean);
  yield* readSessions(root, clean);
  yield* await readJobs(root, clean);
  const names = await listNames(root, "");
  for (const [name, why] of [
    ["config.yaml", "Settings differ. To choose a model and a chat platform: hearth onboard"],
    [".env", "Keys are not copied. To use one: Settings → Models, or hearth provider add NAME --key-stdin"],
    ["auth.json", "Logins are not copied."],
    ["state.db", "Conversations in this database are not read, only those in sessions/."],
  ] as const)
    if (names.includes(name)) yield left(name, why);
};

async function* readSessions(root: string, clean: (text: string) => string): AsyncGenerator<Item> {
  for (const name of (await listNames(root, "sessions")).filter((each) => each.endsWith(".jsonl"))) {
    const from = `sessions/${name}`;
    const read = await readText(root, from, MAX_TRANSCRIPT);
    if (read === undefined) continue;
    if ("why" in read) {
      yield left(from, `It ${read.why}.`);
      continue;
    }
    const page = {
      from,
      name: toSlug(name.slice(0, -".jsonl".length), "session"),
      title: "A conversation in Hermes",
      said: readLines(read.text).flatMap(toSaid),
    };
    yield* toPages(page, HISTORY, clean);
  }
}

/** Returns the values of an environment file. */
const valuesOf = (text: string): readonly string[] =>
  secretsIn(
    Object.fromEntries(
      text.split("\n").flatMap((line) => {
        const [, name = "", value = ""] = /^\s*(?:export\s+)?(\w+)\s*=\s*["']?(.*?)["']?\s*$/.exec(line) ?? [];
        return value === "" ? [] : [[name, value]];
      }),
    ),
  );

const toList = (item: FileItem): FileItem => {
  if (!item.text.includes(SECTION)) return item;
  const entries = item.text.split(SECTION).map((entry) => entry.trim().replaceAll(/\s*\n\s*/g, " "));
  const text = `${entries
    .filter((entry) => entry !== "")
    .map((entry) => `- ${entry}`)
    .join("\n")}\n`;
  const change = [item.change, "one line for each entry"].filter(Boolean).join(", ");
  return createFileItem({ ...item, text, change });
};

const CronJob = z.object({
  id: z.string().default("job"),
  name: z.string().optional(),
  prompt: z.string().default(""),
  enabled: z.boolean().default(true),
  schedule: z.object({ expr: z.string().optional(), minutes: z.number().optional() }).prefault({}),
});

const readJobs = async (root: string, clean: (text: string) => string): Promise<readonly Item[]> => {
  const path = "cron/jobs.json";
  const jobs = await readList(root, path, "jobs", CronJob);
  if (jobs === undefined) return [];
  if ("why" in jobs) return [left(path, `It ${jobs.why}.`)];
  return jobs.map((given) => {
    if (given === undefined) return left(path, "A job in it has another form than expected.");
    const { id, name = id, prompt, enabled, schedule } = given;
    const from = `${path}: ${name}`;
    if (prompt === "") return left(from, "It has no prompt.");
    const shown = clean(prompt);
    const more = shown === prompt ? {} : { hidesSecrets: true as const };
    const job = { kind: "job", from, name: toSlug(name, "job"), prompt: shown, isPaused: !enabled, ...more } as const;
    if (schedule.expr !== undefined) return { ...job, cron: schedule.expr };
    if (schedule.minutes !== undefined) return { ...job, every: `${schedule.minutes}m` };
    return left(from, "It ran once, at a fixed time.");
  });
};

const toSaid = ({ role, content, timestamp }: Record<string, unknown>): readonly TranscriptMessage[] => {
  const text = textOf(content);
  if ((role !== "user" && role !== "assistant") || text === "") return [];
  const at = typeof timestamp === "string" ? { at: timestamp } : {};
  return [{ by: role === "user" ? "person" : "agent", text, ...at }];
};
