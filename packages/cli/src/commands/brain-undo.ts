/**
 * `hearth brain undo` and `erase`: reverts changes of a brain, and removes text from all its
 * versions.
 */
import type { EraseBrain, UndoBrain } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { countOf } from "../show/count.ts";
import { safeText } from "../show/safe-text.ts";
import { UsageError } from "../args/usage-error.ts";
import { readWhen } from "../args/when.ts";

const ADMIN_NEEDS = "x on the agent's house";

export const undo = defineCommand({
  summary: "Reverts a change, all changes of an activation, or all changes since a time",
  needs: ADMIN_NEEDS,
  args: [{ name: "AGENT" }, { name: "CHANGE", optional: true }],
  flags: {
    activation: { kind: "text", value: "ID", summary: "revert every change of this activation" },
    since: { kind: "text", value: "WHEN", summary: "revert every change since then: 2h, 2026-01-31, 2026-01-31T08:30" },
  },
  details:
    "Reverts all of these changes, or none. The revert is itself a change: undo that change to restore the former state.",
  examples: [
    "hearth brain undo main chg_01m80gjhbw6h6gx4tc8bhchw80",
    "hearth brain undo main --activation act_01m80gjhbw6h6gx4tc8bhchw80",
    "hearth brain undo main --since 2h",
  ],
  async run({ connect, json, output, terminal }, { activation, since }, [agent = "", change]) {
    const targets: UndoBrain[] = [
      ...(change === undefined ? [] : [{ change: readId("chg", change, `hearth brain log ${agent}`) }]),
      ...(activation === undefined
        ? []
        : [{ activation: readId("act", activation, `hearth activation list ${agent}`) }]),
      ...(since === undefined ? [] : [{ since: readWhen("--since", since, terminal.now()) }]),
    ];
    const [target] = targets;
    if (target === undefined || targets.length > 1)
      throw new UsageError(
        "Give exactly one of CHANGE, --activation and --since.",
        "To list changes: hearth brain log AGENT",
      );
    const outcome = await (await (await connect()).brains()).undo(agent, target);
    if (json) output.json(outcome);
    else {
      const { change: undoChange, erased } = outcome;
      if (undoChange === undefined) output.note("Nothing to undo: the files are already in that state.");
      else
        output.line(`undone: ${undoChange.id} (${undoChange.versions.map(({ path }) => safeText(path)).join(", ")})`);
      for (const path of erased) output.note(`Erased text in ${safeText(path)} was not restored.`);
    }
    return exitCodes.done;
  },
});

export const erase = defineCommand({
  summary: "Removes text permanently from files and from every version",
  needs: ADMIN_NEEDS,
  args: [{ name: "AGENT" }],
  flags: {
    source: { kind: "text", value: "SOURCE", summary: "erase every line from this source; `brain show` lists sources" },
    path: { kind: "text", value: "PATH", summary: "erase a file and all its versions" },
    line: { kind: "text", value: "TEXT", summary: "erase this line wherever it occurs" },
  },
  details: "Erased text cannot be restored. Messages in rooms are not erased.",
  examples: [
    "hearth brain erase main --source https://example.org/page",
    "hearth brain erase main --path memory/2026-01-31.md",
    'hearth brain erase main --line "Ana lives in Rome."',
  ],
  async run({ connect, json, output }, { source, path, line }, [agent = ""]) {
    const targets: EraseBrain[] = [
      ...(source === undefined ? [] : [{ source }]),
      ...(path === undefined ? [] : [{ path }]),
      ...(line === undefined ? [] : [{ lines: [line] }]),
    ];
    const [target] = targets;
    if (target === undefined || targets.length > 1)
      throw new UsageError(
        "Give exactly one of --source, --path and --line.",
        "For examples: hearth brain erase --help",
      );
    const outcome = await (await (await connect()).brains()).erase(agent, target);
    if (json) output.json(outcome);
    else if (outcome.change === undefined) output.note("Nothing to erase: no match was found.");
    else
      output.line(
        `erased from ${countOf(outcome.files.length, "file")} and ${countOf(outcome.versions, "version")}: ${outcome.change.id}`,
      );
    return exitCodes.done;
  },
});
