/** Repairs the database of a home, and says what is lost. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../safe-text.ts";
import { repairAtRest } from "../storage-at-rest.ts";

export const repair = defineCommand({
  summary: "Repairs a damaged database, and says what is lost",
  needs: "nothing but this machine",
  flags: {},
  details: [
    "Stop the house first. The database is copied into the folder `damaged` of the home before anything is changed.",
    "Rows of pages that can be read are kept. A message that is lost is shown as damaged, so that no other message moves.",
    "Afterwards see what else is damaged: hearth doctor --deep",
  ].join("\n"),
  examples: ["hearth repair", "hearth repair --json", "hearth repair --home ~/work-house"],
  async run({ home, json, output }) {
    const report = await repairAtRest(home);
    const { copy, lost, tables } = report;
    if (json) output.json(report);
    else if (copy === null) output.line("Nothing is damaged, so nothing was changed.");
    else {
      output.line(`Repaired. The files as they were: ${safeLine(copy)}`);
      for (const { stream, offset } of lost) output.line(`lost: event ${offset} of ${safeLine(stream)}`);
      for (const { table, kept, damagedPages } of tables)
        output.line(`table ${table}: ${damagedPages} damaged page${damagedPages === 1 ? "" : "s"}, ${kept} rows kept`);
      if (lost.length === 0) output.line("No message or other event is lost.");
    }
    return exitCodes.done;
  },
});
