/** The tab about the tools and access of an agent: the web, approvals, tools, hosts, secrets. */
import { useCallback, useEffect } from "react";
import { useRequest } from "../../../house/request.ts";
import { RequestView } from "../../../house/request-view.tsx";
import { useUi } from "../../../house/ui.tsx";
import { MoreLink } from "../../form/more-link.tsx";
import { Section } from "../../form/section.tsx";
import { paths } from "../../place.ts";
import styles from "../../settings.module.css";
import { WebAccess } from "../../web/web-access.tsx";
import type { AccessProps } from "./access-props.ts";
import { AgentSecrets } from "./agent-secrets.tsx";
import { ModeSection } from "./mode-section.tsx";
import * as texts from "./text.ts";
import { ToolSection } from "./tool-section.tsx";
import { WebSwitch } from "./web-switch.tsx";

export const AccessTab = ({ agent, onChange }: AccessProps) => {
  const { client } = useUi();
  const { id, version } = agent;
  const request = useRequest(useCallback(async () => (await client.agentTools()).list(id), [client, id]));
  const { reload } = request;
  // A change of the record, such as another sandbox, can change what the tools lack.
  useEffect(reload, [reload, version]);
  return (
    <>
      <RequestView request={request}>
        {(tools) => (
          <>
            <WebSwitch agent={agent} tools={tools} onChange={onChange} />
            <ModeSection agent={agent} onChange={onChange} />
            <ToolSection agent={agent} tools={tools} onChange={onChange} />
          </>
        )}
      </RequestView>
      <WebAccess agent={agent} onChange={onChange} />
      <AgentSecrets agent={agent} />
      <Section title={texts.access}>
        <ul className={styles.list}>
          <li>
            <MoreLink to={paths.members} title={texts.houseRole} text={texts.houseRoleDetail} />
          </li>
        </ul>
      </Section>
    </>
  );
};
