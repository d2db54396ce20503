/** `hearth export`: writes the whole house as plain files. */
import { type ExportReport, resolveLocalFolder, loadExports, showProgress } from "../at-rest/exports-at-rest.ts";
import { defineCommand } from "../command.ts";
import { countOf } from "../show/count.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Output } from "../show/output.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatSize } from "../show/size.ts";

export const exportHouse = defineCommand({
  summary: "Exports the whole house as plain files",
  needs: "access to this machine",
  args: [{ name: "DIR" }],
  flags: {
    credentials: {
      kind: "switch",
      summary: "also export hashes of passwords, API keys, sessions, stored provider keys and the vault's key",
    },
  },
  details: [
    "The house may run. Writes Markdown per room and day for people, JSON lines with every column for programs, brains, long texts and hearth.toml.",
    "Without --credentials the vault is exported encrypted and without its key. Every file is read back before the export counts as complete.",
    "To make a home from it: hearth import hearth DIR --home NEW",
  ].join("\n"),
  examples: [
    "hearth export ~/house-export",
    "hearth export /mnt/usb/house --credentials",
    "hearth export ~/out --json",
  ],
  async run(context, { credentials }, [path = ""]) {
    const { home, json, output } = context;
    const to = resolveLocalFolder(path, context);
    const { exportHome } = await loadExports();
    const onProgress = showProgress(context);
    const report = await exportHome({ home, to, withCredentials: credentials, onProgress });
    if (json) output.json(report);
    else printReport(report, output);
    return exitCodes.done;
  },
});

const printReport = (report: ExportReport, output: Output): void => {
  const { folder, house, files, bytes, rows, stateHash, hasCredentials, remarks } = report;
  output.line(`The export of ${safeLine(house)} is complete and verified: ${safeLine(folder)}`);
  output.line(`  ${countOf(files, "file")}, ${formatSize(bytes)}; ${countOf(rows, "row")}`);
  output.line(`  state hash ${stateHash}`);
  for (const remark of remarks) output.note(`warning: ${safeLine(remark)}`);
  output.note(
    hasCredentials
      ? "The export contains the keys of the house: protect it like the home."
      : "Passwords, keys and sessions are not in it: people set new ones after an import.",
  );
};
