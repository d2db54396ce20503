/**
 * `hearth stop-all` and `hearth resume-all`: stops and resumes every agent while the daemon keeps
 * running.
 */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { findStops } from "../show/stopped.ts";

export const stopAll = defineCommand({
  summary: "Stops every agent until resume-all",
  needs: "x on the first house",
  flags: {},
  details: [
    "When this command returns, no agent runs. No agent starts anything, even after a restart, until: hearth resume-all",
    "Messages are queued. To stop one agent: hearth agent stop AGENT. The daemon keeps running; to stop it: hearth stop",
  ].join("\n"),
  examples: ["hearth stop-all", "hearth stop-all --json"],
  async run({ connect, json, output }) {
    const hold = await (await connect()).stopAll();
    if (json) output.json(hold);
    else {
      output.line("all agents are stopped");
      output.note("Messages are queued. To resume: hearth resume-all");
    }
    return exitCodes.done;
  },
});

export const resumeAll = defineCommand({
  summary: "Resumes all agents after stop-all",
  needs: "x on the first house",
  flags: {},
  details: "Agents that were stopped individually stay stopped. To resume one: hearth agent resume AGENT",
  examples: ["hearth resume-all", "hearth resume-all --json"],
  async run({ connect, json, output }) {
    const client = await connect();
    const wasInEffect = await client.resumeAll();
    const agents = await client.agents.list();
    const stops = await findStops(client, agents);
    if (json) output.json({ resumed: wasInEffect, stopped: [...stops.keys()] });
    else {
      output.line(wasInEffect ? "all agents are resumed" : "stop-all was not in effect");
      for (const { id, handle } of agents)
        if (stops.has(id))
          output.note(
            `@${safeLine(handle)} was stopped individually and stays stopped. To resume: hearth agent resume ${safeLine(handle)}`,
          );
    }
    return exitCodes.done;
  },
});
