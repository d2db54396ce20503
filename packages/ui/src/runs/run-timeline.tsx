/** The timeline of a run, oldest entry first. */
import { type Approval, type EgressEntry, isTainted } from "@hearth/protocol";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { describeOutcome as describeDecision } from "../approvals/outcome-words.ts";
import { INBOX } from "../house/paths.ts";
import { classes } from "../design/classes.ts";
import { formatFull } from "../house/time.tsx";
import { useHouse } from "../house/ui.tsx";
import { formatNumber } from "../language/locale.ts";
import { describeOutcome, describeStep, formatDuration, formatTokens } from "../settings/activity/activity-words.ts";
import { CodeText } from "../text/code-text.tsx";
import { toVisible } from "../text/visible.tsx";
import { inputOf } from "../rooms/runs/tool-words.ts";
import styles from "./run.module.css";
import { RunPrompt } from "./run-prompt.tsx";
import { type RunRecord, type Step, type TimelineEntry, timelineOf, type ToolCallPart } from "./timeline.ts";
import * as texts from "./text.ts";

export const RunTimeline = ({ record }: { readonly record: RunRecord }) => {
  const { detail } = record;
  return (
    <section className={styles.section} aria-labelledby="run-timeline">
      <h2 id="run-timeline">{texts.timeline}</h2>
      <ol className={styles.timeline}>
        {timelineOf(record).map((entry) => (
          <li key={keyOf(entry)} id={entry.kind === "step" ? stepId(entry.step) : undefined} tabIndex={-1}>
            <time className={styles.quiet} dateTime={new Date(entry.at).toISOString()} title={formatFull(entry.at)}>
              {texts.afterStart(formatDuration(detail.createdAt, entry.at) ?? "")}
            </time>
            <Entry entry={entry} outcome={describeOutcome(detail)} />
          </li>
        ))}
      </ol>
    </section>
  );
};

/** Returns the anchor of a step on the page. */
export const stepId = ({ step }: Pick<Step, "step">): string => `step-${step}`;

/** Returns the title of a step, for example "Model call: anthropic/claude". */
export const titleOfStep = (step: Pick<Step, "kind" | "name" | "step">): string =>
  toVisible(step.kind === "model" && step.step >= 0 ? texts.modelCall(step.name) : describeStep(step));

const keyOf = (entry: TimelineEntry): string => {
  switch (entry.kind) {
    case "step":
      return stepId(entry.step);
    case "approval":
      return entry.approval.id;
    case "request":
      return entry.request.id;
    default:
      return entry.kind;
  }
};

const Entry = ({ entry, outcome }: { readonly entry: TimelineEntry; readonly outcome: string }) => {
  switch (entry.kind) {
    case "queued":
      return <Title>{texts.queued}</Title>;
    case "started":
      return <Title>{texts.started}</Title>;
    case "ended":
      return <Title>{outcome}</Title>;
    case "step":
      return <StepEntry step={entry.step} call={entry.call} />;
    case "approval":
      return <ApprovalEntry approval={entry.approval} />;
    case "request":
      return <RequestEntry request={entry.request} />;
  }
};

interface TitleProps {
  readonly children: ReactNode;
  readonly isFailed?: boolean;
}

const Title = ({ children, isFailed = false }: TitleProps) => (
  <p className={classes(styles.title, isFailed && styles.failed)} dir="auto">
    {children}
  </p>
);

const Facts = ({ facts }: { readonly facts: readonly (string | undefined)[] }) => {
  const knownFacts = facts.filter((fact) => fact !== undefined);
  return knownFacts.length === 0 ? undefined : (
    <p className={styles.quiet} dir="auto">
      {toVisible(knownFacts.join(" · "))}
    </p>
  );
};

const StepEntry = ({ step, call }: { readonly step: Step; readonly call: ToolCallPart | undefined }) => {
  const { state, failed, glimpse, usage, startedAt, endedAt, label } = step;
  const isFailed = failed === true || state === "unknown";
  return (
    <>
      <Title isFailed={isFailed}>{titleOfStep(step)}</Title>
      {glimpse === undefined || glimpse === "" ? undefined : <p dir="auto">{toVisible(glimpse)}</p>}
      <Facts
        facts={[
          failed === true ? texts.failed : state === "unknown" ? texts.unknownResult : undefined,
          state === "started" ? texts.running : undefined,
          formatDuration(startedAt, endedAt),
          usage && formatTokens({ usage }),
          label !== undefined && isTainted(label) ? texts.untrustedResult : undefined,
        ]}
      />
      {step.kind === "model" && step.step >= 0 ? <RunPrompt step={step} /> : undefined}
      {call === undefined ? undefined : <CallDetail call={call} />}
    </>
  );
};

const CallDetail = ({ call }: { readonly call: ToolCallPart }) => (
  <details className={styles.details}>
    <summary>{texts.inputAndOutput}</summary>
    <dl className={styles.call}>
      <dt>{texts.input}</dt>
      <dd>
        <CodeText text={inputOf(call)} />
      </dd>
      {call.output === undefined ? undefined : (
        <>
          <dt>{call.state === "failed" ? texts.error : texts.output}</dt>
          <dd>{call.output === "" ? texts.empty : <CodeText text={call.output} />}</dd>
        </>
      )}
    </dl>
  </details>
);

const ApprovalEntry = ({ approval }: { readonly approval: Approval }) => {
  const { me, agents } = useHouse();
  const decision = describeDecision(approval, me?.agent.id, (id) =>
    toVisible(agents.get(id)?.content.name ?? texts.formerMember),
  );
  return (
    <>
      <Title>{texts.approvalRequested(toVisible(approval.what.name))}</Title>
      <p>
        {decision ?? texts.pendingApproval}{" "}
        {approval.state === "pending" ? <Link href={`${INBOX}/${approval.id}`}>{texts.showApproval}</Link> : undefined}
      </p>
    </>
  );
};

const RequestEntry = ({ request }: { readonly request: EgressEntry }) => {
  const {
    method = texts.tunnel,
    host,
    port,
    path = "",
    outcome,
    status,
    why,
    sentBytes,
    receivedBytes,
    secrets,
  } = request;
  return (
    <>
      <Title isFailed={outcome !== "allowed"}>{toVisible(texts.request(method, `${host}:${port}${path}`))}</Title>
      {why === undefined ? undefined : <p dir="auto">{toVisible(why)}</p>}
      <Facts
        facts={[
          texts.requestOutcome[outcome],
          status === undefined ? undefined : texts.status(status),
          texts.bytes(formatNumber(sentBytes), formatNumber(receivedBytes)),
          secrets.length === 0 ? undefined : texts.withSecrets(secrets.join(", ")),
        ]}
      />
    </>
  );
};
