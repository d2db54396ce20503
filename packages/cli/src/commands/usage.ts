/** `hearth usage`: shows what models were used for, by day, agent, model, room or kind. */
import { showMoney, tokensOf, usageDimensions, type UsageGroup, type UsageReport } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";

export const usage = defineCommand({
  summary: "Shows the usage of models by day, agent, model, room or kind",
  needs: "a credential",
  flags: {
    by: {
      kind: "text",
      value: "WHAT",
      choices: usageDimensions,
      summary: "what each line stands for: day (default), agent, model, room or kind",
    },
    days: { kind: "number", value: "N", min: 1, max: 366, summary: "the number of days up to --to (default: 30)" },
    from: { kind: "text", value: "DAY", summary: "the first day, such as 2026-11-01" },
    to: { kind: "text", value: "DAY", summary: "the last day (default: today)" },
    agent: { kind: "text", value: "NAME", summary: "only calls of this agent" },
    room: { kind: "text", value: "NAME", summary: "only calls for this room" },
  },
  details: [
    "Covers bots whose house you may read. ESTIMATED is the part of the cost that the provider did not report. The sums are kept for",
    "[retention] usage_days in hearth.toml.",
  ].join("\n"),
  examples: ["hearth usage", "hearth usage --by model --days 7", "hearth usage --by room --agent main --json"],
  async run({ connect, json, output }, { by, days, from, to, agent, room }) {
    const client = await connect();
    const report = await client.usage({
      by: (by ?? "day") as UsageReport["by"],
      ...(days === undefined ? {} : { days }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(agent === undefined ? {} : { agent }),
      ...(room === undefined ? {} : { room }),
    });
    if (json) {
      output.json(report);
      return exitCodes.done;
    }
    output.table(
      [report.by.toUpperCase(), "COST", "IN", "CACHED", "OUT", "CALLS", "ESTIMATED"],
      [...report.groups, { name: "total", total: report.total, days: [] }].map((group) => toRow(group)),
      "No charged calls in these days.",
    );
    if (report.more > 0) output.note(`${report.more} more are counted in the total only.`);
    return exitCodes.done;
  },
});

const toRow = ({ of, name, total }: UsageGroup): readonly string[] => [
  safeLine(name ?? of ?? "none"),
  showMoney(total.money),
  String(tokensOf(total) - total.outputTokens),
  String(total.cacheReadTokens),
  String(total.outputTokens),
  String(total.calls),
  total.estimated.tokens === 0 && total.estimated.money === 0 ? "" : showMoney(total.estimated.money),
];
