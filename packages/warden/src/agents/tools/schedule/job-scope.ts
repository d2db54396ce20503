/**
 * Decides which jobs a turn may see and change: all jobs with the agent's own people, and in a room
 * only the requesting person's jobs in that room.
 */
import { type AgentRecord, type Job, joinLabels, OWNER_LABEL } from "@hearth/protocol";
import { type HostCall, TRUSTED_LABEL } from "../call.ts";
import type { OwnJob, TurnAuthor } from "./jobs.ts";
import type { ScheduleParts } from "../parts.ts";

export const jobsInScope = async (call: HostCall, parts: ScheduleParts): Promise<readonly OwnJob[]> => {
  const jobs = await parts.jobs.list(call.agent);
  if (call.audience === "private") return jobs;
  const areInScope = await Promise.all(jobs.map(({ job }) => belongsToTurn(job, call, parts)));
  return jobs.filter((_, index) => areInScope[index] === true);
};

/** Returns a job in the turn's scope. A job outside the scope counts as missing. */
export const findInScope = async (name: string, call: HostCall, parts: ScheduleParts): Promise<OwnJob | undefined> =>
  (await jobsInScope(call, parts)).find(({ job }) => job.name === name);

/** Returns the person whom the turn serves, or undefined if its jobs can have no owner. */
export const personOf = async (
  { activation }: HostCall,
  { records }: ScheduleParts,
): Promise<AgentRecord | undefined> => {
  const person = await records.find("agent", activation.person);
  return person?.content.kind === "human" ? person : undefined;
};

export const turnAuthorOf = ({ agent, activation, label }: HostCall): TurnAuthor => ({
  agent: agent.id,
  activation: activation.id,
  label: joinLabels(TRUSTED_LABEL, label ?? OWNER_LABEL),
});

const belongsToTurn = async ({ owner, room }: Job, call: HostCall, { records }: ScheduleParts): Promise<boolean> => {
  if (owner !== call.activation.person) return false;
  const roomOfTurn = await records.find("room", call.activation.room);
  if (roomOfTurn === undefined) return false;
  if (room === undefined)
    return roomOfTurn.content.kind === "direct" && roomOfTurn.content.members?.includes(owner) === true;
  return (await records.find("room", room, call.agent.house))?.id === roomOfTurn.id;
};
