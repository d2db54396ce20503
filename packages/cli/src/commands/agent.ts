/** People and bots: the records of whoever takes part. */
import type { Client } from "@hearth/client";
import { type AgentRecord, DEFAULT_MODEL } from "@hearth/protocol";
import { applyListChange, namesOf, readListChange } from "../change-list.ts";
import { type Context, type FlagValues, type Flags, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { nearest } from "../nearest.ts";
import { safeLine } from "../safe-text.ts";
import { localTime } from "../time.ts";
import { UsageError, didYouMean } from "../usage-error.ts";

const fields = {
  model: { kind: "text", value: "PROVIDER/MODEL", summary: "which model thinks for it" },
  description: { kind: "text", value: "TEXT", summary: "what others read about it" },
  prompt: { kind: "text", value: "TEXT", summary: "instructions beyond the files of its brain, Markdown" },
  tools: {
    kind: "text",
    value: "LIST",
    summary: "a,b for these alone; +a,-b to change the list; default for every tool that needs no person's word",
  },
  cell: {
    kind: "text",
    value: "CELL",
    choices: ["auto", "inline", "process"],
    summary: "the walls around it: auto, inline, process",
  },
  timezone: { kind: "text", value: "ZONE", summary: "IANA name, such as Europe/Berlin" },
} as const satisfies Flags;

const list = defineCommand({
  summary: "Lists people and bots",
  flags: {},
  examples: ["hearth agent list", "hearth agent list --json"],
  async run({ connect, json, output }) {
    const agents = await (await connect()).agents.list();
    if (json) output.json(agents);
    else {
      output.table(
        ["HANDLE", "NAME", "KIND", "MODEL", "DESCRIPTION"],
        agents.map(({ handle, content }) => [
          `@${handle}`,
          content.name,
          content.kind,
          content.model ?? "",
          content.description ?? "",
        ]),
        "There is nobody here. Add a bot: hearth agent add NAME",
      );
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Shows one of them",
  args: [{ name: "AGENT" }],
  flags: {},
  examples: ["hearth agent show main", "hearth agent show main --json"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    print({ json, output }, await (await connect()).agents.get(name));
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Adds a bot or a person",
  args: [{ name: "NAME" }],
  flags: {
    kind: { kind: "text", value: "KIND", choices: ["bot", "human"], summary: "bot (default) or human" },
    ...fields,
  },
  examples: [
    "hearth agent add Archivist --model anthropic/claude-sonnet-5-5",
    'hearth agent add "Kitchen Helper" --tools read,list --prompt "Answer in one sentence."',
    "hearth agent add Ada --kind human",
  ],
  async run({ connect, json, output }, { kind = "bot", ...flags }, [name = ""]) {
    const client = await connect();
    const content = await toContent(flags, undefined);
    const given = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
    const note = await noteOfProvider(client, flags.model);
    print({ json, output }, await client.agents.create({ ...given, name, kind: kind as "bot" | "human" }));
    if (note !== undefined) output.note(note);
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Changes fields of one of them",
  args: [{ name: "AGENT" }],
  flags: { name: { kind: "text", value: "NAME", summary: "what it is called; its handle follows" }, ...fields },
  details: 'An empty text takes a field away: --description ""',
  examples: [
    "hearth agent edit main --model anthropic/claude-sonnet-5-5",
    "hearth agent edit main --tools +shell",
    "hearth agent edit main --tools read,list,grep",
    "hearth agent edit main --tools default",
  ],
  async run({ connect, json, output }, { name, ...flags }, [agent = ""]) {
    const client = await connect();
    const present = await client.agents.get(agent);
    const content = { ...(name === undefined ? {} : { name }), ...(await toContent(flags, present)) };
    if (Object.keys(content).length === 0) {
      throw new UsageError(
        "There is nothing to change.",
        "Name a field, such as --model PROVIDER/MODEL. All of them: hearth agent edit --help",
      );
    }
    // By the version that a relative change was made from: what somebody else changed meanwhile is not undone.
    const note = await noteOfProvider(client, flags.model);
    print({ json, output }, await client.agents.update(present.id, { version: present.version, content }));
    if (note !== undefined) output.note(note);
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes one of them",
  args: [{ name: "AGENT" }],
  flags: {},
  examples: ["hearth agent remove archivist"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const client = await connect();
    const { id, handle } = await client.agents.get(name);
    await client.agents.remove(id);
    if (json) output.json({ removed: id });
    else output.line(`removed @${safeLine(handle)}`);
    return exitCodes.done;
  },
});

/** A model may be named before its provider is there; that it has none yet is said now, not at the first message. */
const noteOfProvider = async (client: Client, model: string | undefined): Promise<string | undefined> => {
  if (model === undefined || model === "") return undefined;
  const name = model.slice(0, model.indexOf("/"));
  const provider = (await client.providers.list()).find((known) => known.name === name);
  if (provider === undefined) {
    return `There is no provider "${safeLine(name)}" yet. Add it: hearth provider add ${safeLine(name)} --kind …`;
  }
  return provider.ready ? undefined : `The provider "${safeLine(name)}" is not ready: ${safeLine(provider.detail)}`;
};

/** The fields that were given; `null` takes one away. */
const toContent = async (
  { tools, ...texts }: FlagValues<typeof fields>,
  present: AgentRecord | undefined,
): Promise<Record<string, string | string[] | null>> => {
  const content: Record<string, string | string[] | null> = {};
  for (const [name, value] of Object.entries(texts)) {
    if (value !== undefined) content[name] = value === "" ? null : value;
  }
  if (tools !== undefined) content["tools"] = tools === "default" ? null : await toTools(tools, present?.content.tools);
  return content;
};

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
  const free = Object.values(tools)
    .filter((tool) => tool.needs === "nothing")
    .map((tool) => tool.name);
  return applyListChange(change, present ?? free);
};

const print = ({ json, output }: Pick<Context, "json" | "output">, record: AgentRecord): void => {
  if (json) return output.json(record);
  const { content } = record;
  output.facts([
    ["name", content.name],
    ["handle", `@${record.handle}`],
    ["id", record.id],
    ["kind", content.kind],
    [
      "model",
      content.kind === "bot" ? (content.model ?? `${DEFAULT_MODEL} (no language model; none is chosen)`) : undefined,
    ],
    ["description", content.description],
    ["prompt", content.prompt],
    [
      "tools",
      content.kind === "bot" ? (content.tools?.join(", ") ?? "every tool that needs no person's word") : undefined,
    ],
    ["cell", content.cell],
    ["timezone", content.timezone],
    ["changed", `${localTime(record.updatedAt)} (version ${record.version})`],
  ]);
};

export const agent: Group = { kind: "group", summary: "People and bots", verbs: { list, show, add, edit, remove } };
