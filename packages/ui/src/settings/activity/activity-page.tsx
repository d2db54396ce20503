/** The activity of an agent or a room, newest first, each run with its outcome and reason. */
import { type Activation, ActivationState, type AgentRecord, type RoomRecord, SkipReason } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Field, Select } from "../../design/field.tsx";
import { useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { ActivityRow } from "./activity-row.tsx";
import { outcomeWords, skipTitles } from "./activity-words.ts";
import { pathOfRoom } from "../place.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { UpLink } from "../form/up-link.tsx";
import { useInterval } from "../../house/interval.ts";
import * as texts from "./text.ts";

export type ActivityPageProps = { readonly subject: AgentRecord | RoomRecord };

const PAGE_SIZE = 50;
const MAX_ITEMS = 1000;
const POLL_INTERVAL_MS = 5000;

export const ActivityPage = ({ subject }: ActivityPageProps) => {
  const { client } = useUi();
  const [outcome, setOutcome] = useState<ActivationState>();
  const [skip, setSkip] = useState<SkipReason>();
  const [limit, setLimit] = useState(PAGE_SIZE);
  const { id, type } = subject;
  const request = useRequest(
    useCallback(() => {
      const query = {
        limit,
        ...(outcome === undefined ? {} : { state: outcome }),
        ...(skip === undefined ? {} : { skip }),
      };
      return type === "agent" ? client.agents.activations(id, query) : client.rooms.activations(id, query);
    }, [client, id, type, outcome, skip, limit]),
  );
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <>
      {/* The activity of an agent is a tab of its page. */}
      {type === "agent" ? undefined : <UpLink to={pathOfRoom(subject.handle)}>{subject.content.name}</UpLink>}
      <Section title={texts.activityOf(subject.content.name)} text={texts.oneLinePerRun}>
        <div className={styles.pair}>
          <Field label={texts.outcome}>
            {(ids) => (
              <Select
                {...ids}
                value={outcome ?? ""}
                onChange={({ target }) => {
                  setOutcome(ActivationState.options.find((option) => option === target.value));
                  if (target.value !== "skipped") setSkip(undefined);
                }}
              >
                <option value="">{texts.all}</option>
                {ActivationState.options.map((option) => (
                  <option key={option} value={option}>
                    {outcomeWords[option]}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <ReasonField
            value={skip}
            onChange={(reason) => {
              setSkip(reason);
              if (reason !== undefined) setOutcome("skipped");
            }}
          />
        </div>
        <RequestView request={request}>
          {(activations) => <ActivityList activations={activations} shouldShowAgent={type === "room"} />}
        </RequestView>
        {request.value?.length === limit && limit < MAX_ITEMS ? (
          <div className={styles.buttons}>
            <Button onClick={() => setLimit(Math.min(MAX_ITEMS, limit * 4))}>{texts.showMore}</Button>
          </div>
        ) : undefined}
      </Section>
    </>
  );
};

interface ReasonFieldProps {
  readonly value: SkipReason | undefined;
  readonly onChange: (reason: SkipReason | undefined) => void;
}

const ReasonField = ({ value, onChange }: ReasonFieldProps) => (
  <Field label={texts.reasonForNoReply}>
    {(ids) => (
      <Select
        {...ids}
        value={value ?? ""}
        onChange={({ target }) => onChange(SkipReason.options.find((option) => option === target.value))}
      >
        <option value="">{texts.anyReason}</option>
        {SkipReason.options.map((option) => (
          <option key={option} value={option}>
            {skipTitles[option]}
          </option>
        ))}
      </Select>
    )}
  </Field>
);

export interface ActivityListProps {
  readonly activations: readonly Activation[];
  readonly shouldShowAgent: boolean;
}

export const ActivityList = ({ activations, shouldShowAgent }: ActivityListProps) =>
  activations.length === 0 ? (
    <p className={styles.quiet}>{texts.noRunsMatch}</p>
  ) : (
    <ul className={styles.list}>
      {activations.map((activation) => (
        <li key={activation.id}>
          <ActivityRow activation={activation} shouldShowAgent={shouldShowAgent} />
        </li>
      ))}
    </ul>
  );
