/** Lists the jobs that the turn may see, with the label of their text. */
import { joinLabels, type Label } from "@hearth/protocol";
import { MADE } from "./call.ts";
import { jobsInScope } from "./job-scope.ts";
import { tellJob } from "./job-words.ts";
import type { RunHostTool } from "./tool.ts";

const MAX_LISTED = 100;

export const listTasks: RunHostTool<"list_tasks"> = async (_input, call, parts) => {
  const all = await jobsInScope(call, parts);
  const shown = all.slice(0, MAX_LISTED);
  const lines = shown.map(tellJob);
  const more = all.length - shown.length;
  return {
    text: [
      ...(lines.length === 0 ? ["Nothing is scheduled."] : lines),
      ...(more === 0 ? [] : [`[and ${more} more]`]),
    ].join("\n"),
    failed: false,
    label: shown.reduce<Label>((joined, { label }) => joinLabels(joined, label), MADE),
  };
};
