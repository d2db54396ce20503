/** The context page of an agent, for its admins: configuration, pending work and recent runs. */
import type { AgentIntrospection, AgentRecord } from "@hearth/protocol";
import { type ReactNode, useCallback } from "react";
import { Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { formatNumber } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import { titleOfTool } from "../../approvals/tool-texts.ts";
import { ActivityList } from "../activity/activity-page.tsx";
import { statusWords } from "../activity/activity-words.ts";
import { describeModel } from "./agents-page.tsx";
import { pathOfAgent } from "../place.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { queueTitles } from "./agent-queue.tsx";
import { triggerTitles } from "./agent-trigger.tsx";
import { kindWords } from "./cell-words.ts";
import { UpLink } from "../form/up-link.tsx";
import { useInterval } from "../../house/interval.ts";
import * as texts from "./text.ts";

const POLL_INTERVAL_MS = 3000;

export const ContextPage = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const { id } = agent;
  const request = useRequest(useCallback(() => client.agents.introspection(id), [client, id]));
  useInterval(POLL_INTERVAL_MS, request.reload);
  return (
    <>
      <UpLink to={pathOfAgent(agent.handle, "instructions")}>{agent.content.name}</UpLink>
      <RequestView request={request}>{(introspection) => <ContextView introspection={introspection} />}</RequestView>
    </>
  );
};

export const ContextView = ({
  introspection: { state, config, rooms, last: lastRuns },
}: {
  readonly introspection: AgentIntrospection;
}) => (
  <>
    <Section title={texts.contextOf(state.agentName)} text={texts.nextRunInput}>
      <dl className={styles.facts}>
        <Fact name={texts.state}>
          {statusWords[state.status]}
          {state.lastActivity === undefined ? undefined : (
            <>
              {" "}
              · <Time at={state.lastActivity} style="relative" />
            </>
          )}
        </Fact>
        <Fact name={texts.model}>{describeModel(config.model)}</Fact>
        {config.fallback.length === 0 ? undefined : (
          <Fact name={texts.fallbackModels}>{config.fallback.join(", ")}</Fact>
        )}
        <Fact name={texts.responds}>{triggerTitles[config.triggerMode]}</Fact>
        {config.triggerMode === "ambient" ? (
          <Fact name={texts.relevanceCheck}>{describeAmbient(config.ambient)}</Fact>
        ) : undefined}
        <Fact name={texts.tools}>
          {config.tools.length === 0
            ? texts.none
            : config.tools.map((name) => titleOfTool(name) ?? toVisible(name)).join(", ")}
        </Fact>
        <Fact name={texts.sandbox}>{kindWords[config.cell]}</Fact>
        <Fact name={texts.newMessages}>{queueTitles[config.queue]}</Fact>
        <Fact name={texts.timeZone}>{config.timezone}</Fact>
        <Fact name={texts.instructionsOfAgent}>{texts.characters(formatNumber(config.promptLength))}</Fact>
      </dl>
    </Section>
    <Section title={texts.roomsWithPendingWork}>
      {rooms.length === 0 ? <p className={styles.quiet}>{texts.noPendingWork}</p> : undefined}
      <ul className={styles.list}>
        {rooms.map((room) => (
          <li key={room.room} className={styles.row}>
            <OpenRoom room={room} />
          </li>
        ))}
      </ul>
    </Section>
    <Section title={texts.recentRuns}>
      <ActivityList activations={lastRuns} shouldShowAgent={false} />
    </Section>
  </>
);

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const OpenRoom = ({ room }: { readonly room: AgentIntrospection["rooms"][number] }) => {
  const { rooms } = useHouse();
  const name = rooms.find((entry) => entry.room.id === room.room)?.room.content.name ?? room.room;
  const counts = [
    room.running > 0 && texts.runningCount(room.running),
    room.queued > 0 && texts.queuedCount(room.queued),
    room.waiting > 0 && texts.waitingCount(room.waiting),
    room.ambient !== undefined && texts.waitingForPause,
    room.read < room.head && texts.readCount(room.read, room.head),
  ].filter((text) => text !== false);
  return (
    <span className={styles.about}>
      <span className={styles.name}>{toVisible(name)}</span>
      <span className={styles.quiet}>{counts.join(" · ")}</span>
    </span>
  );
};

export const describeAmbient = ({ debounceMs, cooldown, relevance }: AgentIntrospection["config"]["ambient"]): string =>
  [
    texts.respondsAfterPause(debounceMs / 1000),
    cooldown ? texts.cooldownIsOn : texts.cooldownIsOff,
    {
      model: texts.relevanceByModel,
      words: texts.relevanceCheckByKeywords,
      off: texts.relevanceCheckIsOff,
    }[relevance],
  ].join("; ");
