/** The people and agents of the house, with the current state of each agent. */
import {
  type AgentRecord,
  type AgentState,
  DEFAULT_MODEL,
  DEFAULT_TRIGGER_MODE,
  type HouseRecord,
} from "@hearth/protocol";
import { Link } from "wouter";
import { Avatar } from "../../design/avatar.tsx";
import { Icon } from "../../design/icon.tsx";
import { holdOf } from "../../house/holds.ts";
import { may, mayAdministerHome } from "../../house/may.ts";
import { Time } from "../../house/time.tsx";
import { useHouse } from "../../house/ui.tsx";
import { OFFLINE } from "../../models/sources.ts";
import { titleOf } from "../../design/vendors.ts";
import { toVisible } from "../../text/visible.tsx";
import { statusWords } from "../activity/activity-words.ts";
import { byName } from "../form/choose-agents.tsx";
import { pathOfAgent, paths } from "../place.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { StopAll } from "./stop-all.tsx";
import { useAgentStates } from "./use-agent-states.ts";
import * as texts from "./text.ts";

export interface AgentsPageProps {
  /** The agents of the house. */
  readonly agents: readonly AgentRecord[];
  readonly house: HouseRecord;
}

export const AgentsPage = ({ agents, house }: AgentsPageProps) => {
  const { me } = useHouse();
  const states = useAgentStates(house.id);
  const bots = ofKind(agents, "bot");
  const people = ofKind(agents, "human");
  return (
    <>
      <Section title={texts.agentsOfHouse(toVisible(house.content.name))}>
        {bots.length === 0 ? <p className={styles.quiet}>{texts.noAgentsYet}</p> : undefined}
        <ul className={styles.list}>
          {bots.map((agent) => (
            <li key={agent.id}>
              <AgentRow agent={agent} state={states.get(agent.id)} />
            </li>
          ))}
        </ul>
        {may(me, "x", house) ? (
          <p>
            <Link href={paths.newAgent} className={styles.add}>
              <Icon name="plus" />
              {texts.addAgentOrPerson}
            </Link>
          </p>
        ) : undefined}
        {may(me, "x", house) && mayAdministerHome(me) ? (
          <p>
            <Link href={paths.import} className={styles.add}>
              <Icon name="plus" />
              {texts.importFromProgram}
            </Link>
          </p>
        ) : undefined}
      </Section>
      <Section title={texts.people}>
        <ul className={styles.list}>
          {people.map((agent) => (
            <li key={agent.id}>
              <AgentRow agent={agent} state={undefined} />
            </li>
          ))}
        </ul>
      </Section>
      {mayAdministerHome(me) ? <StopAll /> : undefined}
    </>
  );
};

interface AgentRowProps {
  readonly agent: AgentRecord;
  readonly state: AgentState | undefined;
}

const AgentRow = ({ agent, state }: AgentRowProps) => {
  const { holds, me } = useHouse();
  const { id, handle, content } = agent;
  const isHeld = content.kind === "bot" && holdOf(holds, id) !== undefined;
  return (
    <Link href={pathOfAgent(handle)} className={styles.row}>
      <Avatar name={content.name} kind={content.kind} />
      <span className={styles.about}>
        <span className={styles.name}>
          {toVisible(content.name)}
          {id === me?.agent.id ? texts.youSuffix : ""}
        </span>
        {content.description === undefined ? undefined : <span>{toVisible(content.description)}</span>}
        <span className={styles.quiet}>
          {content.kind === "bot" ? describeBot(content) : texts.personDetail(handle)}
        </span>
      </span>
      {state === undefined && !isHeld ? undefined : (
        <span className={styles.state}>
          {/* The event log reports a stop immediately; the polled states follow later. */}
          <span>{statusWords[isHeld ? "held" : (state?.status ?? "idle")]}</span>
          {state?.lastActivity === undefined ? undefined : (
            <span className={styles.quiet}>
              <Time at={state.lastActivity} style="relative" />
            </span>
          )}
        </span>
      )}
      <Icon name="chevron" />
    </Link>
  );
};

const ofKind = (agents: readonly AgentRecord[], kind: "human" | "bot"): readonly AgentRecord[] =>
  agents.filter(({ content }) => content.kind === kind).toSorted(byName);

export const describeBot = ({ model, runs, triggerMode = DEFAULT_TRIGGER_MODE }: AgentRecord["content"]): string =>
  runs === "elsewhere"
    ? texts.runsElsewhere
    : `${describeModel(model)} · ${triggerMode === "mention" ? texts.respondsWhenMentioned : texts.respondsWhenRelevant}`;

/** Describes a model, for example "claude-sonnet by Anthropic". */
export const describeModel = (model = DEFAULT_MODEL): string => {
  const slash = model.indexOf("/");
  const provider = model.slice(0, slash);
  return provider === OFFLINE
    ? texts.noLanguageModel
    : toVisible(texts.modelByProvider(model.slice(slash + 1), titleOf(provider)));
};
