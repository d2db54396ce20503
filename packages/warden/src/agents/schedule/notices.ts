/**
 * Writes the notice about a failed job. The notice is sent to the job's room in the agent's name.
 */
import type { AgentId, EventId, MessageEvent, RoomId } from "@hearth/protocol";

/** Number of consecutive failures after which a job halts. */
export const MAX_FAILURES = 5;

/** The backoff after each number of consecutive failures. */
const BACK_OFF_MS = [0, 30_000, 60_000, 300_000, 900_000, 3_600_000] as const;
export const backOffMs = (failures: number): number => BACK_OFF_MS[Math.min(failures, BACK_OFF_MS.length - 1)] ?? 0;

export const failureNotice = (options: {
  readonly room: RoomId;
  readonly agent: AgentId;
  /** The agent's handle. */
  readonly handle: string;
  readonly job: string;
  readonly reason: string;
  readonly failures: number;
  /** Whether the job stays halted until a person corrects it. When absent, the number of failures decides. */
  readonly isHalted?: boolean;
  readonly at: number;
  readonly causes: readonly EventId[];
}): MessageEvent => {
  const { room, agent, handle, job, reason, failures, at, causes } = options;
  const isHalted = options.isHalted ?? failures >= MAX_FAILURES;
  const consequence = isHalted
    ? `It failed ${failures === 1 ? "once" : `${failures} times in a row`} and is halted. To resume it once it is fixed: hearth job resume ${handle} ${job}`
    : `Failed ${failures} of ${MAX_FAILURES} times; then it halts. Try it now: hearth job run ${handle} ${job}`;
  return {
    type: "message",
    room,
    author: agent,
    at,
    mentions: [],
    causes: [...causes],
    body: { format: "markdown", text: `The job "${job}" failed: ${reason}\n\n${consequence}` },
  };
};
