/** Pauses a job until it is resumed. */
import { byTurn, findInScope } from "./job-scope.ts";
import { noSuchJob, refusal, tellChange } from "./job-words.ts";
import type { RunHostTool } from "./tool.ts";

export const pauseTask: RunHostTool<"pause_task"> = async ({ name }, call, parts) => {
  if ((await findInScope(name, call, parts)) === undefined) return noSuchJob(name);
  try {
    const { proposal, ...times } = await parts.jobs.pause(call.agent, name, byTurn(call));
    return tellChange(call, `${name} is paused. Its times: ${times.understood}.`, proposal);
  } catch (error) {
    return refusal(error);
  }
};
