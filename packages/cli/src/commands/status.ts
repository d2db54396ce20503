/** How the house does, at a glance. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { ago } from "../time.ts";

export const status = defineCommand({
  summary: "Shows how the house does",
  flags: {},
  examples: ["hearth status", "hearth status --json"],
  async run({ connect, json, output, terminal }) {
    const answer = await (await connect()).status();
    if (json) output.json(answer);
    else {
      const { activations, cells } = answer;
      output.facts([
        ["url", answer.url],
        ["home", answer.home],
        ["version", answer.version],
        ["process", String(answer.pid)],
        ["started", ago(answer.startedAt, terminal.now())],
        ["houses", String(answer.houses)],
        ["rooms", String(answer.rooms)],
        ["agents", String(answer.agents)],
        ["activations", `${activations.running} running, ${activations.queued} queued`],
        [
          "cells",
          cells.length === 0
            ? "none awake"
            : cells.map(({ backend, pid }) => (pid === undefined ? backend : `${backend} (process ${pid})`)).join(", "),
        ],
      ]);
    }
    return exitCodes.done;
  },
});
