/** `hearth brain labels` and `clear-labels`: provenance labels of workspace files. */
import { type Label, WHOLE_WORKSPACE } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeText } from "../show/safe-text.ts";

export const labels = defineCommand({
  summary: "Lists workspace files and folders that hold untrusted text",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "AGENT" }],
  flags: {},
  details: `A folder's label applies to everything in it; \`${WHOLE_WORKSPACE}\` is the whole workspace. A turn that reads such a file needs approval for actions the owner did not request.`,
  examples: ["hearth brain labels main"],
  async run({ connect, json, output }, _flags, [agent = ""]) {
    const pathLabels = await (await (await connect()).brains()).labels(agent);
    if (json) output.json(pathLabels);
    else
      output.table(
        ["PATH", "INTEGRITY", "SOURCES"],
        pathLabels.map(({ path, label }) => [path, label.integrity, label.sources.join(", ")]),
        "No labels: the whole workspace counts as the owner's.",
      );
    return exitCodes.done;
  },
});

export const clearLabels = defineCommand({
  summary: "Marks a file or folder of an agent's workspace as trusted",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }, { name: "PATH" }],
  flags: {},
  details: `Review the content first. \`${WHOLE_WORKSPACE}\` is the whole workspace. A turn that has already read it keeps its taint.`,
  examples: ["hearth brain clear-labels main notes/report.md", "hearth brain clear-labels main ."],
  async run({ connect, json, output }, _flags, [agent = "", path = ""]) {
    const clearedLabels = await (await (await connect()).brains()).clearLabels(agent, path);
    if (json) output.json(clearedLabels);
    else {
      if (clearedLabels.paths.length === 0) output.note(`${safeText(path)} has no label.`);
      else output.line(`trusted: ${clearedLabels.paths.map(safeText).join(", ")}`);
      if (clearedLabels.label.integrity !== "owner") output.note(describeRemaining(path, clearedLabels.label));
    }
    return exitCodes.done;
  },
});

const describeRemaining = (path: string, { integrity, sources }: Label): string =>
  `${safeText(path)} still counts as ${integrity}, because a parent folder does (${safeText(sources.join(", "))}). To see labels: hearth brain labels AGENT`;
