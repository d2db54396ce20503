/** Reads a home of Hermes Agent: its persona, memories, skills, jobs and conversations. */
import { z } from "zod";
import { type FileItem, type Item, skippedItem, type ReadSource, toSlug } from "../../../http/imports/plan.ts";
import { readCronJobs } from "./cron-jobs.ts";
import { createFileItem } from "./file-item.ts";
import { createCleaner, secretsIn } from "./secrets.ts";
import { readFiles, readSkills } from "./skills.ts";
import { type TranscriptMessage, readLines, textOf, toPages } from "./transcript.ts";
import { listNames, readText } from "./tree.ts";

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
    if (names.includes(name)) yield skippedItem(name, why);
};

async function* readSessions(root: string, clean: (text: string) => string): AsyncGenerator<Item> {
  for (const name of (await listNames(root, "sessions")).filter((each) => each.endsWith(".jsonl"))) {
    const from = `sessions/${name}`;
    const read = await readText(root, from, MAX_TRANSCRIPT);
    if (read === undefined) continue;
    if ("why" in read) {
      yield skippedItem(from, `It ${read.why}.`);
      continue;
    }
    const page = {
      from,
      name: toSlug(name.slice(0, -".jsonl".length), "session"),
      title: "A conversation in Hermes",
      messages: readLines(read.text).flatMap(toMessage),
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

const readJobs = (root: string, clean: (text: string) => string): Promise<readonly Item[]> =>
  readCronJobs(
    root,
    clean,
    CronJob,
    ({ id, name = id, prompt, enabled: isEnabled, schedule: { expr: cron, minutes } }) => ({
      name,
      prompt,
      isEnabled,
      cron,
      every: minutes === undefined ? undefined : `${minutes}m`,
    }),
  );

const toMessage = ({ role, content, timestamp }: Record<string, unknown>): readonly TranscriptMessage[] => {
  const text = textOf(content);
  if ((role !== "user" && role !== "assistant") || text === "") return [];
  const at = typeof timestamp === "string" ? { at: timestamp } : {};
  return [{ by: role === "user" ? "person" : "agent", text, ...at }];
};
