/** Starts, pauses, resumes and deletes one job, and announces each success. */
import { observe } from "@hearth/client";
import type { AgentRecord, Job } from "@hearth/protocol";
import { useAnnounce } from "../design/announcer.tsx";
import { useUi } from "../house/ui.tsx";
import { useSubmission } from "../house/use-submission.ts";
import * as texts from "./text.ts";

export interface JobControls {
  readonly isBusy: boolean;
  readonly error: ReturnType<typeof useSubmission>["error"];
  /** Whether the job does not run: a person paused it, or it was halted after failures. */
  readonly isResting: boolean;
  readonly start: () => void;
  /** Pauses the job, or resumes it if it is paused or halted. */
  readonly toggle: () => void;
  readonly remove: () => void;
}

export const useJobControls = (agent: AgentRecord, { name, status }: Job, onChange: () => void): JobControls => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const isResting = status === "paused" || status === "halted";

  const run = async (
    announcement: string,
    request: (jobs: Awaited<ReturnType<typeof client.jobs>>) => Promise<unknown>,
  ) => {
    const isDone = await submission.run(async () => void (await request(await client.jobs())));
    if (!isDone) return;
    announce(announcement);
    onChange();
  };

  return {
    isBusy: submission.isBusy,
    error: submission.error,
    isResting,
    start: () => observe(run(texts.started(name), (jobs) => jobs.run(agent.id, name))),
    toggle: () =>
      observe(
        run(isResting ? texts.resumed(name) : texts.paused(name), (jobs) =>
          jobs.edit(agent.id, name, { paused: !isResting }),
        ),
      ),
    remove: () => observe(run(texts.deleted(name), (jobs) => jobs.cancel(agent.id, name))),
  };
};
