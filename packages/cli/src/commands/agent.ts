/** `hearth agent`: manages the records of people and bots. */
import type { Client } from "@hearth/client";
import { type AgentRecord, DEFAULT_MODEL, DEFAULT_QUEUE_MODE, DEFAULT_RETRIEVAL, queueWords } from "@hearth/protocol";
import { agentFlags, notesOfProviders, omitRemovals, toContent } from "../flags/agent-content.ts";
import { withoutAt } from "../show/agent-list.ts";
import { describeBudget } from "../flags/budget-flags.ts";
import { describeCell } from "../flags/cell-flags.ts";
import { type Group, defineCommand, type PrintContext } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { houseFlag, levelFlag, setLevel, describeLevels, toHouseAndLevel, toHouse } from "../flags/level-flags.ts";
import { describeHeartbeat } from "../flags/heartbeat-flags.ts";
import { toFields } from "../flags/record-fields.ts";
import { safeLine } from "../show/safe-text.ts";
import { type AgentStop, findStops, describeStopped } from "../show/stopped.ts";
import { localTime } from "../show/time.ts";
import { UsageError } from "../args/usage-error.ts";
import { describeWaking } from "../flags/waking-flags.ts";
import { compact } from "./agent-compact.ts";
import { inbox } from "./agent-inbox.ts";
import { printPrompt, promptFlags } from "./agent-prompt.ts";
import { resume, stop } from "./agent-stop.ts";

const list = defineCommand({
  summary: "Lists people and bots",
  needs: "a credential",
  flags: { house: { ...houseFlag.house, summary: "only agents of this house, by handle or id" } },
  examples: ["hearth agent list", "hearth agent list --house annex", "hearth agent list --json"],
  async run({ connect, json, output }, { house }) {
    const client = await connect();
    const agents = await client.agents.list(house === undefined ? {} : { house: await toHouse(client, house) });
    const stops = await findStops(client, agents);
    if (json) output.json(agents.map((agent) => withStop(agent, stops.get(agent.id))));
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
        "No agents. Add a bot: hearth agent add NAME",
      );
      for (const { id, handle } of agents) {
        const stop = stops.get(id);
        if (stop !== undefined) output.line(`@${safeLine(handle)} is ${describeStopped(stop)}`);
      }
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Shows an agent",
  needs: "permission to see the agent",
  args: [{ name: "AGENT" }],
  flags: promptFlags,
  details: [
    "--prompt needs x on the agent's house: hearth agent show main --prompt --text",
    "For a turn in a room: hearth agent show main --prompt --room kitchen",
  ].join("\n"),
  examples: ["hearth agent show main", "hearth agent show main --json"],
  async run({ connect, json, output }, { prompt, room, text }, [name = ""]) {
    if (prompt !== true && (room !== undefined || text === true))
      throw new UsageError("--room and --text need --prompt.", "Add --prompt.");
    const client = await connect();
    const agent = await client.agents.get(withoutAt(name));
    if (prompt === true) {
      printPrompt(
        { json, output },
        await client.agents.prompt(agent.id, room === undefined ? {} : { room }),
        text === true,
      );
      return exitCodes.done;
    }
    await printAgent({ json, output }, client, agent, (await findStops(client, [agent])).get(agent.id));
    return exitCodes.done;
  },
});

const add = defineCommand({
  summary: "Adds a bot or a person",
  needs: "x on the house",
  args: [{ name: "NAME" }],
  flags: {
    kind: { kind: "text", value: "KIND", choices: ["bot", "human"], summary: "bot (default) or human" },
    ...agentFlags,
    ...levelFlag,
    ...houseFlag,
  },
  examples: [
    "hearth agent add Archivist --model anthropic/claude-sonnet-5-5",
    'hearth agent add "Kitchen Helper" --tools read,list --prompt "Answer in one sentence."',
    "hearth agent add Gardener --trigger ambient --debounce 5s --description Plants",
    "hearth agent add Echo --runs elsewhere",
  ],
  async run({ connect, json, output }, { kind = "bot", house, level, ...flags }, [name = ""]) {
    const client = await connect();
    const content = omitRemovals(await toContent(flags));
    const notes = await notesOfProviders(client, content);
    const target = await toHouseAndLevel(client, { house, level });
    const newAgent = await client.agents.create({ ...content, name, kind: kind as "bot" | "human" }, target);
    await printAgent({ json, output }, client, newAgent);
    for (const note of notes) output.note(note);
    return exitCodes.done;
  },
});

