/** The details of one job: its prompt, buttons, webhook and run history. */
import { type AgentRecord, isHeartbeat, type Job } from "@hearth/protocol";
import { useState } from "react";
import { Link } from "wouter";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ConfirmDialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useHouse } from "../house/ui.tsx";
import { pathOfHeartbeat } from "../settings/place.ts";
import { PlainText } from "../text/plain-text.tsx";
import { toVisible } from "../text/visible.tsx";
import { JobEditor } from "./job-editor.tsx";
import { JobHook } from "./job-hook.tsx";
import { JobSlots } from "./job-slots.tsx";
import styles from "./jobs.module.css";
import { useJobControls } from "./use-job-controls.ts";
import * as texts from "./text.ts";

export interface JobDetailProps {
  readonly agent: AgentRecord;
  readonly job: Job;
  readonly onChange: () => void;
}

export const JobDetail = ({ agent, job, onChange }: JobDetailProps) => {
  const { agents } = useHouse();
  const { name, prompt, owner, room } = job;
  const isOfFile = !isHeartbeat(job);
  return (
    <>
      <PlainText text={prompt} />
      <p className={styles.quiet}>
        {toVisible(
          texts.runsOnBehalfOf(agents.get(owner)?.content.name ?? texts.aFormerMember, room ?? texts.theirDirectRoom),
        )}
      </p>
      <JobButtons agent={agent} job={job} onChange={onChange} isOfFile={isOfFile} />
      {isOfFile ? (
        <JobHook agent={agent} job={job} onChange={onChange} />
      ) : (
        <p>
          <Link href={pathOfHeartbeat(agent.handle)}>{texts.editCheckInSchedule}</Link>
        </p>
      )}
      <h3>{texts.runHistory}</h3>
      <JobSlots agent={agent} name={name} />
    </>
  );
};

/**
 * The buttons of a job. `isOfFile`: the job is defined in `cron/jobs.toml`, so it can be edited and
 * deleted.
 */
export const JobButtons = ({ agent, job, onChange, isOfFile }: JobDetailProps & { readonly isOfFile: boolean }) => {
  const announce = useAnnounce();
  const controls = useJobControls(agent, job, onChange);
  const [isEditing, setEditing] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  return (
    <>
      <div className={styles.buttons}>
        <Button size="small" isBusy={controls.isBusy} onClick={controls.start}>
          {texts.runNow}
        </Button>
        <Button size="small" isBusy={controls.isBusy} onClick={controls.toggle}>
          {controls.isResting ? texts.resume : texts.pause}
        </Button>
        {isOfFile ? (
          <>
            <Button size="small" onClick={() => setEditing(true)}>
              {texts.edit}
            </Button>
            <Button size="small" kind="danger" isBusy={controls.isBusy} onClick={() => setCancelling(true)}>
              {texts.deleteJob}
            </Button>
          </>
        ) : undefined}
      </div>
      {controls.error === undefined ? undefined : <ErrorNotice error={controls.error} />}
      <JobEditor
        agent={agent}
        job={job}
        isOpen={isEditing}
        onClose={() => setEditing(false)}
        onSaved={({ understood }) => {
          setEditing(false);
          announce(texts.saved(toVisible(understood)));
          onChange();
        }}
      />
      <ConfirmDialog
        title={texts.deleteJobTitle(job.name)}
        text={texts.deleteJobEffect}
        confirm={texts.deleteJob}
        isDanger
        isOpen={isCancelling}
        onConfirm={() => {
          setCancelling(false);
          controls.remove();
        }}
        onClose={() => setCancelling(false)}
      />
    </>
  );
};
