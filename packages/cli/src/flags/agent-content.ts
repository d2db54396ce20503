/** Flags for the fields of a bot's record, and the conversion from flags to fields. */
import type { Client } from "@hearth/client";
import {
  type AgentContent,
  type AgentRecord,
  DEFAULT_TOOLS,
  isHearthError,
  type ProviderInfo,
  withTool,
} from "@hearth/protocol";
import { budgetFlags, changeBudget } from "./budget-flags.ts";
import { applyListChange, namesOf, readListChange } from "./change-list.ts";
import { cellFlags, changeLimits } from "./cell-flags.ts";
import type { FlagValues, Flags } from "../command.ts";
import { changeHeartbeat, heartbeatFlags } from "./heartbeat-flags.ts";
import { nearest } from "@hearth/protocol/nearest";
import { safeLine } from "../show/safe-text.ts";
import { UsageError, didYouMean } from "../args/usage-error.ts";
import { changeWaking, wakingFlags } from "./waking-flags.ts";

export const agentFlags = {
  model: { kind: "text", value: "PROVIDER/MODEL", summary: "the model that it uses" },
  fallback: {
    kind: "text",
    value: "LIST",
    summary: "models to use when that fails, in order: a/b,c/d; +a/b,-c/d to change the list",
  },
  description: { kind: "text", value: "TEXT", summary: "what people and other bots read about it" },
  prompt: { kind: "text", value: "TEXT", summary: "instructions in addition to its brain files, in Markdown" },
  tools: {
    kind: "text",
    value: "LIST",
    summary: "a,b to set the list; +a,-b to change it; default for every tool that needs no approval",
  },
  ...cellFlags,
  ...budgetFlags,
  queue: {
    kind: "text",
    value: "MODE",
    choices: ["steer", "followup", "collect", "interrupt"],
    summary: "what it does with messages that arrive during a turn: steer, followup, collect, interrupt",
  },
  runs: {
    kind: "text",
    value: "WHERE",
    choices: ["here", "elsewhere"],
    summary: "here, or elsewhere: an external program follows its rooms and answers with a key",
  },
  ...wakingFlags,
  ...heartbeatFlags,
  mode: {
    kind: "text",
    value: "MODE",
    choices: ["default", "ask", "plan", "unattended"],
    summary: "default; ask: asks before every change; plan: only reads; unattended: refuses calls that need approval",
  },
  retrieval: {
    kind: "text",
    value: "HOW",
    choices: ["hybrid", "lexical", "none"],
    summary: "how its memory is searched: hybrid (keywords and meaning), lexical (keywords only), none",
  },
  trusted: {
    kind: "text",
    value: "LIST",
    summary: "workspace folders where mode ask does not ask, if its cell is isolated: a,b/c; +a,-b to change the list",
  },
  timezone: { kind: "text", value: "ZONE", summary: "IANA name, such as Europe/Berlin" },
} as const satisfies Flags;

/** Returns all models that these fields name. */
const listModels = ({ model, fallback, ambient }: AgentChanges): readonly string[] =>
  [model, ...(fallback ?? []), ambient?.model].filter((name) => name !== undefined && name !== null);

/**
 * Returns warnings about models whose provider is missing or not ready. Returns none for a caller
 * who may not list providers.
 */
export const notesOfProviders = async (client: Client, content: AgentChanges): Promise<readonly string[]> => {
  const models = listModels(content);
  if (models.length === 0) return [];
  const providers = await listProviders(client);
  if (providers === undefined) return [];
  const names = new Set(models.map((model) => model.slice(0, model.indexOf("/"))));
  return [...names].flatMap((name) => {
    const provider = providers.find((candidate) => candidate.name === name);
    if (provider === undefined) return describeUnknownProvider(name, providers);
    return provider.ready ? [] : `The provider "${safeLine(name)}" is not ready: ${safeLine(provider.detail)}`;
  });
};

const describeUnknownProvider = (name: string, providers: readonly ProviderInfo[]): string => {
  const closestName = nearest(
    name,
    providers.map((candidate) => candidate.name),
  );
  const help =
    closestName === undefined ? " To see how to add it: hearth provider add --help" : didYouMean(closestName);
  return `Unknown provider "${safeLine(name)}".${help}`;
};

const listProviders = async (client: Client): Promise<readonly ProviderInfo[] | undefined> => {
  try {
    return await client.providers.list();
  } catch (error) {
    if (isHearthError(error, "auth.denied")) return undefined;
    throw error;
  }
};

/** Fields whose value is the text of their flag. An empty text removes the field. */
const TEXT_FIELDS = [
  "model",
  "description",
  "prompt",
  "cell",
  "queue",
  "runs",
  "mode",
  "retrieval",
  "timezone",
] as const satisfies readonly (keyof typeof agentFlags & keyof AgentContent)[];

export type AgentChanges = Partial<{ readonly [Name in keyof AgentContent]: AgentContent[Name] | null }>;

/** Converts flags to fields. `null` removes a field. */
export const toContent = async (flags: FlagValues<typeof agentFlags>, record?: AgentRecord): Promise<AgentChanges> => {
  const { tools, fallback, trusted } = flags;
  const content: Record<string, unknown> = {};
  for (const name of TEXT_FIELDS) {
    const value = flags[name];
    if (value !== undefined) content[name] = value === "" ? null : value;
  }
  if (fallback !== undefined) {
    const models = applyListChange(readListChange("--fallback", fallback), record?.content.fallback ?? []);
    content["fallback"] = models.length === 0 ? null : models;
  }
  if (trusted !== undefined) {
    const folders = applyListChange(readListChange("--trusted", trusted), record?.content.trusted ?? []);
    content["trusted"] = folders.length === 0 ? null : folders;
  }
  if (tools !== undefined) content["tools"] = tools === "default" ? null : await toTools(tools, record?.content.tools);
  // The house validates each field against its schema.
  return {
    ...content,
    ...changeWaking(flags, record?.content.ambient),
    ...changeHeartbeat(flags, record?.content.heartbeat),
    ...changeBudget(flags, record?.content.budget),
    ...changeLimits(flags, record?.content.limits),
  } as AgentChanges;
};

/** Returns the fields without removals, for a new record. */
export const omitRemovals = (content: AgentChanges): Partial<AgentContent> =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));

const toTools = async (text: string, currentTools: readonly string[] = [DEFAULT_TOOLS]): Promise<readonly string[]> => {
  const { tools, isToolName } = await import("@hearth/protocol/tools");
  const change = readListChange("--tools", text);
  for (const name of namesOf(change)) {
    // A name that is already on the list is accepted, so that it can be removed when the tool no longer exists.
    if (isToolName(name) || name === DEFAULT_TOOLS || currentTools.includes(name)) continue;
    throw new UsageError(
      `Unknown tool "${name}".${didYouMean(nearest(name, Object.keys(tools)))}`,
      `Tools: ${Object.keys(tools).join(", ")}`,
    );
  }
  if (change.kind === "set") return change.names;
  const needsOf = (name: string) => (isToolName(name) ? tools[name].needs : "person");
  const remainingTools = change.remove.reduce(
    (list, name) => withTool(list, { name, isDefault: needsOf(name) !== "person" }, false),
    currentTools,
  );
  // Naming a tool that needs an isolated cell allows it in any cell.
  return change.add.reduce((list, name) => {
    const needs = needsOf(name);
    return withTool(list, { name, isDefault: needs !== "person" && needs !== "walls" }, true);
  }, remainingTools);
};
