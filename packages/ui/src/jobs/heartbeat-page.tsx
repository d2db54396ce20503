/** The heartbeat page of an agent: settings, next check and run history. */
import {
  type AgentRecord,
  hasChecklistContent,
  HEARTBEAT,
  HEARTBEAT_PATH,
  isHeartbeat,
  type Job,
} from "@hearth/protocol";
import { useCallback } from "react";
import { Link } from "wouter";
import { pathOfFile } from "../brain/place.ts";
import { Notice } from "../design/notice.tsx";
import { useRequest } from "../house/request.ts";
import { RequestView } from "../house/request-view.tsx";
import { useInterval } from "../house/interval.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { Section } from "../settings/form/section.tsx";
import { toVisible } from "../text/visible.tsx";
import { HeartbeatForm, type HeartbeatFormProps } from "./heartbeat-form.tsx";
import { describeNext } from "./heartbeat-words.ts";
import { JobButtons } from "./job-detail.tsx";
import { JobSlots } from "./job-slots.tsx";
import styles from "./jobs.module.css";
import { zoneOf } from "./zone-of.ts";
import * as texts from "./text.ts";

const POLL_INTERVAL_MS = 5000;

export const HeartbeatSection = ({ agent, onChange }: HeartbeatFormProps) => (
  <>
    <Section title={texts.checkInSchedule}>
      <ChecklistNote agent={agent} />
      <HeartbeatForm agent={agent} onChange={onChange} />
    </Section>
    {agent.content.heartbeat === undefined ? undefined : <HeartbeatRuns agent={agent} />}
  </>
);

/** Links to the checklist, and warns if it is empty. */
const ChecklistNote = ({ agent: { id, handle, content } }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const load = useCallback(async () => {
    const brain = await client.brains();
    const { files } = await brain.files(id);
    return (
      files.some(({ path }) => path === HEARTBEAT_PATH) &&
      hasChecklistContent((await brain.read(id, HEARTBEAT_PATH)).text ?? "")
    );
  }, [client, id]);
  const { value } = useRequest(load);
  const list = <Link href={pathOfFile(handle, HEARTBEAT_PATH)}>{HEARTBEAT_PATH}</Link>;
  if (value === false && content.heartbeat !== undefined)
    return (
      <Notice kind="info" title={texts.emptyChecklist}>
        {texts.writeChecklistIn} {list} {texts.inTheBrain}
      </Notice>
    );
  return (
    <p className={styles.quiet}>
      {texts.checklistIsIn} {list} {texts.inTheBrain}
    </p>
  );
};

const HeartbeatRuns = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const { id, version } = agent;
  const load = useCallback(
    async () => (await (await client.jobs()).list(id)).jobs.find(isHeartbeat),
    // The next check changes whenever the record does.
    // oxlint-disable-next-line react/exhaustive-deps
    [client, id, version],
  );
  const request = useRequest(load);
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <Section title={texts.nextCheck}>
      <RequestView request={request}>
        {(job) =>
          job === undefined ? <NotScheduled /> : <HeartbeatState agent={agent} job={job} onChange={request.reload} />
        }
      </RequestView>
    </Section>
  );
};

/**
 * Shown until the first check is scheduled, or while no admin exists who could receive a report.
 */
const NotScheduled = () => <p className={styles.quiet}>{texts.firstCheckNotScheduled}</p>;

export interface HeartbeatStateProps {
  readonly agent: AgentRecord;
  readonly job: Job;
  readonly onChange: () => void;
}

export const HeartbeatState = ({ agent, job, onChange }: HeartbeatStateProps) => {
  const { house } = useHouse();
  const { text, isTrouble } = describeNext(job, agent.content.heartbeat?.hours, zoneOf(agent, house));
  return (
    <>
      {isTrouble ? <Notice kind="danger" title={toVisible(text)} /> : <p role="status">{toVisible(text)}</p>}
      <JobButtons agent={agent} job={job} onChange={onChange} isOfFile={false} />
      <JobSlots agent={agent} name={HEARTBEAT} />
    </>
  );
};
