/** The wake-ups of bots: what they did and how they ended, and stopping one. */
import type { Activation, AgentId } from "@hearth/protocol";
import { type Context, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { ago, localTime, span } from "../time.ts";
import { UsageError } from "../usage-error.ts";

const STATES = ["queued", "running", "replied", "skipped", "failed", "stopped"] as const;

const list = defineCommand({
  summary: "Lists activations, newest first",
  args: [{ name: "AGENT", optional: true }],
  flags: {
    room: { kind: "text", value: "ROOM", summary: "only those in this room" },
    state: { kind: "text", value: "STATE", choices: STATES, summary: `only those that are ${STATES.join(", ")}` },
    trigger: {
      kind: "text",
      value: "TRIGGER",
      choices: ["direct", "mention"],
      summary: "only those woken this way: direct, mention",
    },
    limit: { kind: "number", value: "N", min: 1, max: 1000, summary: "at most this many (default: 20)" },
  },
  details: "Without an agent, those of all bots.",
  examples: [
    "hearth activation list",
    "hearth activation list main --state failed",
    "hearth activation list --room den --limit 5 --json",
  ],
  async run({ connect, json, output, terminal }, { room, state, trigger, limit = 20 }, [agent]) {
    const client = await connect();
    const agents =
      agent === undefined
        ? (await client.agents.list()).filter(({ content }) => content.kind === "bot")
        : [await client.agents.get(agent)];
    const query = {
      limit,
      ...(room === undefined ? {} : { room: (await client.rooms.get(room)).id }),
      ...(state === undefined ? {} : { state: state as (typeof STATES)[number] }),
      ...(trigger === undefined ? {} : { trigger: trigger as "direct" | "mention" }),
    };
    const found = (await Promise.all(agents.map(({ id }) => client.agents.activations(id, query)))).flat();
    const newest = found.sort((one, other) => other.createdAt - one.createdAt).slice(0, limit);
    if (json) output.json(newest);
    else {
      const handles = new Map<AgentId, string>(agents.map(({ id, handle }) => [id, handle]));
      const now = terminal.now();
      output.table(
        ["ID", "AGENT", "STATE", "WHEN", "TOOK", "TOKENS", "WHY"],
        newest.map((activation) => [
          ...[
            activation.id,
            handles.get(activation.agent) ?? activation.agent,
            activation.state,
            ago(activation.createdAt, now),
          ],
          ...[tookOf(activation), tokensOf(activation), reasonOf(activation)],
        ]),
        "No bot was woken yet.",
      );
    }
    return exitCodes.done;
  },
});

const show = defineCommand({
  summary: "Shows an activation and its calls",
  args: [{ name: "ID" }],
  flags: {},
  examples: [
    "hearth activation show act_01h2xcejqtf2nbrexx3vqjhp41",
    "hearth activation show act_01h2xcejqtf2nbrexx3vqjhp41 --json",
  ],
  async run({ connect, json, output }, _flags, [id = ""]) {
    const client = await connect();
    const activation = await client.activations.get(await toActivationId(id));
    if (json) output.json(activation);
    else {
      printActivation(output, activation);
      if (activation.steps.length > 0) {
        output.line("");
        output.table(
          ["STEP", "KIND", "NAME", "STATE", "TOOK"],
          activation.steps.map((step) => [
            ...[String(step.step), step.kind, step.name, step.state],
            step.endedAt === undefined ? "" : span(step.endedAt - step.startedAt),
          ]),
          "",
        );
      }
    }
    return exitCodes.done;
  },
});

const stop = defineCommand({
  summary: "Stops an activation",
  args: [{ name: "ID" }],
  flags: {},
  details: "Nothing of it runs when this is done. One that is over stays as it is.",
  examples: ["hearth activation stop act_01h2xcejqtf2nbrexx3vqjhp41"],
  async run({ connect, json, output }, _flags, [id = ""]) {
    const client = await connect();
    const activation = await client.activations.stop(await toActivationId(id));
    if (json) output.json(activation);
    else output.line(`${activation.id} is ${activation.state}`);
    return exitCodes.done;
  },
});

const toActivationId = async (text: string) => {
  const { ActivationId } = await import("@hearth/protocol");
  const id = ActivationId.safeParse(text);
  if (id.success) return id.data;
  throw new UsageError(`"${text}" is not the id of an activation.`, "They begin with act_: hearth activation list");
};

const printActivation = (output: Context["output"], activation: Activation): void =>
  output.facts([
    ["id", activation.id],
    ["agent", activation.agent],
    ["room", activation.room],
    ["trigger", activation.trigger],
    ["cause", activation.cause],
    ["state", activation.state],
    ["why", reasonOf(activation) === "" ? undefined : reasonOf(activation)],
    ["hint", activation.error?.hint],
    ["model", activation.model],
    ["tokens", tokensOf(activation)],
    ["queued", localTime(activation.createdAt)],
    ["took", tookOf(activation) === "" ? undefined : tookOf(activation)],
  ]);

const reasonOf = ({ error, reason }: Activation): string => error?.message ?? reason ?? "";

const tookOf = ({ startedAt, endedAt }: Activation): string =>
  startedAt === undefined || endedAt === undefined ? "" : span(endedAt - startedAt);

const tokensOf = ({ usage }: Activation): string =>
  `${usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens} in, ${usage.outputTokens} out`;

export const activation: Group = { kind: "group", summary: "Wake-ups of bots", verbs: { list, show, stop } };
