/** `hearth import`: creates a home from an export, and imports the homes of other agents. */
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { findDefaultBot } from "../args/default-bot.ts";
import { UsageError } from "../args/usage-error.ts";
import type { ImportKind, ImportPart } from "@hearth/protocol";
import {
  resolveLocalFolder,
  type ImportReport,
  loadExports,
  loadTakeOver,
  showProgress,
} from "../at-rest/exports-at-rest.ts";
import { type Command, defineCommand, type Group } from "../command.ts";
import { countOf } from "../show/count.ts";
import { exitCodes } from "../exit-codes.ts";
import { createHouseTarget } from "../imports/house-target.ts";
import { withoutAt } from "../show/agent-list.ts";
import type { Output } from "../show/output.ts";
import { safeLine } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";

/** Maximum number of damaged files that are printed. `--json` has all of them. */
const MAX_PRINTED = 20;

const importHearth = defineCommand({
  summary: "Imports an export into an empty home",
  needs: "access to this machine",
  args: [{ name: "DIR" }],
  flags: {},
  details: [
    "Reads every file first, and imports nothing if one is missing or was changed. The home, --home DIR, must be empty or not exist.",
    "The house then starts on hold. To see the work that it would repeat: hearth restore show. An interrupted import can be run again.",
  ].join("\n"),
  examples: ["hearth import hearth ~/house-export --home ~/house", "hearth import hearth /mnt/usb/house --json"],
  async run(context, _flags, [sourcePath = ""]) {
    const { home, json, output } = context;
    const from = resolveLocalFolder(sourcePath, context);
    const { importExport } = await loadExports();
    const outcome = await importExport({ home, from, onProgress: showProgress(context) });
    if (json) output.json(outcome);
    else if (outcome.kind === "imported") printReport(outcome, output);
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

const printReport = (
  { home, at, house, files, rows, stateHash, hasCredentials, remarks }: ImportReport,
  output: Output,
): void => {
  output.line(`The export of ${safeLine(house)}, made ${localTime(at)}, is imported: ${safeLine(home)}`);
  output.line(`  ${countOf(files, "file")}, ${countOf(rows, "row")}, all verified`);
  output.line(`  state hash ${stateHash}, the same as in the export`);
  for (const remark of remarks) output.note(`warning: ${safeLine(remark)}`);
  if (!hasCredentials) output.note("It has no passwords, keys or sessions. To log in after the start: hearth login");
  output.note(`Start it: hearth up --home ${safeLine(home)}`);
  output.note("It starts on hold. To see the work that it would repeat: hearth restore show");
};

/** Creates a command that imports the home of another agent. */
const createAgentImport = (name: ImportKind, title: string, example: string): Command =>
  defineCommand({
    summary: `Imports an agent of ${title}`,
    needs: "x on the agent's house",
    args: [{ name: "PATH" }],
    flags: {
      agent: { kind: "text", value: "AGENT", summary: "the agent that receives it (default: main)" },
      apply: { kind: "switch", summary: "import what the preview shows" },
    },
    details: [
      "Without --apply, only shows what would be imported, changed and left out. PATH is never changed.",
      "Imports persona and memory files, skills, jobs, and conversations as pages that `recall` searches. Keys and tokens are left out.",
      "The earlier versions of a replaced file are kept: hearth brain log AGENT. If you run the command again, it imports only what is missing.",
    ].join("\n"),
    examples: [`hearth import ${name} ${example}`, `hearth import ${name} ${example} --agent helper --apply`],
    async run({ connect, json, output, terminal }, { agent: agentName, apply }, [path = ""]) {
      const folder = resolve(terminal.cwd, path);
      if ((await stat(folder).catch(() => undefined))?.isDirectory() !== true)
        throw new UsageError(`There is no folder ${folder}.`, `Give the home of ${title}: hearth import ${name} PATH`);
      const client = await connect();
      const agent =
        agentName === undefined
          ? findDefaultBot(await client.agents.list(), {
              question: "Several agents could get it.",
              hintPrefix: "--agent",
            })
          : await client.agents.get(withoutAt(agentName));
      const { compareParts, loadReader, takeOver, toListed, toPart } = await loadTakeOver();
      const readItems = await loadReader(name);
      const target = createHouseTarget(client, agent);
      const comparison = await compareParts(target, await Array.fromAsync(readItems(folder), toListed));
      const outcome = apply ? await takeOver({ target, compared: comparison, items: readItems(folder) }) : comparison;
      const parts = outcome.map(toPart);
      if (json) output.json(parts.map(toRow));
      else printParts(parts, apply, output);
      return parts.some(({ fate }) => fate === "failed") ? exitCodes.failed : exitCodes.done;
    },
  });

const toRow = ({ kind, from, to = "", fate, why }: ImportPart) => ({
  kind,
  from,
  to: kind === "job" || kind === "channel" ? `${kind} ${to}` : to,
  fate,
  why,
});

const printParts = (parts: readonly ImportPart[], isApplied: boolean, output: Output): void => {
  output.table(
    ["FROM", "TO", "", "DETAIL"],
    parts.map(toRow).map(({ from, to, fate, why }) => [from, to, fate, why ?? ""]),
    "Nothing was found there.",
  );
  const count = (...fates: readonly ImportPart["fate"][]): number =>
    parts.filter(({ fate }) => fates.includes(fate)).length;
  const otherCounts = `${count("same")} already there, ${count("left")} left out, ${count("failed")} failed`;
  if (isApplied) output.note(`${count("new", "replaces")} imported, ${otherCounts}.`);
  else
    output.note(
      `${count("new", "replaces")} to import, ${otherCounts}. Nothing was changed. To import them: add --apply`,
    );
};

export const importGroup: Group = {
  kind: "group",
  summary: "Imports an export of Hearth, or an agent of another program",
  verbs: {
    hearth: importHearth,
    openclaw: createAgentImport("openclaw", "OpenClaw", "~/.openclaw"),
    hermes: createAgentImport("hermes", "Hermes Agent", "~/.hermes"),
    "claude-code": createAgentImport("claude-code", "Claude Code", "~/.claude"),
  },
};
