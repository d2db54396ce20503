/** Web access of the agents of a house, and the secrets that their requests can contain. */
import type { AgentRecord, HouseRecord } from "@hearth/protocol";
import { useState } from "react";
import { Field, Select } from "../../design/field.tsx";
import { useFilters } from "../../house/filters.ts";
import { mayAdministerHome } from "../../house/may.ts";
import { useHouse } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { byName } from "../form/choose-agents.tsx";
import { pickNewest } from "../form/newest.ts";
import { localAddressGroups } from "../values/groups.ts";
import { SettingGroups } from "../values/setting-groups.tsx";
import styles from "../settings.module.css";
import { SearchEngineSection } from "./search-engine-section.tsx";
import { SecretsSection } from "./secrets-section.tsx";
import * as texts from "./text.ts";
import { WebAccess } from "./web-access.tsx";

export interface WebPageProps {
  readonly house: HouseRecord;
  /** The agents and people of the house. */
  readonly agents: readonly AgentRecord[];
  /** Only admins change the web access of agents. */
  readonly isAdmin: boolean;
}

export const WebPage = ({ house, agents, isAdmin }: WebPageProps) => {
  const { me } = useHouse();
  const bots = agents.filter(({ content }) => content.kind === "bot" && content.runs !== "elsewhere").toSorted(byName);
  const filters = useFilters(["agent"]);
  /** The record of the last save. The event log may not contain it yet. */
  const [savedAgent, setSavedAgent] = useState<AgentRecord>();
  const knownAgent = bots.find(({ handle }) => handle === filters.values.agent) ?? bots[0];
  const agent = knownAgent === undefined || savedAgent === undefined ? knownAgent : pickNewest(knownAgent, savedAgent);
  return (
    <>
      {bots.length < 2 || !isAdmin ? undefined : (
        <Field label={texts.agent}>
          {(ids) => (
            <Select {...ids} value={agent?.handle ?? ""} onChange={({ target }) => filters.set("agent", target.value)}>
              {bots.map(({ id, handle, content }) => (
                <option key={id} value={handle}>
                  {toVisible(content.name)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {!isAdmin ? undefined : agent === undefined ? (
        <p className={styles.quiet}>{texts.noAgents}</p>
      ) : (
        <WebAccess key={agent.id} agent={agent} onChange={setSavedAgent} />
      )}
      <SecretsSection house={house} bots={bots} />
      {me?.home !== undefined && mayAdministerHome(me) ? (
        <>
          <SearchEngineSection home={me.home} />
          <SettingGroups groups={localAddressGroups} />
        </>
      ) : undefined}
    </>
  );
};
