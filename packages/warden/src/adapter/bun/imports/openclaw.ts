/** Reads a home of OpenClaw, or one agent in it: its workspace, skills, jobs, channels and conversations. */
import { join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { z } from "zod";
import { type Item, skippedItem, type ReadSource, toSlug } from "../../../http/imports/plan.ts";
import { openForeignDatabase } from "./database.ts";
import { findAgent, remarksOn, SETTINGS_FILE } from "./openclaw-home.ts";
import { readJobs } from "./openclaw-jobs.ts";
import { createCleaner, secretsIn, toReference } from "./secrets.ts";
import { readFiles, readSkills } from "./skills.ts";
import { type TranscriptMessage, readJsonLines, textOf, toPages } from "./transcript.ts";
import { listFiles, listNames, readText } from "./tree.ts";

/** Maximum size of a conversation in bytes. It may be larger than a file of the brain. */
const MAX_TRANSCRIPT_SIZE = 64 * 1024 * 1024;
const PERSONA_FILES = ["SOUL.md", "IDENTITY.md", "USER.md", "AGENTS.md", "TOOLS.md", "HEARTBEAT.md", "MEMORY.md"];
const HISTORY_FOLDER = "memory/imported/openclaw";

const Settings = z.object({ channels: z.record(z.string(), z.unknown()).default({}) });
const Channel = z.object({ botToken: z.unknown() });

export const readOpenClaw: ReadSource = async function* (folder) {
  const agent = await findAgent(folder);
  const { root, settings, remark, workspace, isDefault } = agent;
  const clean = createCleaner(secretsIn(settings));
  if (isDefault && remark !== undefined) yield remark;
  if (workspace !== undefined) yield* readWorkspace(root, workspace, clean);
  yield* readSkills(root, "skills", clean);
  if ((await listNames(root, "agents")).includes(agent.id)) yield* readConversations(root, agent.id, clean);
  if (workspace !== undefined) yield* listSkippedFiles(root, workspace);
  yield* await readJobs(agent, clean);
  yield* remarksOn(agent);
  if (!isDefault) return;
  yield* readChannels(settings);
  if ((await listNames(root, "credentials")).length > 0)
    yield skippedItem(
      "credentials",
      "Logins and paired senders stay there. People pair again: they write to the agent and get a code.",
    );
};

/** Reads the persona, the memory and the skills of a workspace. */
async function* readWorkspace(root: string, workspace: string, clean: (text: string) => string): AsyncGenerator<Item> {
  yield* readFiles(
    root,
    PERSONA_FILES.map((name) => [`${workspace}/${name}`, name] as const),
    clean,
  );
  const notes = (await listFiles(root, `${workspace}/memory`)).filter((path) => path.endsWith(".md"));
  yield* readFiles(
    root,
    notes.map((path) => [path, path.slice(workspace.length + 1)] as const),
    clean,
  );
  yield* readSkills(root, `${workspace}/skills`, clean);
}

/** Lists the files of a workspace that are not imported. */
async function* listSkippedFiles(root: string, workspace: string): AsyncGenerator<Item> {
  const importedNames = new Set([...PERSONA_FILES, "memory", "skills"]);
  for (const name of await listNames(root, workspace))
    if (!importedNames.has(name) && !name.startsWith("."))
      yield skippedItem(`${workspace}/${name}`, "It is no part of the persona, the memory or the skills.");
}

const readChannels = (settings: unknown): readonly Item[] =>
  Object.entries(Settings.safeParse(settings).data?.channels ?? {}).map(([name, channel]) => {
    const from = `${SETTINGS_FILE}: channels.${name}`;
    const tokenReference = toReference(Channel.safeParse(channel).data?.botToken);
    if (name !== "telegram") return skippedItem(from, "Hearth has no such chat platform yet.");
    return tokenReference === undefined
      ? skippedItem(
          from,
          "Its token is not copied. To add it: Settings → Channels, or hearth channel add telegram --token-stdin",
        )
      : { kind: "channel", from, name, tokenReference };
  });

/** Reads the conversations of an agent: from its database, and older ones from files. */
async function* readConversations(root: string, agent: string, clean: (text: string) => string): AsyncGenerator<Item> {
  const readIds = new Set<string>();
  yield* readDatabase(root, agent, clean, readIds);
  yield* readSessions(root, agent, clean, readIds);
}

/**
 * Reads the table of transcript events, which OpenClaw has since 2026.7. Each row is a line of the
 * earlier files, as text or compressed. Adds the ids of the conversations to `readIds`.
 */
async function* readDatabase(
  root: string,
  agent: string,
  clean: (text: string) => string,
  readIds: Set<string>,
): AsyncGenerator<Item> {
  const path = `agents/${agent}/agent/openclaw-agent.sqlite`;
  const openResult = await openForeignDatabase(root, path);
  if (openResult === undefined) return;
  if ("why" in openResult) {
    yield skippedItem(path, `It ${openResult.why}.`);
    return;
  }
  await using database = openResult;
  const columns = database.columnsOf(EVENTS);
  if (!columns.has("session_id") || !columns.has("seq") || !columns.has("event_json")) return;
  const event = columns.has("event_zstd") ? "event_json, event_zstd" : "event_json";
  const ids = [...database.rows(`SELECT DISTINCT session_id AS id FROM ${EVENTS} ORDER BY id`)];
  for (const { id } of ids) {
    if (typeof id !== "string") continue;
    const from = `${path}: ${id}`;
    const messages: TranscriptMessage[] = [];
    let size = 0;
    for (const row of database.rows(`SELECT ${event} FROM ${EVENTS} WHERE session_id = ? ORDER BY seq`, id)) {
      const line = lineOf(row);
      size += line.length;
      if (size > MAX_TRANSCRIPT_SIZE) break;
      messages.push(...readJsonLines(line).flatMap(toMessage));
    }
    readIds.add(id);
    if (size > MAX_TRANSCRIPT_SIZE)
      yield skippedItem(from, `It is larger than ${MAX_TRANSCRIPT_SIZE / 1024 / 1024} MiB.`);
    else yield* toPages(pageOf(agent, id, from, messages), HISTORY_FOLDER, clean);
  }
}

const EVENTS = "transcript_events";
/** Maximum size of one uncompressed event. */
const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** Returns the JSON of an event, or an empty text if it cannot be read. */
const lineOf = ({ event_json: json, event_zstd: compressed }: Record<string, unknown>): string => {
  if (!(compressed instanceof Uint8Array)) return typeof json === "string" ? json : "";
  try {
    return new TextDecoder().decode(zstdDecompressSync(compressed, { maxOutputLength: MAX_EVENT_BYTES }));
  } catch {
    return "";
  }
};

const pageOf = (agent: string, id: string, from: string, messages: readonly TranscriptMessage[]) => {
  const title = `A conversation with ${agent} in OpenClaw`;
  return { from, name: toSlug(`${agent}-${id}`, "session"), title, messages };
};

async function* readSessions(
  root: string,
  agent: string,
  clean: (text: string) => string,
  readIds: ReadonlySet<string>,
): AsyncGenerator<Item> {
  const folder = join("agents", agent, "sessions");
  for (const name of (await listNames(root, folder)).filter((fileName) => fileName.endsWith(".jsonl"))) {
    const from = `${folder}/${name}`;
    const id = name.slice(0, -".jsonl".length);
    if (readIds.has(id)) {
      yield skippedItem(from, "The database of the agent has this conversation.");
      continue;
    }
    const transcript = await readText(root, from, MAX_TRANSCRIPT_SIZE);
    if (transcript === undefined) continue;
    if ("why" in transcript) {
      yield skippedItem(from, `It ${transcript.why}.`);
      continue;
    }
    const messages = readJsonLines(transcript.text).flatMap(toMessage);
    yield* toPages(pageOf(agent, id, from, messages), HISTORY_FOLDER, clean);
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
