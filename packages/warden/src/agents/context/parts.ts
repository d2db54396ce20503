/**
 * What of a brain is always in the prompt, for whom: first what stays the same, then what it remembers, last what is of the day. People of a
 * room are shown the persona and that room's own memory, never what an agent knows of its person.
 */
import { type AgentRecord, type Audience, HEARTBEAT_PATH } from "@hearth/protocol";
import { logFolder, mayShow } from "../brains/audience-files.ts";
import { dayBefore } from "./daily-log/days.ts";
import type { PromptFile, PromptFiles } from "./prompt-files.ts";
import { shorten } from "./shorten.ts";
import { skillLine } from "./skills.ts";

/**
 * `prefix`: byte-identical across the turns of a conversation, as long as nobody writes to it. `memory`: changes now and then. `late`: changes
 * within a day, so it stands right before what is to be answered.
 */
export const partPlaces = ["prefix", "memory", "late"] as const;
export type PartPlace = (typeof partPlaces)[number];

export interface ContextPart {
  /** The file's path; `skills` for their index, `prompt` for the record's own, `heartbeat` for the list of one. */
  readonly name: string;
  readonly text: string;
  readonly place: PartPlace;
  /** Absent where no file lies behind it. */
  readonly file?: PromptFile;
}

/** Files that are always in the prompt, in its order. */
const PERSONA = ["IDENTITY.md", "SOUL.md", "USER.md", "AGENTS.md", "TOOLS.md"] as const;
/** The first-run ritual: it is there until the agent takes it away. */
const RITUAL = "BOOTSTRAP.md";
const MEMORY = "MEMORY.md";
const SKILLS_HEAD = "# Skills\nBefore you do what one is for, read `skills/NAME/SKILL.md` with `read_brain`.";

/** Where parts of the brain come from, in the order of the prompt. `warden-with-audiences.test.ts` has a row for each. */
export const partSources = ["persona", "instructions", "skills", "ritual", "prompt", "memory", "logs"] as const;
export type PartSource = (typeof partSources)[number];

/** What a heartbeat is to look at. */
export const LIST = "heartbeat";

export interface PartsOptions {
  readonly agent: AgentRecord;
  readonly files: PromptFiles;
  readonly audience: Audience;
  /** Today, where the house is. */
  readonly day: string;
}

export const gatherParts = async (options: PartsOptions): Promise<readonly ContextPart[]> => {
  const { agent, files, audience, day } = options;
  const days = [dayBefore(day), day].map((one) => `${logFolder(audience)}/${one}.md`);
  const readAll = async (paths: readonly string[], place: PartPlace): Promise<readonly ContextPart[]> =>
    (await Promise.all(paths.filter((path) => mayShow(audience, path)).map(files.read))).flatMap((file) =>
      file === undefined ? [] : [{ name: file.path, text: file.text, place, file }],
    );
  const [always, instructions, skills, ritual, memory, logs] = await Promise.all([
    readAll(PERSONA, "prefix"),
    textsIn("instructions", files).then((paths) => readAll(paths, "prefix")),
    skillsIndex(files),
    readAll([RITUAL], "prefix"),
    readAll([MEMORY], "memory"),
    readAll(days, "late"),
  ]);
  const { prompt = "" } = agent.content;
  const own: readonly ContextPart[] =
    prompt.trim() === "" ? [] : [{ name: "prompt", text: shorten(prompt), place: "prefix" }];
  const given: Readonly<Record<PartSource, readonly ContextPart[]>> = {
    ...{ persona: always, instructions, skills, ritual, prompt: own, memory, logs },
  };
  return partSources.flatMap((source) => given[source]);
};

/** For a heartbeat alone, wherever it speaks: whoever set it wants what it lists to be looked at there. */
export const gatherList = async (files: Pick<PromptFiles, "read">): Promise<readonly ContextPart[]> => {
  const file = await files.read(HEARTBEAT_PATH);
  return file === undefined ? [] : [{ name: LIST, text: file.text, place: "late", file }];
};

const textsIn = async (folder: string, files: PromptFiles): Promise<readonly string[]> =>
  (await files.names(folder)).filter((name) => name.endsWith(".md")).map((name) => `${folder}/${name}`);

const skillsIndex = async (files: PromptFiles): Promise<readonly ContextPart[]> => {
  const names = await files.names("skills");
  const found = await Promise.all(
    names.map(async (name) => ({ name, file: await files.read(`skills/${name}/SKILL.md`) })),
  );
  const lines = found.flatMap(({ name, file }) => (file === undefined ? [] : [skillLine(name, file.text)]));
  return lines.length === 0
    ? []
    : [{ name: "skills", text: shorten([SKILLS_HEAD, ...lines].join("\n")), place: "prefix" }];
};
