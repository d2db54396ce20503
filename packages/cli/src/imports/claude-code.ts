/** Reads the folder of Claude Code: its instructions, skills, project memories and conversations. */
import { type Item, left, type ReadSource, toSlug } from "./plan.ts";
import { createCleaner } from "./secrets.ts";
import { readFiles, readSkills } from "./skills.ts";
import { type TranscriptMessage, readLines, textOf, toPages } from "./transcript.ts";
import { listFiles, listNames, readText } from "./tree.ts";

const MAX_TRANSCRIPT = 64 * 1024 * 1024;
const HISTORY = "memory/imported/claude-code";

export const readClaudeCode: ReadSource = async (root) => {
  const clean = createCleaner([]);
  const items: Item[] = [
    ...(await readFiles(root, [["CLAUDE.md", "instructions/claude-code.md"]], clean)),
    ...(await readSkills(root, "skills", clean)),
  ];
  for (const project of await listNames(root, "projects")) items.push(...(await readProject(root, project, clean)));
  for (const [name, why] of [
    ["agents", "Roles for single tasks have no counterpart. To add an agent: hearth agent add NAME --prompt TEXT"],
    ["commands", "Commands have no counterpart. Write a skill for each that you need."],
    ["settings.json", "Permissions differ. To allow a tool: hearth agent edit NAME --tools +shell"],
    [".credentials.json", "Logins are not copied."],
  ] as const)
    if ((await listNames(root, "")).includes(name)) items.push(left(name, why));
  return items;
};

const readProject = async (
  root: string,
  project: string,
  clean: (text: string) => string,
): Promise<readonly Item[]> => {
  const folder = `projects/${project}`;
  const place = `${HISTORY}/${toSlug(project, "project")}`;
  const notes = (await listFiles(root, `${folder}/memory`)).filter((path) => path.endsWith(".md"));
  const pairs = notes.map((path) => [path, `${place}/${path.slice(folder.length + 1)}`] as const);
  const items: Item[] = [...(await readFiles(root, pairs, clean))];
  for (const name of (await listNames(root, folder)).filter((each) => each.endsWith(".jsonl"))) {
    const from = `${folder}/${name}`;
    const read = await readText(root, from, MAX_TRANSCRIPT);
    if (read === undefined) continue;
    if ("why" in read) {
      items.push(left(from, `It ${read.why}.`));
      continue;
    }
    const messages = readLines(read.text).flatMap(toSaid);
    const page = {
      from,
      name: toSlug(name.slice(0, -".jsonl".length), "session"),
      title: `A conversation in Claude Code, ${project}`,
      said: messages,
    };
    items.push(...toPages(page, place, clean));
  }
  return items;
};

/**
 * Converts an entry to a message. Leaves out notes of the program itself, and conversations of its
 * subagents.
 */
const toSaid = ({
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
