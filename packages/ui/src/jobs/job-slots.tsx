/** Run history of a job, newest first. Each run shows its outcome and reason, and expands to its activation. */
import type { AgentRecord, JobSlot } from "@hearth/protocol";
import { useCallback, useId, useState } from "react";
import { Button } from "../design/button.tsx";
import { classes } from "../design/classes.ts";
import { plainWords } from "../design/error-words.ts";
import { Icon } from "../design/icon.tsx";
import { useRequest } from "../house/request.ts";
import { RequestView } from "../house/request-view.tsx";
import { useInterval } from "../house/interval.ts";
import { formatFull, Time } from "../house/time.tsx";
import { useUi } from "../house/ui.tsx";
import activityStyles from "../settings/activity/activity.module.css";
import { ActivityDetail } from "../settings/activity/activity-row.tsx";
import { describeFate, formatSlotTime } from "./job-words.ts";
import styles from "./jobs.module.css";
import * as texts from "./text.ts";

const PAGE_SIZE = 10;
const MAX_ITEMS = 1000;
const POLL_INTERVAL_MS = 5000;

export const JobSlots = ({ agent: { id }, name }: { readonly agent: AgentRecord; readonly name: string }) => {
  const { client } = useUi();
  const [limit, setLimit] = useState(PAGE_SIZE);
  const request = useRequest(
    useCallback(async () => (await client.jobs()).slots(id, name, { limit }), [client, id, name, limit]),
  );
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <section className={styles.part} aria-label={texts.runHistoryOf(name)}>
      <RequestView request={request}>{(slots) => <SlotList slots={slots} />}</RequestView>
      {request.value !== undefined && request.value.length === limit && limit < MAX_ITEMS ? (
        <p>
          <Button size="small" onClick={() => setLimit(Math.min(MAX_ITEMS, limit * 5))}>
            {texts.showMore}
          </Button>
        </p>
      ) : undefined}
    </section>
  );
};

export const SlotList = ({ slots }: { readonly slots: readonly JobSlot[] }) =>
  slots.length === 0 ? (
    <p className={styles.quiet}>{texts.noRunsYet}</p>
  ) : (
    <ol className={styles.list}>
      {slots.map((slot) => (
        <li key={`${slot.slot} ${String(slot.byHand)}`}>
          <SlotRow slot={slot} />
        </li>
      ))}
    </ol>
  );

const SlotRow = ({ slot }: { readonly slot: JobSlot }) => {
  const [isOpen, setOpen] = useState(false);
  const detail = useId();
  const { activation } = slot;
  const summary = (
    <>
      <span className={styles.about}>
        <span className={classes(styles.fate, slot.fate === "failed" && styles.failed)}>{describeFate(slot)}</span>
        <span className={styles.quiet}>{plainWords(slot.reason)}</span>
      </span>
      <span className={styles.quiet} title={formatFull(slot.slot)}>
        {formatSlotTime(slot.slot)}
      </span>
    </>
  );
  if (activation === undefined) return <div className={styles.slot}>{summary}</div>;
  return (
    <>
      <button
        type="button"
        className={classes(styles.slot, styles.unfolds)}
        aria-expanded={isOpen}
        aria-controls={isOpen ? detail : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {summary}
        <span className={classes(activityStyles.chevron, isOpen && activityStyles.open)}>
          <Icon name="chevron" />
        </span>
      </button>
      {isOpen ? (
        <div id={detail} className={styles.detail}>
          <SlotActivation id={activation} endedAt={slot.endedAt} />
        </div>
      ) : undefined}
    </>
  );
};

/** The activation of a run: its prompt, its steps and a link to its reply. */
const SlotActivation = ({
  id,
  endedAt,
}: {
  readonly id: NonNullable<JobSlot["activation"]>;
  readonly endedAt: number | undefined;
}) => {
  const { client } = useUi();
  const request = useRequest(useCallback(() => client.activations.get(id), [client, id]));
  const { reload } = request;
  useInterval(
    POLL_INTERVAL_MS,
    useCallback(() => {
      if (endedAt === undefined) reload();
    }, [endedAt, reload]),
  );
  return (
    <>
      {endedAt === undefined ? undefined : (
        <p className={styles.quiet}>
          {texts.finished} <Time at={endedAt} style="relative" />
        </p>
      )}
      <RequestView request={request}>{(activationDetail) => <ActivityDetail detail={activationDetail} />}</RequestView>
    </>
  );
};
