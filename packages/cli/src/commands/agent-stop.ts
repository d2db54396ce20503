/** `hearth agent stop` and `hearth agent resume`: stops and resumes one agent. */
import type { Client } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { countWaiting, describeWaiting } from "../show/stopped.ts";
import { UsageError } from "../args/usage-error.ts";

export const stop = defineCommand({
  summary: "Stops an agent until it is resumed",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }],
  flags: {},
  details: [
    "When this command returns, no turn of the agent is running. The agent starts no turn, even after a restart, until: hearth agent resume AGENT",
    "Messages to the agent are queued. To stop all agents: hearth stop-all. To stop one turn only: hearth activation stop ID.",
    "To stop the daemon: hearth stop",
  ].join("\n"),
  examples: ["hearth agent stop main"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const client = await connect();
    const { id, handle } = await findBot(client, name);
    const hold = await client.agents.stop(id);
    const waitingCount = await countWaiting(client, id);
    if (json) output.json({ ...hold, waiting: waitingCount });
    else {
      output.line(`@${safeLine(handle)} is stopped; ${describeWaiting(waitingCount)}`);
      output.note(`To resume: hearth agent resume ${safeLine(handle)}`);
    }
    return exitCodes.done;
  },
});

export const resume = defineCommand({
  summary: "Resumes a stopped agent",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }],
  flags: {},
  details: "The agent answers the queued messages. To end a stop of all agents: hearth resume-all",
  examples: ["hearth agent resume main"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const client = await connect();
    const { id, handle } = await findBot(client, name);
    const wasStopped = await client.agents.resume(id);
    const isHeld = (await client.stops.list()).some(({ scope }) => scope === "house");
    if (json) output.json({ resumed: wasStopped, stopped: isHeld });
    else {
      output.line(`@${safeLine(handle)} ${wasStopped ? "is resumed" : "was not stopped individually"}`);
      if (isHeld) output.note("All agents are still stopped. To resume them: hearth resume-all");
    }
    return exitCodes.done;
  },
});

const findBot = async (client: Client, name: string): Promise<AgentRecord> => {
  const agent = await client.agents.get(name);
  if (agent.content.kind === "bot") return agent;
  throw new UsageError(`${safeLine(agent.content.name)} is a person; only bots can be stopped and resumed.`);
};
