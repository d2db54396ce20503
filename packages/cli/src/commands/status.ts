/** `hearth status`: shows a summary of the running house. */
import { type AgentRecord, type Hold, durabilityWords } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { formatAge, localTime } from "../show/time.ts";
import { describeReached } from "./budget.ts";

export const status = defineCommand({
  summary: "Shows the status of the house",
  needs: "x on the first house",
  flags: {},
  examples: ["hearth status", "hearth status --json"],
  async run({ connect, json, output, terminal }) {
    const client = await connect();
    const [answer, stops, { budgets }] = await Promise.all([client.status(), client.stops.list(), client.budget()]);
    const reachedBudgets = budgets.filter(({ isReached }) => isReached);
    if (json) {
      const budgetFields = reachedBudgets.length === 0 ? {} : { budgets: reachedBudgets };
      output.json({ ...answer, ...(stops.length === 0 ? {} : { stops }), ...budgetFields });
    } else {
      const agents = stops.length + reachedBudgets.length === 0 ? [] : await client.agents.list();
      const { activations, cells, durability } = answer;
      output.facts([
        ["url", answer.url],
        ["public url", answer.publicUrl],
        ["home", answer.home],
        ["version", answer.version],
        ["process", String(answer.pid)],
        ["started", formatAge(answer.startedAt, terminal.now())],
        ["durability", durability && `${durability}: ${durabilityWords[durability]}`],
        ["houses", String(answer.houses)],
        ["rooms", String(answer.rooms)],
        ["agents", String(answer.agents)],
        ["activations", `${activations.running} running, ${activations.queued} queued`],
        ["stopped", stops.length === 0 ? undefined : stops.map((hold) => describeHold(hold, agents)).join("; ")],
        [
          "budget",
          reachedBudgets.length === 0
            ? undefined
            : reachedBudgets.map((budget) => describeReached(budget, agents)).join("; "),
        ],
        [
          "cells",
          cells.length === 0
            ? "none open"
            : cells.map(({ backend, pid }) => (pid === undefined ? backend : `${backend} (process ${pid})`)).join(", "),
        ],
      ]);
    }
    return exitCodes.done;
  },
});

/** Describes a stop, for example "all agents by Ana since …, until hearth resume-all". */
const describeHold = ({ scope, by, at }: Hold, agents: readonly AgentRecord[]): string => {
  const findAgent = (id: string) => agents.find((agent) => agent.id === id);
  const origin = `by ${findAgent(by)?.content.name ?? by} since ${localTime(at)}`;
  if (scope === "house") return `all agents ${origin}, until: hearth resume-all`;
  const handle = findAgent(scope)?.handle ?? scope;
  return `@${handle} ${origin}, until: hearth agent resume ${handle}`;
};
