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
  /** The folder of the workspace. It is undefined if the workspace is outside of the root. */
  readonly workspace: string | undefined;
  /** Whether it is the default agent, which has the channels, and the jobs that name no agent. */
  readonly isDefault: boolean;
  /** The ids of the other agents. */
  readonly others: readonly string[];
  readonly settings: unknown;
  /** The line of the preview about the file of settings. It is undefined if the home has no such file. */
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
  const entriesById = new Map([
    ...agents.list.map((entry) => [entry.id, entry] as const),
    ...Object.entries(agents.entries),
  ]);
  const ids = new Set([...entriesById.keys(), ...(await listNames(root, "agents"))]);
  const configuredDefault = agents.defaults.systemAgent.agentId ?? agents.list.find((entry) => entry.default)?.id;
  const defaultId = configuredDefault ?? (ids.size === 0 || ids.has("main") ? "main" : ([...ids][0] ?? "main"));
  const id = isAgent ? basename(folder) : defaultId;
  const isDefault = id === defaultId;
  const sharedWorkspace = agents.defaults.workspace;
  const usualName = isDefault ? "workspace" : `workspace-${id}`;
  const configuredPath =
    entriesById.get(id)?.workspace ??
    (sharedWorkspace === undefined || isDefault ? sharedWorkspace : `${sharedWorkspace}/${id}`);
  const pathInHome = configuredPath === undefined ? usualName : toPathInHome(root, configuredPath);
  const workspace = pathInHome ?? ((await listNames(root, "")).includes(usualName) ? usualName : undefined);
  return { root, id, workspace, isDefault, others: [...ids].filter((otherId) => otherId !== id), settings, remark };
};

/** Finds a workspace below the root, also after the home was copied or moved. */
const toPathInHome = (root: string, path: string): string | undefined => {
  const relativePath = isAbsolute(path) ? relative(root, path) : path;
  if (!isAbsolute(relativePath) && !/^(?:\.\.(?:\/|$)|~)/.test(relativePath)) return relativePath;
  return /\/\.openclaw(?:-[^/]+)?\/(.+)$/.exec(path)?.[1];
};

const readSettings = async (
  root: string,
): Promise<{ readonly settings: unknown; readonly remark: Item | undefined }> => {
  const content = await readText(root, SETTINGS_FILE);
  if (content === undefined) return { settings: {}, remark: undefined };
  try {
    if ("why" in content) throw new Error(content.why);
    const remark = "Settings differ. To choose a model and a chat platform: hearth onboard";
    return { settings: Bun.JSON5.parse(content.text), remark: skippedItem(SETTINGS_FILE, remark) };
  } catch {
    return { settings: {}, remark: skippedItem(SETTINGS_FILE, "It cannot be read as JSON5.") };
  }
};

/** Returns the lines of the preview about the other agents, and about a workspace outside of the home. */
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
