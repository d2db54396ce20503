/** One job: what it is and how it stands on one line, and, unfolded, what it does, its buttons, its webhook and its times. */
import { type AgentRecord, HEARTBEAT, type Job } from "@hearth/protocol";
import { useId, useState } from "react";
import { Link } from "wouter";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { ConfirmDialog } from "../design/dialog.tsx";
import { Icon } from "../design/icon.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import activityStyles from "../settings/activity.module.css";
import { pathOfHeartbeat } from "../settings/place.ts";
import { PlainText } from "../text/plain-text.tsx";
import { visible } from "../text/visible.tsx";
import { JobEditor } from "./job-editor.tsx";
import { JobHook } from "./job-hook.tsx";
import { JobSlots } from "./job-slots.tsx";
import { statusWords, tellFate, tellStanding, tellTime } from "./job-words.ts";
import styles from "./jobs.module.css";

export interface JobRowProps {
  readonly agent: AgentRecord;
  readonly job: Job;
  readonly onChange: () => void;
}

export const JobRow = ({ agent, job, onChange }: JobRowProps) => {
  const [isOpen, setOpen] = useState(false);
  const detail = useId();
  const { name, status, last } = job;
  return (
    <>
      <button
        type="button"
        className={activityStyles.head}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detail : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.about}>
          <span className={styles.name}>
            {name}
            {status === "active" ? undefined : (
              <span className={classes(styles.status, status === "halted" && styles.failed)}>
                {" "}
                {statusWords[status]}
              </span>
            )}
          </span>
          <span className={styles.quiet}>{visible(tellStanding(job))}</span>
          {last === undefined ? undefined : (
            <span className={classes(styles.quiet, last.fate === "failed" && styles.failed)}>
              {`Last: ${tellFate(last)}, ${tellTime(last.slot)}`}
            </span>
          )}
        </span>
        <span className={classes(activityStyles.chevron, isOpen && activityStyles.open)}>
          <Icon name="chevron" />
        </span>
      </button>
      {isOpen ? (
        <div id={detail} className={styles.detail}>
          <JobDetail agent={agent} job={job} onChange={onChange} />
        </div>
      ) : undefined}
    </>
  );
};

export const JobDetail = ({ agent, job, onChange }: JobRowProps) => {
  const { agents } = useHouse();
  const { name, prompt, owner, room } = job;
  const isOfFile = name !== HEARTBEAT;
  return (
    <>
      <PlainText text={prompt} />
      <p className={styles.quiet}>
        {visible(
          `In the name of ${agents.get(owner)?.content.name ?? "someone who left"}, in ${room ?? "their own room with it"}.`,
        )}
      </p>
      <JobButtons agent={agent} job={job} onChange={onChange} isOfFile={isOfFile} />
      {isOfFile ? (
        <JobHook agent={agent} job={job} onChange={onChange} />
      ) : (
        <p>
          <Link href={pathOfHeartbeat(agent.handle)}>Change when it looks</Link>
        </p>
      )}
      <h3>What became of it</h3>
      <JobSlots agent={agent} name={name} />
    </>
  );
};

/** `isOfFile`: it stands in `cron/jobs.toml`, where it is edited and taken away. */
export const JobButtons = ({ agent, job, onChange, isOfFile }: JobRowProps & { readonly isOfFile: boolean }) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const [isEditing, setEditing] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const { name, status } = job;
  const isResting = status === "paused" || status === "halted";
  const run = async (said: string, what: (jobs: Awaited<ReturnType<typeof client.jobs>>) => Promise<unknown>) => {
    const isDone = await work.run(async () => void (await what(await client.jobs())));
    if (!isDone) return;
    announce(said);
    onChange();
  };
  return (
    <>
      <div className={styles.buttons}>
        <Button
          size="small"
          isBusy={work.isBusy}
          onClick={() => void run(`${name} runs.`, (jobs) => jobs.run(agent.id, name))}
        >
          Run now
        </Button>
        <Button
          size="small"
          isBusy={work.isBusy}
          onClick={() =>
            void run(isResting ? `${name} is taken up again.` : `${name} is paused.`, (jobs) =>
              jobs.edit(agent.id, name, { paused: !isResting }),
            )
          }
        >
          {isResting ? "Resume" : "Pause"}
        </Button>
        {isOfFile ? (
          <>
            <Button size="small" onClick={() => setEditing(true)}>
              Edit
            </Button>
            <Button size="small" kind="danger" isBusy={work.isBusy} onClick={() => setCancelling(true)}>
              Cancel job
            </Button>
          </>
        ) : undefined}
      </div>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <JobEditor
        agent={agent}
        job={job}
        isOpen={isEditing}
        onClose={() => setEditing(false)}
        onSaved={({ understood }) => {
          setEditing(false);
          announce(`Saved: ${visible(understood)}.`);
          onChange();
        }}
      />
      <ConfirmDialog
        title={`Cancel ${name}?`}
        text="It is taken out of the agent's jobs, and its webhook with it. What it fired goes on, and what became of its times stays."
        confirm="Cancel job"
        isDanger
        isOpen={isCancelling}
        onConfirm={() => {
          setCancelling(false);
          void run(`${name} is cancelled.`, (jobs) => jobs.cancel(agent.id, name));
        }}
        onClose={() => setCancelling(false)}
      />
    </>
  );
};
