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
import { Badge } from "../../design/badge.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import { Icon } from "../../design/icon.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { findHold, holdOf } from "../../house/holds.ts";
import { may, mayAdministerHome } from "../../house/may.ts";
import { Time } from "../../house/time.tsx";
import { useHouse, useUi } from "../../house/ui.tsx";
import { type BulkChange, ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
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
  const isAdmin = may(me, "x", house);
  return (
    <>
      <Section title={texts.agentsOfHouse(toVisible(house.content.name))}>
        <AgentTable agents={agents} house={house} />
        {isAdmin ? (
          <p className={styles.buttons}>
            <Link href={paths.newAgent} className={styles.add}>
              <Icon name="plus" />
              {texts.addAgentOrPerson}
            </Link>
            {mayAdministerHome(me) ? (
              <Link href={paths.import} className={styles.add}>
                <Icon name="plus" />
                {texts.importFromProgram}
              </Link>
            ) : undefined}
          </p>
        ) : undefined}
      </Section>
      {mayAdministerHome(me) ? <StopAll /> : undefined}
    </>
  );
};

/** An agent or a person, with the state of an agent. */
interface Member {
  readonly agent: AgentRecord;
  readonly state: AgentState | undefined;
  readonly isHeld: boolean;
}

const kindFilter: ListFilter<Member> = {
  name: "kind",
  label: texts.kind,
  all: texts.agentsAndPeople,
  options: [
    { value: "bot", title: texts.onlyAgents },
    { value: "human", title: texts.people },
  ],
  matches: ({ agent }, value) => agent.content.kind === value,
};

const statusFilter: ListFilter<Member> = {
  name: "state",
  label: texts.state,
  all: texts.allStates,
  options: (["idle", "queued", "running", "waiting", "held"] as const).map((value) => ({
    value,
    title: statusWords[value],
  })),
  matches: (member, value) => statusOf(member) === value,
};

const statusOf = ({ agent, state, isHeld }: Member): AgentState["status"] | undefined => {
  if (agent.content.kind === "human") return undefined;
  // The event log reports a stop immediately; the polled states follow later.
  return isHeld ? "held" : (state?.status ?? "idle");
};

const AgentTable = ({ agents, house }: AgentsPageProps) => {
  const { client, house: reader } = useUi();
  const { me, holds } = useHouse();
  const states = useAgentStates(house.id);
  const isAdmin = may(me, "x", house);
  const rows = [...ofKind(agents, "bot"), ...ofKind(agents, "human")].map((agent): Member => ({
    agent,
    state: states.get(agent.id),
    isHeld: agent.content.kind === "bot" && holdOf(holds, agent.id) !== undefined,
  }));
  const runsHere = ({ agent: { content } }: Member): boolean => content.kind === "bot" && content.runs !== "elsewhere";
  const changes: readonly BulkChange<Member>[] = [
    {
      id: "stop",
      label: texts.stopOne,
      icon: "stop",
      title: texts.stopCount,
      applies: (row) => runsHere(row) && !row.isHeld,
      run: ({ agent }) => client.agents.stop(agent.id),
      done: texts.stoppedCount,
    },
    {
      id: "resume",
      label: texts.resumeOne,
      icon: "retry",
      title: texts.resumeCount,
      applies: ({ agent }) => findHold(holds, agent.id) !== undefined,
      run: ({ agent }) => client.agents.resume(agent.id),
      done: texts.resumedCount,
    },
    {
      id: "remove",
      label: texts.removeOne,
      icon: "delete",
      title: texts.removeCount,
      confirm: { title: texts.removeSelected, text: texts.removeSelectedEffect },
      isDanger: true,
      applies: ({ agent }) => agent.id !== me?.agent.id,
      run: ({ agent }) => client.agents.remove(agent.id),
      done: texts.removedCount,
    },
  ];
  return (
    <ListTable
      label={texts.agentsAndPeople}
      rows={rows}
      keyOf={({ agent }) => agent.id}
      nameOf={({ agent }) => toVisible(agent.content.name)}
      columns={columns}
      filters={[kindFilter, statusFilter]}
      searchText={({ agent: { content, handle } }) =>
        [content.name, handle, content.description ?? "", content.model ?? ""].join(" ")
      }
      changes={isAdmin ? changes : []}
      onChanged={() => reader.refresh()}
      empty={<EmptyState icon="agents" title={texts.noAgentsYet} />}
    />
  );
};

const badgeOf = {
  idle: "plain",
  queued: "plain",
  running: "success",
  waiting: "accent",
  held: "danger",
} as const satisfies Record<AgentState["status"], "plain" | "success" | "accent" | "danger">;

const columns: readonly [TableColumn<Member>, ...TableColumn<Member>[]] = [
  { title: texts.name, cell: ({ agent }) => <MemberName agent={agent} /> },
  {
    title: texts.model,
    cell: ({ agent: { content } }) =>
      content.kind === "human" ? "" : content.runs === "elsewhere" ? texts.runsElsewhere : describeModel(content.model),
  },
  {
    title: texts.responds,
    cell: ({ agent: { content } }) => (content.kind === "human" ? "" : describeTrigger(content)),
  },
  {
    title: texts.state,
    cell: (member) => {
      const status = statusOf(member);
      const lastActivity = member.state?.lastActivity;
      return status === undefined ? (
        ""
      ) : (
        <span className={styles.about}>
          <Badge kind={badgeOf[status]}>{statusWords[status]}</Badge>
          {lastActivity === undefined ? undefined : (
            <span className={styles.quiet}>
              <Time at={lastActivity} style="relative" />
            </span>
          )}
        </span>
      );
    },
  },
];

const MemberName = ({ agent: { id, handle, content } }: { readonly agent: AgentRecord }) => {
  const { me } = useHouse();
  return (
    <span className={styles.person}>
      <Avatar name={content.name} kind={content.kind} size="small" />
      <span className={styles.about}>
        <Link href={pathOfAgent(handle)} className={styles.name}>
          {toVisible(content.name)}
          {id === me?.agent.id ? texts.youSuffix : ""}
        </Link>
        {content.description !== undefined ? (
          <span className={styles.quiet}>{toVisible(content.description)}</span>
        ) : content.kind === "human" ? (
          <span className={styles.quiet}>{texts.person}</span>
        ) : undefined}
      </span>
    </span>
  );
};

const ofKind = (agents: readonly AgentRecord[], kind: "human" | "bot"): readonly AgentRecord[] =>
  agents.filter(({ content }) => content.kind === kind).toSorted(byName);

export const describeBot = (content: AgentRecord["content"]): string =>
  content.runs === "elsewhere"
    ? texts.runsElsewhere
    : `${describeModel(content.model)} · ${texts.respondsHow(describeTrigger(content))}`;

const describeTrigger = ({ triggerMode = DEFAULT_TRIGGER_MODE }: AgentRecord["content"]): string =>
  triggerMode === "mention" ? texts.ifMentioned : texts.ifRelevant;

/** Describes a model, for example "claude-sonnet by Anthropic". */
export const describeModel = (model = DEFAULT_MODEL): string => {
  const slash = model.indexOf("/");
  const provider = model.slice(0, slash);
  return provider === OFFLINE
    ? texts.noLanguageModel
    : toVisible(texts.modelByProvider(model.slice(slash + 1), titleOf(provider)));
};
