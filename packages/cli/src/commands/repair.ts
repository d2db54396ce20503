/** `hearth repair`: repairs the database of a home and lists what is lost. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { repairHome } from "../at-rest/storage-at-rest.ts";

export const repair = defineCommand({
  summary: "Repairs a damaged database and lists what is lost",
  needs: "access to this machine",
  flags: {},
  details: [
    "Stop the house first. Before any change, the database is copied to the home's `damaged` folder.",
    "Rows on readable pages are kept. A lost message is shown as damaged, so that the offsets of other messages do not change.",
    "To check for other damage afterwards: hearth doctor --deep",
  ].join("\n"),
  examples: ["hearth repair", "hearth repair --json", "hearth repair --home ~/work-house"],
  async run({ home, json, output }) {
    const report = await repairHome(home);
    const { copy, lost, tables } = report;
    if (json) output.json(report);
    else if (copy === null) output.line("The database is not damaged. Nothing was changed.");
    else {
      output.line(`Repaired. Copy of the damaged files: ${safeLine(copy)}`);
      for (const { stream, offset } of lost) output.line(`lost: event ${offset} of ${safeLine(stream)}`);
      for (const { table, kept, damagedPages } of tables)
        output.line(`table ${table}: ${damagedPages} damaged page${damagedPages === 1 ? "" : "s"}, ${kept} rows kept`);
      if (lost.length === 0) output.line("No message or other event is lost.");
    }
    return exitCodes.done;
  },
});
