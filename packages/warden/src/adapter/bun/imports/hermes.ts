/** Reads a home of Hermes Agent: its persona, memories, skills, jobs and conversations. */
import { z } from "zod";
import { type FileItem, type Item, skippedItem, type ReadSource, toSlug } from "../../../http/imports/plan.ts";
import { JOBS_FILE, readCronJobs, toInstant, toJobItem } from "./cron-jobs.ts";
import { type ForeignDatabase, openForeignDatabase } from "./database.ts";
import { createFileItem } from "./file-item.ts";
import { createCleaner, secretsIn } from "./secrets.ts";
import { readFiles, readSkills } from "./skills.ts";
import { type TranscriptMessage, readJsonLines, textOf, toPages } from "./transcript.ts";
import { listNames, readText } from "./tree.ts";

const MAX_PAGE_SIZE = 64 * 1024 * 1024;
const HISTORY_FOLDER = "memory/imported/hermes";
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
  const names = await listNames(root, "");
  const readIds = new Set<string>();
  yield* readDatabase(root, clean, readIds);
  yield* readSessions(root, clean, readIds);
  yield* await readJobs(root, clean);
  for (const [name, why] of [
    ["config.yaml", "Settings differ. To choose a model and a chat platform: hearth onboard"],
    [".env", "Keys are not copied. To use one: Settings → Models, or hearth provider add NAME --key-stdin"],
    ["auth.json", "Logins are not copied."],
    ["profiles", "A profile is a separate home. To import one: hearth import hermes PATH/profiles/NAME"],
  ] as const)
    if (names.includes(name)) yield skippedItem(name, why);
};

const DATABASE = "state.db";
/** The prefixes of a content of several parts, which is JSON. */
const PARTS = ["\0json:", "\u0001json:"];

/** Reads the messages of `state.db`. Adds the ids of the conversations to `readIds`. */
async function* readDatabase(
  root: string,
  clean: (text: string) => string,
  readIds: Set<string>,
): AsyncGenerator<Item> {
  const openResult = await openForeignDatabase(root, DATABASE);
  if (openResult === undefined) return;
  if ("why" in openResult) {
    yield skippedItem(DATABASE, `It ${openResult.why}.`);
    return;
  }
  await using database = openResult;
  const columns = database.columnsOf("messages");
  if (!["id", "session_id", "role", "content", "timestamp"].every((name) => columns.has(name))) {
    yield skippedItem(DATABASE, "It has another form than expected.");
    return;
  }
  // Rows that the person withdrew are not active.
  const activeCondition = columns.has("active") ? " AND active = 1" : "";
  const titles = readTitles(database);
  const ids = [...database.rows("SELECT DISTINCT session_id AS id FROM messages ORDER BY id")];
  for (const { id } of ids) {
    if (typeof id !== "string") continue;
    const from = `${DATABASE}: ${id}`;
    const messages: TranscriptMessage[] = [];
    let size = 0;
    for (const row of database.rows(
      `SELECT role, content, timestamp FROM messages WHERE session_id = ?${activeCondition} ORDER BY id`,
      id,
    )) {
      size += String(row["content"] ?? "").length;
      if (size > MAX_PAGE_SIZE) break;
      messages.push(...toMessage({ ...row, content: contentOf(row["content"]), timestamp: timeOf(row["timestamp"]) }));
    }
    readIds.add(id);
    const title = titles.get(id) ?? "A conversation in Hermes";
    if (size > MAX_PAGE_SIZE) yield skippedItem(from, `It is larger than ${MAX_PAGE_SIZE / 1024 / 1024} MiB.`);
    else yield* toPages({ from, name: toSlug(id, "session"), title, messages }, HISTORY_FOLDER, clean);
  }
}

/** Returns the titles of the conversations, each on one line. */
const readTitles = (database: ForeignDatabase): ReadonlyMap<string, string> => {
  const columns = database.columnsOf("sessions");
  if (!columns.has("id") || !columns.has("title")) return new Map();
  return new Map(
    [...database.rows("SELECT id, title FROM sessions")].flatMap(({ id, title }) => {
      const line = typeof title === "string" ? title.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TITLE_LENGTH) : "";
      return typeof id === "string" && line !== "" ? [[id, line] as const] : [];
    }),
  );
};
const MAX_TITLE_LENGTH = 200;

const contentOf = (content: unknown): unknown => {
  if (typeof content !== "string") return content;
  const mark = PARTS.find((start) => content.startsWith(start));
  if (mark === undefined) return content;
  try {
    return JSON.parse(content.slice(mark.length));
  } catch {
    return "";
  }
};

/** Converts seconds since 1970. */
const timeOf = (seconds: unknown): string | undefined => {
  const at = new Date(typeof seconds === "number" ? seconds * 1000 : Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
};

async function* readSessions(
  root: string,
  clean: (text: string) => string,
  readIds: ReadonlySet<string>,
): AsyncGenerator<Item> {
  for (const name of (await listNames(root, "sessions")).filter((fileName) => fileName.endsWith(".jsonl"))) {
    const from = `sessions/${name}`;
    if (readIds.has(name.slice(0, -".jsonl".length))) {
      yield skippedItem(from, `${DATABASE} has this conversation.`);
      continue;
    }
    const transcript = await readText(root, from, MAX_PAGE_SIZE);
    if (transcript === undefined) continue;
    if ("why" in transcript) {
      yield skippedItem(from, `It ${transcript.why}.`);
      continue;
    }
    const page = {
      from,
      name: toSlug(name.slice(0, -".jsonl".length), "session"),
      title: "A conversation in Hermes",
      messages: readJsonLines(transcript.text).flatMap(toMessage),
    };
    yield* toPages(page, HISTORY_FOLDER, clean);
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
  schedule: z
    .object({ expr: z.string().optional(), minutes: z.number().optional(), run_at: z.string().optional() })
    .prefault({}),
});

const readJobs = (root: string, clean: (text: string) => string): Promise<readonly Item[]> =>
  readCronJobs(root, CronJob, ({ id, name = id, prompt, enabled: isEnabled, schedule }) => {
    const { expr: cron, minutes, run_at: runAt } = schedule;
    const once = toInstant(runAt);
    const times = {
      ...(cron === undefined ? {} : { cron }),
      ...(minutes === undefined ? {} : { every: `${minutes}m` }),
      ...(once === undefined ? {} : { once }),
    };
    return toJobItem(JOBS_FILE, { name, prompt, isEnabled, times }, clean);
  });

const toMessage = ({ role, content, timestamp }: Record<string, unknown>): readonly TranscriptMessage[] => {
  const text = textOf(content);
  if ((role !== "user" && role !== "assistant") || text === "") return [];
  const at = typeof timestamp === "string" ? { at: timestamp } : {};
  return [{ by: role === "user" ? "person" : "agent", text, ...at }];
};
