/** What an agent is made of and has before it, for who decides over it. */
import type { AgentIntrospection, AgentRecord } from "@hearth/protocol";
import { type ReactNode, useCallback } from "react";
import { Time } from "../house/time.tsx";
import { useHouse, useUi } from "../house/ui.tsx";
import { useAnswer } from "../house/answer.ts";
import { AnswerView } from "../house/answer-view.tsx";
import { visible } from "../text/visible.tsx";
import { ActivityList } from "./activity-page.tsx";
import { statusWords } from "./activity-words.ts";
import { tellModel } from "./agents-page.tsx";
import { pathOfAgent } from "./place.ts";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";
import { queueTitles } from "./agent-queue.tsx";
import { triggerTitles } from "./agent-trigger.tsx";
import { kindWords } from "./cell-words.ts";
import { UpLink } from "./up-link.tsx";
import { useEvery } from "../house/every.ts";

const EVERY_MS = 3000;

export const InsidePage = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const { id } = agent;
  const answer = useAnswer(useCallback(() => client.agents.introspection(id), [client, id]));
  useEvery(EVERY_MS, answer.again);
  return (
    <>
      <UpLink to={pathOfAgent(agent.handle)}>{agent.content.name}</UpLink>
      <AnswerView answer={answer}>{(inside) => <Inside inside={inside} />}</AnswerView>
    </>
  );
};

export const Inside = ({ inside: { state, config, rooms, last } }: { readonly inside: AgentIntrospection }) => (
  <>
    <Section title={`Inside ${state.agentName}`} text="As its next time awake is given it.">
      <dl className={styles.facts}>
        <Fact name="State">
          {statusWords[state.status]}
          {state.lastActivity === undefined ? undefined : (
            <>
              {" "}
              · <Time at={state.lastActivity} style="relative" />
            </>
          )}
        </Fact>
        <Fact name="Model">{tellModel(config.model)}</Fact>
        {config.fallback.length === 0 ? undefined : <Fact name="If that fails">{config.fallback.join(", ")}</Fact>}
        <Fact name="Wakes">{triggerTitles[config.triggerMode]}</Fact>
        {config.triggerMode === "ambient" ? (
          <Fact name="Listening along">{tellAmbient(config.ambient)}</Fact>
        ) : undefined}
        <Fact name="Tools">{config.tools.length === 0 ? "None" : config.tools.join(", ")}</Fact>
        <Fact name="Cell">{kindWords[config.cell]}</Fact>
        <Fact name="Messages meanwhile">{queueTitles[config.queue]}</Fact>
        <Fact name="Time zone">{config.timezone}</Fact>
        <Fact name="Instructions">{config.promptLength.toLocaleString()} characters</Fact>
      </dl>
    </Section>
    <Section title="Rooms with something open">
      {rooms.length === 0 ? <p className={styles.quiet}>Nothing waits and nothing runs.</p> : undefined}
      <ul className={styles.list}>
        {rooms.map((room) => (
          <li key={room.room} className={styles.row}>
            <OpenRoom room={room} />
          </li>
        ))}
      </ul>
    </Section>
    <Section title="Lately">
      <ActivityList activations={last} showsAgent={false} />
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
    room.running > 0 && `${room.running} running`,
    room.queued > 0 && `${room.queued} queued`,
    room.waiting > 0 && `${room.waiting} waiting for a decision`,
    room.ambient !== undefined && "waits for a silence",
    room.read < room.head && `has looked at ${room.read} of ${room.head}`,
  ].filter((text) => text !== false);
  return (
    <span className={styles.about}>
      <span className={styles.name}>{visible(name)}</span>
      <span className={styles.quiet}>{counts.join(" · ")}</span>
    </span>
  );
};

export const tellAmbient = ({ debounceMs, cooldown, relevance }: AgentIntrospection["config"]["ambient"]): string =>
  [
    `Looks after ${debounceMs / 1000} s of silence`,
    cooldown ? "quiet after it spoke" : "also right after it spoke",
    {
      model: "a model says whether it concerns it",
      words: "words say whether it concerns it",
      off: "everything concerns it",
    }[relevance],
  ].join("; ");
