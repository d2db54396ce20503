/** Finds the agent that a folder of OpenClaw belongs to, and the places of its files. */
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { z } from "zod";
import { type Item, skippedItem } from "../../../http/imports/plan.ts";
import { listNames, readText } from "./tree.ts";

export const SETTINGS_FILE = "openclaw.json";

/** An agent in a home of OpenClaw. Paths are relative to the root. */
export interface OpenClawAgent {
  readonly root: string;
  readonly id: string;
  /** Undefined if it is outside of the root. */
  readonly workspace: string | undefined;
  /** Whether it is the default agent, which has the channels, and the jobs that name no agent. */
  readonly isDefault: boolean;
  /** The ids of the other agents. */
  readonly others: readonly string[];
  readonly settings: unknown;
  /** The line of the preview about the file of settings. Undefined if the home has no such file. */
  readonly remark: Item | undefined;
}

const Entry = z.object({ workspace: z.string().optional() });
const Agents = z.object({
  defaults: Entry.extend({ systemAgent: z.object({ agentId: z.string().optional() }).prefault({}) }).prefault({}),
  /** The agents by id, since 2026.9. Earlier versions have `list`. */
  entries: z.record(z.string(), Entry).default({}),
  list: z.array(Entry.extend({ id: z.string(), default: z.boolean().default(false) })).default([]),
});
const AgentSettings = z.object({ agents: Agents.prefault({}) });

/** Returns the agent `ID` for a folder `HOME/agents/ID`, and the default agent for a home. */
export const findAgent = async (folder: string): Promise<OpenClawAgent> => {
  const home = dirname(dirname(folder));
  const isAgent = basename(dirname(folder)) === "agents" && (await listNames(home, "")).includes(SETTINGS_FILE);
  const root = isAgent ? home : folder;
  const { settings, remark } = await readSettings(root);
  const { agents } = AgentSettings.safeParse(settings).data ?? AgentSettings.parse({});
  const known = new Map([...agents.list.map((each) => [each.id, each] as const), ...Object.entries(agents.entries)]);
  const ids = new Set([...known.keys(), ...(await listNames(root, "agents"))]);
  const first = agents.defaults.systemAgent.agentId ?? agents.list.find((each) => each.default)?.id;
  const defaultId = first ?? (ids.size === 0 || ids.has("main") ? "main" : ([...ids][0] ?? "main"));
  const id = isAgent ? basename(folder) : defaultId;
  const isDefault = id === defaultId;
  const shared = agents.defaults.workspace;
  const fallback = isDefault ? "workspace" : `workspace-${id}`;
  const written = known.get(id)?.workspace ?? (shared === undefined || isDefault ? shared : `${shared}/${id}`);
  const place = written === undefined ? fallback : toPlace(root, written);
  const workspace = place ?? ((await listNames(root, "")).includes(fallback) ? fallback : undefined);
  return { root, id, workspace, isDefault, others: [...ids].filter((each) => each !== id), settings, remark };
};

/** Finds a workspace below the root, also after the home was copied or moved. */
const toPlace = (root: string, path: string): string | undefined => {
  const within = isAbsolute(path) ? relative(root, path) : path;
  if (!isAbsolute(within) && !/^(?:\.\.(?:\/|$)|~)/.test(within)) return within;
  return /\/\.openclaw(?:-[^/]+)?\/(.+)$/.exec(path)?.[1];
};

const readSettings = async (
  root: string,
): Promise<{ readonly settings: unknown; readonly remark: Item | undefined }> => {
  const read = await readText(root, SETTINGS_FILE);
  if (read === undefined) return { settings: {}, remark: undefined };
  try {
    if ("why" in read) throw new Error(read.why);
    const remark = "Settings differ. To choose a model and a chat platform: hearth onboard";
    return { settings: Bun.JSON5.parse(read.text), remark: skippedItem(SETTINGS_FILE, remark) };
  } catch {
    return { settings: {}, remark: skippedItem(SETTINGS_FILE, "It cannot be read as JSON5.") };
  }
};

/** The lines of the preview about the other agents, and about a workspace outside of the home. */
export const remarksOn = ({ root, id, others, workspace }: OpenClawAgent): readonly Item[] => [
  ...(workspace === undefined
    ? [
        skippedItem(
          `${SETTINGS_FILE}: agents`,
          `The workspace of ${id} is outside of ${root}. Copy it to ${join(root, `workspace-${id}`)}, then import again.`,
        ),
      ]
    : []),
  ...others.map((other) =>
    skippedItem(
      `agents/${other}`,
      `It is another agent. To import it, give its folder: ${join(root, "agents", other)}`,
    ),
  ),
];
