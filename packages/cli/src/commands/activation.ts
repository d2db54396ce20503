/** `hearth activation`: lists, explains and stops the runs of agents. */
import type { Client } from "@hearth/client";
import {
  type Activation,
  type AgentId,
  type AgentRecord,
  MODEL_HOST,
  SkipReason,
  Trigger,
  includesLevel,
} from "@hearth/protocol";
import { type Group, defineCommand } from "../command.ts";
import { withoutAt } from "../show/agent-list.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { formatAge, localTime, formatDuration } from "../show/time.ts";
import {
  readTurn,
  stepHeadings,
  describeSteps,
  describeTurn,
  describeUsage,
  describeReason,
} from "../show/turn-story.ts";
import { readWhen } from "../args/when.ts";

const LIST = "hearth activation list";
const STATES = ["queued", "running", "waiting", "replied", "skipped", "failed", "stopped"] as const;

const list = defineCommand({
  summary: "Lists activations, newest first",
  needs: "r on the agent's house, or the agent itself",
  args: [{ name: "AGENT", optional: true }],
  flags: {
    room: { kind: "text", value: "ROOM", summary: "only activations in this room" },
    state: {
      kind: "text",
      value: "STATE",
      choices: STATES,
      summary: `only activations in this state: ${STATES.join(", ")}`,
    },
    trigger: {
      kind: "text",
      value: "TRIGGER",
      choices: Trigger.options,
      summary: `only activations with this trigger: ${Trigger.options.join(", ")}`,
    },
    skip: {
      kind: "text",
      value: "REASON",
      choices: SkipReason.options,
      summary: `only activations skipped for this reason: ${SkipReason.options.join(", ")}`,
    },
    since: {
      kind: "text",
      value: "WHEN",
      summary: "only activations since then: 2h, 30min, 2026-01-31, 2026-01-31T08:30",
    },
    limit: { kind: "number", value: "N", min: 1, max: 1000, summary: "at most this many (default: 20)" },
  },
  details:
    "Without AGENT, lists the activations of every bot whose house you may read. Hearth keeps activations for 30 days, unless hearth.toml sets another period.",
  examples: [
    "hearth activation list",
    "hearth activation list main --state failed",
    "hearth activation list main --skip relevance --since 2h",
    "hearth activation list --room den --limit 5 --json",
  ],
  async run({ connect, json, output, terminal }, { room, state, trigger, skip, since, limit = 20 }, [agent]) {
    const startTime = since === undefined ? undefined : readWhen("--since", since, terminal.now());
    const client = await connect();
    const agents = agent === undefined ? await findReadableBots(client) : [await client.agents.get(withoutAt(agent))];
    const query = {
      limit,
      ...(room === undefined ? {} : { room: (await client.rooms.get(room)).id }),
      ...(state === undefined ? {} : { state: state as (typeof STATES)[number] }),
      ...(trigger === undefined ? {} : { trigger: trigger as Trigger }),
      ...(skip === undefined ? {} : { skip: skip as SkipReason }),
      ...(startTime === undefined ? {} : { since: startTime }),
    };
    const activations = (await Promise.all(agents.map(({ id }) => client.agents.activations(id, query)))).flat();
    const newestActivations = activations.sort((a, b) => b.createdAt - a.createdAt).slice(0, limit);
    if (json) output.json(newestActivations);
    else {
      const handles = new Map<AgentId, string>(agents.map(({ id, handle }) => [id, handle]));
      const now = terminal.now();
      output.table(
        ["ID", "AGENT", "TRIGGER", "STATE", "WHEN", "TOOK", "TOKENS", "WHY"],
        newestActivations.map((activation) => [
          activation.id,
          handles.get(activation.agent) ?? activation.agent,
          activation.trigger,
          activation.state,
          formatAge(activation.createdAt, now),
          formatRunTime(activation),
          describeUsage(activation.usage),
          noteOf(activation),
        ]),
        "No activations match.",
      );
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Explains an activation: its trigger, its steps and its outcome",
  needs: "r on the activation's room",
  args: [{ name: "ID" }],
  flags: {},
  details: [
    "Each step is a model call, a tool call, or an intake of messages that arrived meanwhile. The effect class says what happens to the",
    "step after a crash: pure and keyed are repeated, reconcilable is checked with the service, plain becomes unknown.",
    "JSON output has every field, the messages that the activation answers, and the activations merged into it.",
  ].join("\n"),
  examples: [
    "hearth activation show act_01h2xcejqtf2nbrexx3vqjhp41",
    "hearth activation show act_01h2xcejqtf2nbrexx3vqjhp41 --json",
  ],
  async run({ connect, json, output }, _flags, [id = ""]) {
    const client = await connect();
    const turn = await readTurn(client, readId("act", id, LIST));
    const { activation, mergedActivations, answers } = turn;
    if (json) output.json({ ...activation, answers, merged: mergedActivations.map((activation) => activation.id) });
    else {
      output.facts(await describeTurn(client, turn));
      if (activation.steps.length > 0) {
        output.line("");
        output.table(stepHeadings, describeSteps(activation), "");
      }
    }
    return exitCodes.done;
  },
});

const egress = defineCommand({
  summary: "Lists the network requests of an activation",
  needs: "r on the activation's room",
  args: [{ name: "ID" }],
  flags: {},
  details: [
    "Each line is one request: its destination, its outcome, the bytes sent and received (without TLS overhead), and the names of the",
    "secrets that Hearth inserted. A refused request was not sent. Paths are shown without their query string.",
    `TOKENS counts model calls that the agent's programs made through ${MODEL_HOST}. The activation's total includes them.`,
  ].join("\n"),
  examples: [
    "hearth activation egress act_01h2xcejqtf2nbrexx3vqjhp41",
    "hearth activation egress act_01h2xcejqtf2nbrexx3vqjhp41 --json",
  ],
  async run({ connect, json, output, terminal }, _flags, [id = ""]) {
    const client = await connect();
    const entries = await client.activations.egress(readId("act", id, LIST));
    if (json) output.json(entries);
    else {
      const now = terminal.now();
      output.table(
        ["WHEN", "OUTCOME", "REQUEST", "SENT", "RECEIVED", "TOKENS", "SECRETS", "WHY"],
        entries.map((entry) => [
          formatAge(entry.at, now),
          entry.status === undefined ? entry.outcome : `${entry.outcome} ${entry.status}`,
          `${entry.method ?? "CONNECT"} ${entry.host}:${entry.port}${entry.path ?? ""}`,
          String(entry.sentBytes),
          String(entry.receivedBytes),
          entry.usage === undefined ? "" : describeUsage(entry.usage),
          entry.secrets.join(", "),
          entry.why ?? "",
        ]),
        "The activation made no network requests.",
      );
    }
    return exitCodes.done;
  },
});

const stop = defineCommand({
  summary: "Stops an activation",
  needs: "w on the activation's room",
  args: [{ name: "ID" }],
  flags: {},
  details: "When this command returns, the activation no longer runs. An activation that has ended is not changed.",
  examples: ["hearth activation stop act_01h2xcejqtf2nbrexx3vqjhp41"],
  async run({ connect, json, output }, _flags, [id = ""]) {
    const client = await connect();
    const activation = await client.activations.stop(readId("act", id, LIST));
    if (json) output.json(activation);
    else output.line(`${activation.id} is ${activation.state}`);
    return exitCodes.done;
  },
});

/**
 * Returns the bots whose activations the caller may read. A caller who sees a bot in a room may not
 * be allowed to read its activations.
 */
const findReadableBots = async (client: Client): Promise<readonly AgentRecord[]> => {
  const [agents, me] = await Promise.all([client.agents.list(), client.me()]);
  const levels = new Map(me.permissions.map(({ on, level }) => [on, level]));
  return agents.filter(
    ({ id, house, content }) => content.kind === "bot" && (id === me.agent.id || includesLevel(levels.get(house), "r")),
  );
};

/** Returns the reason for the activation's state, for the list. */
const noteOf = (activation: Activation): string => {
  if (activation.state === "waiting") return "Waiting for a person's decision.";
  if (activation.retryAt !== undefined)
    return `retries at ${localTime(activation.retryAt)}: ${describeReason(activation) ?? ""}`;
  if (activation.retriedBy !== undefined)
    return `retried as ${activation.retriedBy}: ${describeReason(activation) ?? ""}`;
  if (activation.mergedInto !== undefined) return `answered by ${activation.mergedInto}`;
  return describeReason(activation) ?? "";
};

const formatRunTime = ({ startedAt, endedAt }: Activation): string =>
  startedAt === undefined || endedAt === undefined ? "" : formatDuration(endedAt - startedAt);

export const activation: Group = {
  kind: "group",
  summary: "Lists, explains and stops the runs of agents",
  verbs: { list, show, egress, stop },
};
