/** Converts the heartbeat of an agent's record to a job definition. */
import { HEARTBEAT, HEARTBEAT_OK, HEARTBEAT_PATH, type Heartbeat } from "@hearth/protocol";
import { isNew, type News } from "./heartbeat-news.ts";
import { type JobRow, type JobDefinition, readDefinition } from "../rows.ts";
import { readInterval } from "../terms.ts";

/**
 * Returns the job definition. Its interval counts from when it was set or changed. A pause is
 * stored in the row, because the record has no field for it.
 */
export const toHeartbeatDefinition = (
  { every, room }: Heartbeat,
  row: Pick<JobRow, "terms"> | undefined,
  now: number,
): JobDefinition => {
  const current = row === undefined ? undefined : readDefinition(row);
  const everyMs = readInterval(every);
  const isSame = current?.schedule.kind === "every" && current.schedule.everyMs === everyMs;
  return {
    name: HEARTBEAT,
    prompt: HEARTBEAT_PROMPT,
    context: "isolated",
    catchUp: "once",
    paused: current?.paused ?? false,
    schedule: isSame ? current.schedule : { kind: "every", everyMs, from: now },
    ...(room === undefined ? {} : { room }),
  };
};

const HEARTBEAT_PROMPT = [
  `A heartbeat: look at what ${HEARTBEAT_PATH} lists, and at what is new. Do what it says.`,
  `If a person has to know something, answer with that. If not, answer ${HEARTBEAT_OK} and nothing else.`,
].join(" ");

/**
 * Adds the news to the prompt. Leaves out names that other people chose, because the message is
 * sent in the owner's name.
 */
export const toHeartbeatPrompt = (prompt: string, news: News): string => {
  const { rooms, files, newInboxCount, jobs } = news;
  const messages = [...rooms.values()].reduce((sum, count) => sum + count, 0);
  const lines = [
    ...(messages === 0 ? [] : [`${pluralize(messages, "message")} in ${pluralize(rooms.size, "room")}`]),
    ...(newInboxCount === 0 ? [] : [`${pluralize(newInboxCount, "message")} in your inbox`]),
    ...(files.length === 0 ? [] : [`${pluralize(files.length, "file")} of your brain, changed by others`]),
    ...(jobs.length === 0 ? [] : [`jobs that ended: ${jobs.join(", ")}`]),
  ];
  if (news.isFirst) return `${prompt}\n\nIt is the first one.`;
  return `${prompt}\n\nNew since the last one: ${isNew(news) ? `${lines.join("; ")}.` : "nothing that the house knows of."}`;
};

const pluralize = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`;
