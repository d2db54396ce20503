/**
 * The jobs page: jobs of one agent, its heartbeat, or jobs of all agents that the person
 * administers.
 */
import type { AgentRecord } from "@hearth/protocol";
import { Link, useLocation } from "wouter";
import { PageHeader } from "../design/page-header.tsx";
import { mayIn } from "../house/may.ts";
import { automationsPath } from "../house/paths.ts";
import { useHouse } from "../house/ui.tsx";
import { AgentLoader } from "../settings/agents/agent-at.tsx";
import { agentsOf } from "../settings/form/choose-agents.tsx";
import { pathOfAgent, pathOfHeartbeat, paths } from "../settings/place.ts";
import { UpLink } from "../settings/form/up-link.tsx";
import { toVisible } from "../text/visible.tsx";
import { AutomationTable } from "./automation-table.tsx";
import type { HeartbeatFormProps } from "./heartbeat-form.tsx";
import { HeartbeatSection } from "./heartbeat-page.tsx";
import styles from "./jobs.module.css";
import * as texts from "./text.ts";

export const AutomationsPage = () => {
  const [location] = useLocation();
  const [, , handle = "", part = ""] = location.split("/");
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        {handle === "" ? (
          <AllJobs />
        ) : part === "heartbeat" ? (
          <AgentLoader handle={handle} pathOf={pathOfHeartbeat} notFoundView={<AgentNotFound />}>
            {(agent, onChange) => <Heartbeat key={agent.id} agent={agent} onChange={onChange} />}
          </AgentLoader>
        ) : (
          <AgentLoader handle={handle} pathOf={automationsPath} notFoundView={<AgentNotFound />}>
            {(agent) => <JobsOfAgent key={agent.id} agent={agent} />}
          </AgentLoader>
        )}
      </div>
    </div>
  );
};

const AllJobs = () => {
  const { me, house, agents } = useHouse();
  const bots = house === undefined ? [] : agentsOf(agents.values(), house.id).filter(runsInHouse);
  return (
    <>
      <PageHeader title={texts.automations} />
      {mayIn(me, "x", house?.id) ? (
        <>
          <p className={styles.quiet}>{texts.automationsIntroduction}</p>
          {bots.length === 0 ? <p>{texts.noAgentCanHaveJobs}</p> : <AutomationTable agents={bots} />}
        </>
      ) : (
        <AdminsOnly />
      )}
    </>
  );
};

const JobsOfAgent = ({ agent }: { readonly agent: AgentRecord }) => {
  const { me } = useHouse();
  const name = toVisible(agent.content.name);
  return (
    <>
      <PageHeader title={texts.automationsOf(name)} />
      <UpLink to={pathOfAgent(agent.handle, "automations")}>{texts.settingsOf(agent.content.name)}</UpLink>
      {!mayIn(me, "x", agent.house) ? (
        <AdminsOnly />
      ) : runsInHouse(agent) ? (
        <>
          <AutomationTable agents={[agent]} isOfOne />
          <p>
            <Link href={pathOfHeartbeat(agent.handle)}>{texts.viewHeartbeat}</Link>
          </p>
          <p>
            <Link href={automationsPath()}>{texts.viewAllAutomations}</Link>
          </p>
        </>
      ) : (
        <p>{texts.cannotHaveJobs(name)}</p>
      )}
    </>
  );
};

const Heartbeat = ({ agent, onChange }: HeartbeatFormProps) => {
  const { me } = useHouse();
  const name = toVisible(agent.content.name);
  return (
    <>
      <PageHeader title={texts.heartbeatOf(name)} />
      <UpLink to={pathOfAgent(agent.handle, "automations")}>{texts.settingsOf(agent.content.name)}</UpLink>
      {!mayIn(me, "x", agent.house) ? (
        <AdminsOnly />
      ) : runsInHouse(agent) ? (
        <>
          <HeartbeatSection agent={agent} onChange={onChange} />
          <p>
            <Link href={automationsPath(agent.handle)}>{texts.viewAutomations}</Link>
          </p>
        </>
      ) : (
        <p>{texts.cannotHaveAHeartbeat(name)}</p>
      )}
    </>
  );
};

const runsInHouse = ({ content }: AgentRecord): boolean => content.kind === "bot" && content.runs !== "elsewhere";

const AgentNotFound = () => (
  <>
    <PageHeader title={texts.automations} />
    <p>
      {texts.agentNotFound} <Link href={paths.agents}>{texts.viewAgents}</Link>
    </p>
  </>
);

const AdminsOnly = () => <p>{texts.onlyAdmins}</p>;
