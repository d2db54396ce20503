/** What of an agent's workspace holds text of others, and a person's word that it may be believed. */
import { type Label, WHOLE_WORKSPACE } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeText } from "../safe-text.ts";

export const labels = defineCommand({
  summary: "Lists what of an agent's workspace holds text of others",
  needs: "x on the agent's house, or to be it",
  args: [{ name: "AGENT" }],
  flags: {},
  details: `A path counts for all below it; \`${WHOLE_WORKSPACE}\` is the whole workspace. Whoever reads it does unasked only what the owner aimed.`,
  examples: ["hearth brain labels main"],
  async run({ connect, json, output }, _flags, [agent = ""]) {
    const found = await (await (await connect()).brains()).labels(agent);
    if (json) output.json(found);
    else
      output.table(
        ["PATH", "COUNTS AS", "FROM"],
        found.map(({ path, label }) => [path, label.integrity, label.sources.join(", ")]),
        "All of its workspace counts as the owner's.",
      );
    return exitCodes.done;
  },
});

export const clearLabels = defineCommand({
  summary: "Says that a file or folder of an agent's workspace may be believed",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }, { name: "PATH" }],
  flags: {},
  details: `Look at what lies there first. \`${WHOLE_WORKSPACE}\` is the whole workspace. A turn that has read it already stays what it is.`,
  examples: ["hearth brain clear-labels main notes/report.md", "hearth brain clear-labels main ."],
  async run({ connect, json, output }, _flags, [agent = "", path = ""]) {
    const cleared = await (await (await connect()).brains()).clearLabels(agent, path);
    if (json) output.json(cleared);
    else {
      if (cleared.paths.length === 0) output.note(`${safeText(path)} has no label of its own.`);
      else output.line(`may be believed: ${cleared.paths.map(safeText).join(", ")}`);
      if (cleared.label.integrity !== "owner") output.note(stillSo(path, cleared.label));
    }
    return exitCodes.done;
  },
});

const stillSo = (path: string, { integrity, sources }: Label): string =>
  `${safeText(path)} still counts as ${integrity}, for a folder above it does (${safeText(sources.join(", "))}): hearth brain labels AGENT`;
