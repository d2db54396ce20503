/** Resumes a paused or halted job. */
import { byTurn, findInScope } from "./job-scope.ts";
import { noSuchJob, refusal, tellChange, tellTimes } from "./job-words.ts";
import type { RunHostTool } from "./tool.ts";

export const resumeTask: RunHostTool<"resume_task"> = async ({ name }, call, parts) => {
  if ((await findInScope(name, call, parts)) === undefined) return noSuchJob(name);
  try {
    const { proposal, ...times } = await parts.jobs.resume(call.agent, name, byTurn(call));
    return tellChange(call, `${name} is resumed: ${tellTimes(times)}.`, proposal);
  } catch (error) {
    return refusal(error);
  }
};