const edit = defineCommand({
  summary: "Changes an agent's fields",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "AGENT" }],
  flags: {
    name: { kind: "text", value: "NAME", summary: "the new name; the handle changes with it" },
    ...agentFlags,
    ...levelFlag,
  },
  details: 'An empty text removes a field: --description ""',
  examples: [
    "hearth agent edit main --model anthropic/claude-sonnet-5-5",
    "hearth agent edit main --fallback openai/gpt-6-sol,local/llama3.2",
    "hearth agent edit main --tools +shell",
    "hearth agent edit main --tools read,list,grep",
    "hearth agent edit main --tools default",
    "hearth agent edit main --queue followup",
    "hearth agent edit main --cell strongest --memory 512 --cpus 0.5",
    "hearth agent edit main --budget-day 2.50 --at-limit local/llama3.2",
    "hearth agent edit main --trigger ambient --relevance words",
    "hearth agent edit main --mode ask --trusted notes/drafts",
    "hearth agent edit main --level r",
  ],
  async run({ connect, json, output }, { name, level, ...flags }, [agent = ""]) {
    const client = await connect();
    const currentAgent = await client.agents.get(withoutAt(agent));
    const changes = await toContent(flags, currentAgent);
    const content = toFields({ ...changes, ...(name === undefined ? {} : { name }) });
    const isChanged = Object.keys(content).length > 0;
    if (!isChanged && level === undefined) {
      throw new UsageError(
        "Nothing to change: no field was given.",
        "Give a field, such as --model PROVIDER/MODEL. To see all fields: hearth agent edit --help",
      );
    }
    const notes = await notesOfProviders(client, changes);
    // Sends the version that relative changes were computed from, so a concurrent change is not
    // undone.
    const { version } = currentAgent;
    const record = isChanged ? await client.agents.update(currentAgent.id, { version, content }) : currentAgent;
    if (level !== undefined) await setLevel(client, record, level);
    await printAgent({ json, output }, client, record);
    for (const note of notes) output.note(note);
    return exitCodes.done;
  },
});

const remove = defineCommand({
  summary: "Removes an agent",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }],
  flags: {},
  examples: ["hearth agent remove archivist"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const client = await connect();
    const { id, handle } = await client.agents.get(withoutAt(name));
    await client.agents.remove(id);
    if (json) output.json({ removed: id });
    else output.line(`removed @${safeLine(handle)}`);
    return exitCodes.done;
  },
});

/** Returns the record for JSON output. A stopped agent's record has its stop. */
const withStop = (record: AgentRecord, stop: AgentStop | undefined) =>
  stop === undefined ? record : { ...record, stopped: stop };

const printAgent = async (
  { json, output }: PrintContext,
  client: Client,
  record: AgentRecord,
  stop?: AgentStop,
): Promise<void> => {
  if (json) return output.json(withStop(record, stop));
  const { content } = record;
  const { queue = DEFAULT_QUEUE_MODE } = content;
  const isRunHere = content.kind === "bot" && content.runs !== "elsewhere";
  output.facts([
    ["name", content.name],
    ["handle", `@${record.handle}`],
    ["id", record.id],
    ["kind", content.kind],
    ["state", stop && describeStopped(stop)],
    ["runs", content.kind === "bot" && !isRunHere ? "elsewhere: an external program answers, with a key" : undefined],
    ["model", isRunHere ? (content.model ?? `${DEFAULT_MODEL} (not a language model; no model is set)`) : undefined],
    ["fallback", content.fallback?.join(", ")],
    ["description", content.description],
    ["prompt", content.prompt],
    ["tools", isRunHere ? (content.tools?.join(", ") ?? "every tool that needs no approval") : undefined],
    ["cell", describeCell(content)],
    ["budget", describeBudget(content.budget)],
    ["queue", isRunHere ? `${queue}: ${queueWords[queue]}` : undefined],
    ["wakes", isRunHere ? describeWaking(content) : undefined],
    ["heartbeat", describeHeartbeat(content.heartbeat)],
    ["mode", isRunHere ? (content.mode ?? "default") : undefined],
    ["retrieval", isRunHere ? (content.retrieval ?? DEFAULT_RETRIEVAL) : undefined],
    ["trusted", content.trusted?.join(", ")],
    ["timezone", content.timezone],
    ["may", await describeLevels(client, record.id)],
    ["changed", `${localTime(record.updatedAt)} (version ${record.version})`],
  ]);
};

export const agent: Group = {
  kind: "group",
  summary: "Manages people and bots",
  verbs: { list, show, add, edit, inbox, compact, stop, resume, remove },
};
