/** What a person is told of a job that failed: in its room, in the agent's name. */
import type { AgentId, EventId, MessageEvent, RoomId } from "@hearth/protocol";

/** Slots that fail in a row until the job halts. */
export const MAX_FAILURES = 5;

/** How long a job is left alone after so many failures in a row. */
const BACK_OFF_MS = [0, 30_000, 60_000, 300_000, 900_000, 3_600_000] as const;
export const backOffMs = (failures: number): number => BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)] ?? 0;

export const failureNotice = (options: {
  readonly room: RoomId;
  readonly agent: AgentId;
  /** As people name it. */
  readonly handle: string;
  readonly job: string;
  readonly reason: string;
  readonly failures: number;
  /** Whether it fails no more until a person mends it. Absent: that goes by how often it failed. */
  readonly isHalted?: boolean;
  readonly at: number;
  readonly causes: readonly EventId[];
}): MessageEvent => {
  const { room, agent, handle, job, reason, failures, at, causes } = options;
  const isHalted = options.isHalted ?? failures >= MAX_FAILURES;
  const then = isHalted
    ? `It failed ${failures === 1 ? "once" : `${failures} times in a row`} and is halted. When it is mended: hearth job resume ${handle} ${job}`
    : `Failed ${failures} of ${MAX_FAILURES} times; then it halts. Try it now: hearth job run ${handle} ${job}`;
  return {
    ...{ type: "message", room, author: agent, at, mentions: [], causes: [...causes] },
    body: { format: "markdown", text: `The job "${job}" failed: ${reason}\n\n${then}` },
  };
};
