/** What a bot is made of, as flags, and the fields of its record that they change. */
import type { Client } from "@hearth/client";
import { type AgentContent, type AgentRecord, isHearthError, type ProviderInfo } from "@hearth/protocol";
import { budgetFlags, changeBudget } from "./budget-flags.ts";
import { applyListChange, namesOf, readListChange } from "./change-list.ts";
import { cellFlags, changeLimits } from "./cell-flags.ts";
import type { FlagValues, Flags } from "./command.ts";
import { changeHeartbeat, heartbeatFlags } from "./heartbeat-flags.ts";
import { nearest } from "./nearest.ts";
import { safeLine } from "./safe-text.ts";
import { UsageError, didYouMean } from "./usage-error.ts";
import { changeWaking, wakingFlags } from "./waking-flags.ts";

export const fields = {
  model: { kind: "text", value: "PROVIDER/MODEL", summary: "which model thinks for it" },
  fallback: {
    kind: "text",
    value: "LIST",
    summary: "models to ask in its place, in order: a/b,c/d; +a/b,-c/d to change",
  },
  description: { kind: "text", value: "TEXT", summary: "what others read about it" },
  prompt: { kind: "text", value: "TEXT", summary: "instructions beyond the files of its brain, Markdown" },
  tools: {
    kind: "text",
    value: "LIST",
    summary: "a,b for these alone; +a,-b to change the list; default for every tool that needs no approval",
  },
  ...cellFlags,
  ...budgetFlags,
  queue: {
    kind: "text",
    value: "MODE",
    choices: ["steer", "followup", "collect", "interrupt"],
    summary: "what it does with messages that come while it is at work: steer, followup, collect, interrupt",
  },
  runs: {
    kind: "text",
    value: "WHERE",
    choices: ["here", "elsewhere"],
    summary: "here, or elsewhere: a program of its own follows its rooms and answers with a key",
  },
  ...wakingFlags,
  ...heartbeatFlags,
  mode: {
    kind: "text",
    value: "MODE",
    choices: ["default", "ask", "plan", "unattended"],
    summary: "default; ask before it changes anything; plan: it only reads; unattended: what would be asked is refused",
  },
  retrieval: {
    kind: "text",
    value: "HOW",
    choices: ["hybrid", "lexical", "none"],
    summary: "what its memory is found by: hybrid, words and meaning; lexical, words alone; none",
  },
  trusted: {
    kind: "text",
    value: "LIST",
    summary: "folders of its workspace where mode ask does not ask, if its cell has walls: a,b/c; +a,-b to change",
  },
  timezone: { kind: "text", value: "ZONE", summary: "IANA name, such as Europe/Berlin" },
} as const satisfies Flags;

/** The models that were named in these fields. */
const modelsIn = ({ model, fallback, ambient }: Content): readonly string[] =>
  [model, ...(fallback ?? []), ambient?.model].filter((name) => name !== undefined && name !== null);

/**
 * A model may be named before its provider is there; that it has none yet is said now, not at the first message. Who does not look after
 * the house's providers is told nothing about them.
 */
export const notesOfProviders = async (client: Client, content: Content): Promise<readonly string[]> => {
  const models = modelsIn(content);
  if (models.length === 0) return [];
  const providers = await listProviders(client);
  if (providers === undefined) return [];
  const names = new Set(models.map((model) => model.slice(0, model.indexOf("/"))));
  return [...names].flatMap((name) => {
    const provider = providers.find((known) => known.name === name);
    if (provider === undefined)
      return `There is no provider "${safeLine(name)}" yet. Add it: hearth provider add ${safeLine(name)} --kind …`;
    return provider.ready ? [] : `The provider "${safeLine(name)}" is not ready: ${safeLine(provider.detail)}`;
  });
};

const listProviders = async (client: Client): Promise<readonly ProviderInfo[] | undefined> => {
  try {
    return await client.providers.list();
  } catch (error) {
    if (isHearthError(error, "auth.denied")) return undefined;
    throw error;
  }
};

export type Content = Partial<{ readonly [Name in keyof AgentContent]: AgentContent[Name] | null }>;

/** The fields that were given; `null` takes one away. */
export const toContent = async (given: FlagValues<typeof fields>, present?: AgentRecord): Promise<Content> => {
  const { tools, fallback, trusted, trigger, debounce, cooldown, relevance, "relevance-model": judge, ...more } = given;
  const { memory, processes, cpus, "file-size": fileSize, disk, ...others } = more;
  const { "budget-turn": turn, "budget-day": day, "budget-month": month, "at-limit": atLimit, ...rest } = others;
  const { heartbeat, "heartbeat-hours": hours, "heartbeat-budget": budget, ...beating } = rest;
  const { "heartbeat-room": room, "heartbeat-always": always, ...texts } = beating;
  const content: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(texts)) {
    if (value !== undefined) content[name] = value === "" ? null : value;
  }
  if (fallback !== undefined) {
    const models = applyListChange(readListChange("--fallback", fallback), present?.content.fallback ?? []);
    content["fallback"] = models.length === 0 ? null : models;
  }
  if (trusted !== undefined) {
    const folders = applyListChange(readListChange("--trusted", trusted), present?.content.trusted ?? []);
    content["trusted"] = folders.length === 0 ? null : folders;
  }
  if (tools !== undefined) content["tools"] = tools === "default" ? null : await toTools(tools, present?.content.tools);
  const waking = { trigger, debounce, cooldown, relevance, "relevance-model": judge };
  // The house holds each field against its schema.
  return {
    ...content,
    ...changeWaking(waking, present?.content.ambient),
    ...changeHeartbeat(
      {
        ...{ heartbeat, "heartbeat-hours": hours, "heartbeat-budget": budget },
        ...{ "heartbeat-room": room, "heartbeat-always": always },
      },
      present?.content.heartbeat,
    ),
    ...changeBudget(
      { "budget-turn": turn, "budget-day": day, "budget-month": month, "at-limit": atLimit },
      present?.content.budget,
    ),
    ...changeLimits({ memory, processes, cpus, "file-size": fileSize, disk }, present?.content.limits),
  } as Content;
};

/** Without what would take away: a new record has nothing yet. */
export const onlyGiven = (content: Content): Partial<AgentContent> =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));

const toTools = async (text: string, present: readonly string[] | undefined): Promise<string[]> => {
  const { tools, isToolName } = await import("@hearth/protocol/tools");
  const change = readListChange("--tools", text);
  for (const name of namesOf(change)) {
    // One that is on the list already may be taken off whatever it is.
    if (isToolName(name) || present?.includes(name) === true) continue;
    throw new UsageError(
      `There is no tool "${name}".${didYouMean(nearest(name, Object.keys(tools)))}`,
      `The tools: ${Object.keys(tools).join(", ")}`,
    );
  }
  // Not those that walls make harmless: on a list they would be a person's word, for a cell without walls too.
  const free = Object.values(tools)
    .filter(({ needs }) => needs !== "person" && needs !== "walls")
    .map((tool) => tool.name);
  return applyListChange(change, present ?? free);
};
