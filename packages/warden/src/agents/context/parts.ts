/**
 * Selects the brain files that every prompt includes, by audience: stable files come first, then
 * memory, and the day's files last. Members of a room see the persona and that room's memory, but
 * never the agent's notes about its person.
 */
import { type AgentRecord, type Audience, HEARTBEAT_PATH } from "@hearth/protocol";
import { logFolder, canSee } from "../brains/audience-files.ts";
import { dayBefore } from "./daily-log/days.ts";
import type { PromptFile, PromptFiles } from "./prompt-files.ts";
import { shorten } from "./shorten.ts";
import { skillLine } from "./skills.ts";

/**
 * Where a part is placed in the prompt.
 * - `prefix`: the part is byte-identical across the turns of a conversation until the file is
 *   written.
 * - `memory`: the part changes occasionally.
 * - `late`: the part changes within a day, so it is placed right before the message to answer.
 */
export const partPlaces = ["prefix", "memory", "late"] as const;
export type PartPlace = (typeof partPlaces)[number];

export interface ContextPart {
  /**
   * The file's path, or `skills` (the index of skills), `prompt` (of the record), `heartbeat`
   * (its list).
   */
  readonly name: string;
  readonly text: string;
  readonly place: PartPlace;
  /** The file. It is absent for a part that has no file. */
  readonly file?: PromptFile;
}

/** The persona files that every prompt includes, in order. */
const PERSONA_PATHS = ["IDENTITY.md", "SOUL.md", "USER.md", "AGENTS.md", "TOOLS.md"] as const;
/** The file with the first-run instructions. The agent deletes it when they are done. */
const FIRST_RUN_PATH = "BOOTSTRAP.md";
const MEMORY_PATH = "MEMORY.md";
const SKILLS_HEADING = "# Skills\nBefore you do what one is for, read `skills/NAME/SKILL.md` with `read_brain`.";

/**
 * The sources of the brain's parts, in prompt order. `tests/agents/audiences.test.ts` has a row for
 * each source.
 */
export const partSources = ["persona", "instructions", "skills", "ritual", "prompt", "memory", "logs"] as const;
export type PartSource = (typeof partSources)[number];

/** The name of the part with the list that a heartbeat checks. */
export const HEARTBEAT_PART = "heartbeat";

export interface PartsOptions {
  readonly agent: AgentRecord;
  readonly files: PromptFiles;
  readonly audience: Audience;
  /** Today, in the house's time zone. */
  readonly day: string;
}

export const gatherParts = async (options: PartsOptions): Promise<readonly ContextPart[]> => {
  const { agent, files, audience, day } = options;
  const days = [dayBefore(day), day].map((name) => `${logFolder(audience)}/${name}.md`);
  const readAll = async (paths: readonly string[], place: PartPlace): Promise<readonly ContextPart[]> =>
    (await Promise.all(paths.filter((path) => canSee(audience, path)).map(files.read))).flatMap((file) =>
      file === undefined ? [] : [{ name: file.path, text: file.text, place, file }],
    );
  const [persona, instructions, skills, ritual, memory, logs] = await Promise.all([
    readAll(PERSONA_PATHS, "prefix"),
    markdownFilesIn("instructions", files).then((paths) => readAll(paths, "prefix")),
    skillsIndex(files),
    readAll([FIRST_RUN_PATH], "prefix"),
    readAll([MEMORY_PATH], "memory"),
    readAll(days, "late"),
  ]);
  const { prompt = "" } = agent.content;
  const recordPrompt: readonly ContextPart[] =
    prompt.trim() === "" ? [] : [{ name: "prompt", text: shorten(prompt), place: "prefix" }];
  const partsBySource: Readonly<Record<PartSource, readonly ContextPart[]>> = {
    persona: persona,
    instructions,
    skills,
    ritual,
    prompt: recordPrompt,
    memory,
    logs,
  };
  return partSources.flatMap((source) => partsBySource[source]);
};

/**
 * Returns the paths of the files that are complete at the start of every prompt for this audience.
 */
export const filesInPrefix = async (files: PromptFiles, audience: Audience): Promise<readonly string[]> => {
  const paths = [...PERSONA_PATHS, ...(await markdownFilesIn("instructions", files)), FIRST_RUN_PATH];
  const promptFiles = await Promise.all(paths.filter((path) => canSee(audience, path)).map(files.read));
  return promptFiles.flatMap((file) => (file === undefined || file.isCut || file.hiddenLines > 0 ? [] : [file.path]));
};

/**
 * Returns the list of a heartbeat. Heartbeats have the list in any room, because the person who
 * wrote it wants it checked there.
 */
export const gatherHeartbeatList = async (files: Pick<PromptFiles, "read">): Promise<readonly ContextPart[]> => {
  const file = await files.read(HEARTBEAT_PATH);
  return file === undefined ? [] : [{ name: HEARTBEAT_PART, text: file.text, place: "late", file }];
};

const markdownFilesIn = async (folder: string, files: PromptFiles): Promise<readonly string[]> =>
  (await files.names(folder)).filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);

const skillsIndex = async (files: PromptFiles): Promise<readonly ContextPart[]> => {
  const names = await files.names("skills");
  const skillFiles = await Promise.all(
    names.map(async (name) => ({ name, file: await files.read(`skills/${name}/SKILL.md`) })),
  );
  const lines = skillFiles.flatMap(({ name, file }) => (file === undefined ? [] : [skillLine(name, file.text)]));
  return lines.length === 0
    ? []
    : [{ name: "skills", text: shorten([SKILLS_HEADING, ...lines].join("\n")), place: "prefix" }];
};
