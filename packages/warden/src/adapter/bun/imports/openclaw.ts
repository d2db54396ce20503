/** Reads a home of OpenClaw: its workspace, skills, jobs, channels and conversations. */
import { join } from "node:path";
import { z } from "zod";
import { type Item, skippedItem, type ReadSource, toSlug } from "../../../http/imports/plan.ts";
import { readCronJobs } from "./cron-jobs.ts";
import { createCleaner, secretsIn, toReference } from "./secrets.ts";
import { readFiles, readSkills } from "./skills.ts";
import { type TranscriptMessage, readLines, textOf, toPages } from "./transcript.ts";
import { listFiles, listNames, readText } from "./tree.ts";

/** Maximum size of a conversation in bytes. It may be larger than a file of the brain. */
const MAX_TRANSCRIPT = 64 * 1024 * 1024;
const PERSONA = ["SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "MEMORY.md"];
const HISTORY = "memory/imported/openclaw";

const Settings = z.object({ channels: z.record(z.string(), z.unknown()).default({}) });
const Channel = z.object({ botToken: z.unknown() });

export const readOpenClaw: ReadSource = async function* (root) {
  const { settings, remark } = await readSettings(root);
  const clean = createCleaner(secretsIn(settings));
  const workspace = "workspace";
  if (remark !== undefined) yield remark;
  yield* readFiles(
    root,
    PERSONA.map((name) => [`${workspace}/${name}`, name] as const),
    clean,
  );
  const notes = (await listFiles(root, `${workspace}/memory`)).filter((path) => path.endsWith(".md"));
  yield* readFiles(
    root,
    notes.map((path) => [path, path.slice(workspace.length + 1)] as const),
    clean,
  );
  yield* readSkills(root, `${workspace}/skills`, clean);
  yield* readSkills(root, "skills", clean);
  for (const agent of await listNames(root, "agents")) yield* readSessions(root, agent, clean);
  const read = new Set([...PERSONA, "memory", "skills"]);
  for (const name of await listNames(root, workspace))
    if (!read.has(name) && !name.startsWith("."))
      yield skippedItem(`${workspace}/${name}`, "It is no part of the persona, the memory or the skills.");
  yield* await readJobs(root, clean);
  yield* readChannels(settings);
  if ((await listNames(root, "state")).includes("openclaw.sqlite"))
    yield skippedItem(
      "state/openclaw.sqlite",
      "Jobs and conversations in this database are not read, only those in files.",
    );
  if ((await listNames(root, "credentials")).length > 0)
    yield skippedItem(
      "credentials",
      "Logins and paired senders stay there. People pair again: they write to the agent and get a code.",
    );
};

/** The settings, and what the plan says about them. */
const readSettings = async (root: string): Promise<{ readonly settings: unknown; readonly remark?: Item }> => {
  const path = "openclaw.json";
  const read = await readText(root, path);
  if (read === undefined) return { settings: {} };
  try {
    if ("why" in read) throw new Error(read.why);
    const settings: unknown = Bun.JSON5.parse(read.text);
    return {
      settings,
      remark: skippedItem(path, "Settings differ. To choose a model and a chat platform: hearth onboard"),
    };
  } catch {
    return { settings: {}, remark: skippedItem(path, "It cannot be read as JSON5.") };
  }
};

const readChannels = (settings: unknown): readonly Item[] =>
  Object.entries(Settings.safeParse(settings).data?.channels ?? {}).map(([name, channel]) => {
    const from = `openclaw.json: channels.${name}`;
    const tokenReference = toReference(Channel.safeParse(channel).data?.botToken);
    if (name !== "telegram") return skippedItem(from, "Hearth has no such chat platform yet.");
    return tokenReference === undefined
      ? skippedItem(
          from,
          "Its token is not copied. To add it: Settings → Channels, or hearth channel add telegram --token-stdin",
        )
      : { kind: "channel", from, name, tokenReference };
  });

const CronJob = z.object({
  id: z.string().default("job"),
  name: z.string().optional(),
  enabled: z.boolean().default(true),
  schedule: z
    .object({ expr: z.string().optional(), tz: z.string().optional(), everyMs: z.number().optional() })
    .prefault({}),
  payload: z.object({ text: z.string().optional(), message: z.string().optional() }).prefault({}),
});

const readJobs = (root: string, clean: (text: string) => string): Promise<readonly Item[]> =>
  readCronJobs(root, clean, CronJob, ({ id, name = id, enabled: isEnabled, schedule, payload }) => ({
    name,
    prompt: payload.message ?? payload.text ?? "",
    isEnabled,
    cron: schedule.expr,
    every: schedule.everyMs === undefined ? undefined : `${Math.max(10, Math.round(schedule.everyMs / 1000))}s`,
    zone: schedule.tz,
  }));

async function* readSessions(root: string, agent: string, clean: (text: string) => string): AsyncGenerator<Item> {
  const folder = join("agents", agent, "sessions");
  for (const name of (await listNames(root, folder)).filter((each) => each.endsWith(".jsonl"))) {
    const from = `${folder}/${name}`;
    const read = await readText(root, from, MAX_TRANSCRIPT);
    if (read === undefined) continue;
    if ("why" in read) {
      yield skippedItem(from, `It ${read.why}.`);
      continue;
    }
    const messages = readLines(read.text).flatMap(toMessage);
    const id = name.slice(0, -".jsonl".length);
    const title = `A conversation with ${agent} in OpenClaw`;
    yield* toPages({ from, name: toSlug(`${agent}-${id}`, "session"), title, messages: messages }, HISTORY, clean);
  }
}

const toMessage = ({ type, timestamp, message }: Record<string, unknown>): readonly TranscriptMessage[] => {
  if (type !== "message" || typeof message !== "object" || message === null) return [];
  const { role, content } = message as { readonly role?: unknown; readonly content?: unknown };
  const text = textOf(content);
  if ((role !== "user" && role !== "assistant") || text === "") return [];
  const at = typeof timestamp === "string" ? { at: timestamp } : {};
  return [{ by: role === "user" ? "person" : "agent", text, ...at }];
};
