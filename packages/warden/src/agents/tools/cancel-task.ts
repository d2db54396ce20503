/** Cancels a job. Its results and past slots stay. */
import { byTurn, findInScope } from "./job-scope.ts";
import { noSuchJob, refusal, tellChange } from "./job-words.ts";
import { type RunHostTool } from "./tool.ts";

export const cancelTask: RunHostTool<"cancel_task"> = async ({ name }, call, parts) => {
  try {
    const isSeen = (await findInScope(name, call, parts)) !== undefined;
    // This call may have cancelled the job before a crash.
    if (!isSeen && (await parts.jobs.list(call.agent)).some(({ job }) => job.name === name)) return noSuchJob(name);
    const { proposal } = await parts.jobs.cancel(call.agent, name, byTurn(call));
    return tellChange(call, `${name} is cancelled.`, proposal);
  } catch (error) {
    return refusal(error);
  }
};
