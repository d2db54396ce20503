/** STOP for one agent, and its end. */
import type { Client } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../safe-text.ts";
import { countWaiting, tellWaiting } from "../stopped.ts";
import { UsageError } from "../usage-error.ts";

export const stop = defineCommand({
  summary: "Stops one of them until it is resumed",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }],
  flags: {},
  details: [
    "Nothing of it runs when this is done, and nothing begins, also after a restart, until: hearth agent resume AGENT",
    "Messages to it are taken and wait. For all agents: hearth stop-all. To end one turn alone: hearth activation stop ID.",
    "To end the daemon: hearth stop",
  ].join("\n"),
  examples: ["hearth agent stop main"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const client = await connect();
    const { id, handle } = await findBot(client, name);
    const hold = await client.agents.stop(id);
    const waiting = await countWaiting(client, id);
    if (json) output.json({ ...hold, waiting });
    else {
      output.line(`@${safeLine(handle)} is stopped; ${tellWaiting(waiting)}`);
      output.note(`It goes on with: hearth agent resume ${safeLine(handle)}`);
    }
    return exitCodes.done;
  },
});

export const resume = defineCommand({
  summary: "Lets a stopped one go on",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }],
  flags: {},
  details: "What waited is answered. A stop of all agents ends with: hearth resume-all",
  examples: ["hearth agent resume main"],
  async run({ connect, json, output }, _flags, [name = ""]) {
    const client = await connect();
    const { id, handle } = await findBot(client, name);
    const resumed = await client.agents.resume(id);
    const isHeld = (await client.stops.list()).some(({ scope }) => scope === "house");
    if (json) output.json({ resumed, stopped: isHeld });
    else {
      output.line(`@${safeLine(handle)} ${resumed ? "is resumed" : "was not stopped by itself"}`);
      if (isHeld) output.note("All agents are stopped. They go on with: hearth resume-all");
    }
    return exitCodes.done;
  },
});

const findBot = async (client: Client, name: string): Promise<AgentRecord> => {
  const found = await client.agents.get(name);
  if (found.content.kind === "bot") return found;
  throw new UsageError(`${safeLine(found.content.name)} is a person; only bots are stopped and resumed.`);
};
