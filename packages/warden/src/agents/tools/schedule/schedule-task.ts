/**
 * Creates a job for the person whom the turn serves. The job runs in the room where the person
 * asked, with no more rights than the person and the agent have.
 */
import { createRoomName, findRoomByName } from "../../../people/index.ts";
import { type AddJob, type AgentRecord, includesLevel } from "@hearth/protocol";
import type { ToolInput } from "@hearth/protocol/tools";
import type { HostCall } from "../call.ts";
import { turnAuthorOf, personOf } from "./job-scope.ts";
import { toFailedOutcome, describeChange, describeTimes } from "./job-words.ts";
import type { ScheduleParts } from "../parts.ts";
import { failedOutcome, type RunHostTool } from "../tool.ts";

type TaskInput = ToolInput<"schedule_task">;

export const scheduleTask: RunHostTool<"schedule_task", ScheduleParts> = async (input, call, parts) => {
  const person = await personOf(call, parts);
  if (person === undefined) return failedOutcome("Only a person can ask for a job, and no person asked in this turn.");
  const room = await roomFor(input, person, call, parts);
  if ("problem" in room) return failedOutcome(room.problem);
  try {
    const { name, proposal, ...times } = await parts.jobs.add(
      call.agent,
      toJob(input, room.jobRoom, person, nameFor(input, call, parts)),
      turnAuthorOf(call),
    );
    return describeChange(call, `It is scheduled as ${name}: ${describeTimes(times)}. ${room.notice}`, proposal);
  } catch (error) {
    return toFailedOutcome(error);
  }
};

const toJob = (
  { name: _name, room: _room, prompt, zone, ...times }: TaskInput,
  room: string | undefined,
  person: AgentRecord,
  name: string,
): AddJob => {
  const timezone = zone ?? person.content.timezone;
  return {
    ...times,
    name,
    prompt: prompt.toWellFormed(),
    ...(room === undefined ? {} : { room }),
    ...(timezone === undefined ? {} : { zone: timezone }),
  };
};

const NAME_LENGTH = 24;
const KEY_LENGTH = 6;

/**
 * Returns the job's name, derived from the prompt and the step, so that a repeated step gives the
 * same name.
 */
const nameFor = ({ name, prompt }: TaskInput, { activation, step }: HostCall, { world }: ScheduleParts): string => {
  if (name !== undefined) return name;
  const slug = prompt
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, NAME_LENGTH)
    .replace(/^-+|-+$/g, "");
  const key = world.ids.derive("evt", "schedule-task", activation.id, String(step)).slice(-KEY_LENGTH);
  return slug === "" ? `task-${key}` : `${slug}-${key}`;
};

type RoomChoice =
  | {
      /** The id of the job's room. It is absent for the direct room of the person and the agent. */
      readonly jobRoom: string | undefined;
      readonly notice: string;
    }
  | { readonly problem: string };

/**
 * Returns the turn's room by default. Another room is possible only in a turn with a private
 * audience, and only if both the person and the agent may write in that room.
 */
const roomFor = async (
  { room: name }: TaskInput,
  person: AgentRecord,
  call: HostCall,
  parts: ScheduleParts,
): Promise<RoomChoice> => {
  const { records } = parts;
  const { activation, agent, audience } = call;
  const turnRoom = await records.find("room", activation.room);
  const room = name === undefined ? turnRoom : await findRoomByName(records, agent, name);
  if (room === undefined) return { problem: `There is no room ${JSON.stringify(name)} that both of you may write in.` };
  if (room.id !== turnRoom?.id) {
    if (audience !== "private") return { problem: "In a shared room, you can schedule jobs for that room only." };
    for (const id of [person.id, agent.id])
      if (!includesLevel(await parts.levelOf({ agent: id }, room.id), "w"))
        return { problem: `There is no room ${JSON.stringify(name)} that both of you may write in.` };
  }
  const roomText = room.id === turnRoom?.id ? "here" : `in ${await createRoomName(parts)(room)}`;
  const notice = `Your answer will be posted ${roomText}.`;
  const { kind, members = [] } = room.content;
  const isDirect = kind === "direct" && [person.id, agent.id].every((id) => members.includes(id));
  return { jobRoom: isDirect ? undefined : room.id, notice };
};
