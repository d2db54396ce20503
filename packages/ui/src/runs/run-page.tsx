/**
 * The page of one run: a summary, the reply with its likely sources, a timeline of everything it
 * did, and the sources it read.
 */
import { type ActivationDetail, ActivationId, fromErrorBody, isZeroUsage } from "@hearth/protocol";
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from "react";
import { Link } from "wouter";
import { PageHeader } from "../design/page-header.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useRequest } from "../house/request.ts";
import { RequestView } from "../house/request-view.tsx";
import { useInterval } from "../house/interval.ts";
import { mayApprove, mayIn } from "../house/may.ts";
import { brainPath, roomPath } from "../house/paths.ts";
import { roomTitle } from "../house/room-title.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { showMoney } from "../language/text.ts";
import { describeOutcome, describeReason, formatTokens, triggerWords } from "../settings/activity/activity-words.ts";
import { pathOfAgent } from "../settings/place.ts";
import { toVisible } from "../text/visible.tsx";
import styles from "./run.module.css";
import { RunChanges } from "./run-changes.tsx";
import { RunReply } from "./run-reply.tsx";
import { RunSources } from "./run-sources.tsx";
import { RunTimeline } from "./run-timeline.tsx";
import { modelsOf, type RunRecord, secretsOf, withModelNames } from "./timeline.ts";
import * as texts from "./text.ts";

/** Refresh interval while the run is active. */
const POLL_INTERVAL_MS = 2000;
/** Maximum number of changes that the page lists. */
const MAX_CHANGES = 50;

export interface RunPageProps {
  /** The id of the run, from the path of the page. */
  readonly run: string;
}

export const RunPage = ({ run }: RunPageProps) => (
  <div className={styles.page}>
    <div className={styles.column}>
      <PageHeader title={texts.run} />
      <LoadedRun id={ActivationId.parse(run)} />
    </div>
  </div>
);

const LoadedRun = ({ id }: { readonly id: ActivationId }) => {
  const { client } = useUi();
  const { me, agents } = useHouse();
  const canDecide = mayApprove(me);
  // The request does not depend on the agents, because each change of one would repeat it.
  const latestContext = useRef({ me, agents });
  useEffect(() => {
    latestContext.current = { me, agents };
  });
  const loadRecord = useCallback(async (): Promise<RunRecord> => {
    const listApprovals = async () => (canDecide ? (await client.approvals()).list({ activation: id }) : []);
    const load = async (): Promise<Pick<RunRecord, "detail" | "changes">> => {
      const detail = await client.activations.get(id);
      const agent = latestContext.current.agents.get(detail.agent);
      const canRevert = agent !== undefined && mayIn(latestContext.current.me, "x", agent.house);
      const query = { activation: id, limit: MAX_CHANGES };
      const brainChanges = canRevert ? await (await client.brains()).log(agent.id, query) : [];
      return { detail, changes: brainChanges.toReversed() };
    };
    const [loadedParts, requests, approvals] = await Promise.all([
      load(),
      client.activations.egress(id),
      listApprovals(),
    ]);
    return { ...loadedParts, requests, approvals };
  }, [client, canDecide, id]);
  const request = useRequest(loadRecord);
  const { value, reload } = request;
  const isActive = value !== undefined && value.detail.endedAt === undefined;
  useInterval(
    POLL_INTERVAL_MS,
    useCallback(() => {
      if (isActive) reload();
    }, [isActive, reload]),
  );
  return <RequestView request={request}>{(record) => <RunView record={record} />}</RequestView>;
};

export const RunView = ({ record: rawRecord }: { readonly record: RunRecord }) => {
  const record = useMemo(() => ({ ...rawRecord, detail: withModelNames(rawRecord.detail) }), [rawRecord]);
  const { detail } = record;
  return (
    <>
      {detail.error === undefined ? undefined : <ErrorNotice error={fromErrorBody(detail.error)} />}
      <Summary record={record} />
      <RunReply detail={detail} />
      <RunChanges record={record} />
      <RunTimeline record={record} />
      <RunSources steps={detail.steps} />
      <details className={styles.details}>
        <summary>{texts.details}</summary>
        <dl className={styles.facts}>
          <Fact title={texts.id}>
            <code>{detail.id}</code>
          </Fact>
        </dl>
      </details>
    </>
  );
};

const Summary = ({ record: { detail, requests } }: { readonly record: RunRecord }) => {
  const { agents, me } = useHouse();
  const { trigger, error, usage, programs, steps } = detail;
  const agent = agents.get(detail.agent);
  const reason = error === undefined ? describeReason(detail) : undefined;
  const models = modelsOf(steps);
  const secrets = secretsOf(requests);
  return (
    <dl className={styles.facts}>
      <Fact title={texts.agent}>
        {agent === undefined ? (
          texts.formerMember
        ) : (
          <Link href={pathOfAgent(agent.handle)}>{toVisible(agent.content.name)}</Link>
        )}
      </Fact>
      <Fact title={texts.room}>
        <RoomName detail={detail} />
      </Fact>
      <Fact title={texts.trigger}>{triggerWords[trigger]}</Fact>
      <Fact title={texts.message}>
        <CauseText detail={detail} />
      </Fact>
      <Fact title={texts.outcome}>{describeOutcome(detail)}</Fact>
      {reason === undefined ? undefined : <Fact title={texts.reason}>{toVisible(reason)}</Fact>}
      {models.length === 0 ? undefined : <Fact title={texts.models}>{toVisible(models.join(", "))}</Fact>}
      {isZeroUsage(usage) ? undefined : <Fact title={texts.tokens}>{formatTokens(detail)}</Fact>}
      {usage.cost === undefined ? undefined : (
        <Fact title={texts.cost}>
          {usage.estimated === true ? texts.costWithEstimates(showMoney(usage.cost)) : showMoney(usage.cost)}
        </Fact>
      )}
      {programs === undefined ? undefined : (
        <Fact title={texts.programs}>{texts.includedAbove(formatTokens({ usage: programs }) ?? "")}</Fact>
      )}
      <Fact title={texts.network}>{countRequests(requests.length)}</Fact>
      <Fact title={texts.secrets}>{secrets.length === 0 ? texts.noSecrets : toVisible(secrets.join(", "))}</Fact>
      {agent === undefined || !mayIn(me, "x", agent.house) ? undefined : (
        <Fact title={texts.prompt}>
          <Link href={brainPath(agent.handle, "prompt")}>{texts.showCurrentPrompt}</Link>
        </Fact>
      )}
    </dl>
  );
};

const Fact = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd dir="auto">{children}</dd>
  </div>
);

const RoomName = ({ detail }: { readonly detail: ActivationDetail }) => {
  const room = useHouse().rooms.find((entry) => entry.room.id === detail.room)?.room;
  return room === undefined ? texts.noAccessToRoom : <Link href={roomPath(room.handle)}>{roomTitle(room)}</Link>;
};

const CauseText = ({ detail: { message } }: { readonly detail: ActivationDetail }) => {
  const { agents } = useHouse();
  if (message === undefined) return texts.deleted;
  return toVisible(`${agents.get(message.author)?.content.name ?? texts.formerMember}: ${message.text}`);
};

const countRequests = (count: number): string =>
  count === 0 ? texts.noRequests : count === 1 ? texts.oneRequest : texts.requestCount(count);
