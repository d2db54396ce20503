/** STOP for every agent of the house, and its end. The daemon goes on: people are heard, and nothing answers. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../safe-text.ts";
import { findStopped } from "../stopped.ts";

export const stopAll = defineCommand({
  summary: "Stops every agent until resume-all",
  needs: "x on the first house",
  flags: {},
  details: [
    "Nothing of any agent runs when this is done, and nothing begins, also after a restart, until: hearth resume-all",
    "Messages are taken and wait. For one agent: hearth agent stop AGENT. The daemon itself goes on; hearth stop ends it.",
  ].join("\n"),
  examples: ["hearth stop-all", "hearth stop-all --json"],
  async run({ connect, json, output }) {
    const hold = await (await connect()).stopAll();
    if (json) output.json(hold);
    else {
      output.line("all agents are stopped");
      output.note("Messages wait. They go on with: hearth resume-all");
    }
    return exitCodes.done;
  },
});

export const resumeAll = defineCommand({
  summary: "Lets every agent go on after stop-all",
  needs: "x on the first house",
  flags: {},
  details: "Who was stopped one by one stays so: hearth agent resume AGENT",
  examples: ["hearth resume-all", "hearth resume-all --json"],
  async run({ connect, json, output }) {
    const client = await connect();
    const resumed = await client.resumeAll();
    const agents = await client.agents.list();
    const stopped = await findStopped(client, agents);
    if (json) output.json({ resumed, stopped: [...stopped.keys()] });
    else {
      output.line(resumed ? "the agents go on" : "there was no stop of all agents");
      for (const { id, handle } of agents)
        if (stopped.has(id))
          output.note(
            `@${safeLine(handle)} was stopped by itself, and stays so: hearth agent resume ${safeLine(handle)}`,
          );
    }
    return exitCodes.done;
  },
});
