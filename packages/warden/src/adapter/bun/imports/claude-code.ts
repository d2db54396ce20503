/** Reads the folder of Claude Code: its instructions, skills, project memories and conversations. */
import { type Item, skippedItem, type ReadSource, toSlug } from "../../../http/imports/plan.ts";
import { createCleaner } from "./secrets.ts";
import { readFiles, readSkills } from "./skills.ts";
import { type TranscriptMessage, readJsonLines, textOf, toPages } from "./transcript.ts";
import { listFiles, listNames, readText } from "./tree.ts";

const MAX_TRANSCRIPT_BYTES = 64 * 1024 * 1024;
const HISTORY_FOLDER = "memory/imported/claude-code";

export const readClaudeCode: ReadSource = async function* (root) {
  const clean = createCleaner([]);
  yield* readFiles(root, [["CLAUDE.md", "instructions/claude-code.md"]], clean);
  yield* readSkills(root, "skills", clean);
  for (const project of await listNames(root, "projects")) yield* readProject(root, project, clean);
  for (const [name, why] of [
    ["agents", "Roles for single tasks have no counterpart. To add an agent: hearth agent add NAME --prompt TEXT"],
    ["commands", "Commands have no counterpart. Write a skill for each that you need."],
    ["settings.json", "Permissions differ. To allow a tool: hearth agent edit NAME --tools +shell"],
    [".credentials.json", "Logins are not copied."],
  ] as const)
    if ((await listNames(root, "")).includes(name)) yield skippedItem(name, why);
};

async function* readProject(root: string, project: string, clean: (text: string) => string): AsyncGenerator<Item> {
  const folder = `projects/${project}`;
  const pageFolder = `${HISTORY_FOLDER}/${toSlug(project, "project")}`;
  const notes = (await listFiles(root, `${folder}/memory`)).filter((path) => path.endsWith(".md"));
  const pairs = notes.map((path) => [path, `${pageFolder}/${path.slice(folder.length + 1)}`] as const);
  yield* readFiles(root, pairs, clean);
  for (const name of (await listNames(root, folder)).filter((fileName) => fileName.endsWith(".jsonl"))) {
    const from = `${folder}/${name}`;
    const transcript = await readText(root, from, MAX_TRANSCRIPT_BYTES);
    if (transcript === undefined) continue;
    if ("why" in transcript) {
      yield skippedItem(from, `It ${transcript.why}.`);
      continue;
    }
    const page = {
      from,
      name: toSlug(name.slice(0, -".jsonl".length), "session"),
      title: `A conversation in Claude Code, ${project}`,
      messages: readJsonLines(transcript.text).flatMap(toMessage),
    };
    yield* toPages(page, pageFolder, clean);
  }
}

/**
 * Converts an entry to a message. Leaves out notes of the program itself, and conversations of its
 * subagents.
 */
const toMessage = ({
  type,
  message,
  timestamp,
  isMeta,
  isSidechain,
}: Record<string, unknown>): readonly TranscriptMessage[] => {
  if (isMeta === true || isSidechain === true || typeof message !== "object" || message === null) return [];
  const text = textOf((message as { readonly content?: unknown }).content);
  if ((type !== "user" && type !== "assistant") || text === "") return [];
  const at = typeof timestamp === "string" ? { at: timestamp } : {};
  return [{ by: type === "user" ? "person" : "agent", text, ...at }];
};
