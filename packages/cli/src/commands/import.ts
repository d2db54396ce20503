/** `hearth import`: makes a home of an export. */
import { folderOf, type ImportReport, loadExports, showProgress } from "../at-rest/exports-at-rest.ts";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../show/output.ts";
import { safeLine } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";

/** How many damaged files are printed. `--json` has all. */
const MAX_PRINTED = 20;

export const importHouse = defineCommand({
  summary: "Imports an export into an empty home",
  needs: "access to this machine",
  args: [{ name: "DIR" }],
  flags: {},
  details: [
    "Reads every file first, and imports nothing if one is missing or was changed. The home, --home DIR, must be empty or not exist.",
    "The house then starts on hold: to see the work that it would repeat, hearth restore show. An interrupted import can be run again.",
  ].join("\n"),
  examples: ["hearth import ~/house-export --home ~/house", "hearth import /mnt/usb/house --json"],
  async run(context, _flags, [given = ""]) {
    const { home, json, output } = context;
    const from = folderOf(given, context);
    const { importExport } = await loadExports();
    const outcome = await importExport({ home, from, onProgress: showProgress(context) });
    if (json) output.json(outcome);
    else if (outcome.kind === "imported") print(outcome, output);
    else {
      for (const { path, fault } of outcome.problems.slice(0, MAX_PRINTED)) output.line(`${safeLine(path)}: ${fault}`);
      if (outcome.problems.length > MAX_PRINTED)
        output.line(`and ${outcome.problems.length - MAX_PRINTED} more (--json)`);
      output.failure({
        message: `Nothing was imported: the export ${from} is damaged.`,
        hint: "Make the export again: hearth export DIR",
      });
    }
    return outcome.kind === "imported" ? exitCodes.done : exitCodes.failed;
  },
});

const print = (
  { home, at, house, files, rows, stateHash, hasCredentials, remarks }: ImportReport,
  output: Output,
): void => {
  output.line(`The export of ${safeLine(house)}, made ${localTime(at)}, is imported: ${safeLine(home)}`);
  output.line(`  ${files} files, ${rows} rows, all verified`);
  output.line(`  state hash ${stateHash}, the same as in the export`);
  for (const remark of remarks) output.note(`warning: ${safeLine(remark)}`);
  if (!hasCredentials) output.note("It has no passwords, keys or sessions. To log in after the start: hearth login");
  output.note(`Start it: hearth up --home ${safeLine(home)}`);
  output.note("It starts on hold. To see the work that it would repeat: hearth restore show");
};
