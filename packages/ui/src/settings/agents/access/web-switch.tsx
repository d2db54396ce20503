/** The switch that lets an agent read the public web. */
import { Link } from "wouter";
import { ErrorNotice } from "../../../design/notice.tsx";
import { mayAdministerHome } from "../../../house/may.ts";
import { useHouse } from "../../../house/ui.tsx";
import { toVisible } from "../../../text/visible.tsx";
import { Section } from "../../form/section.tsx";
import { Switch } from "../../form/switch.tsx";
import { paths } from "../../place.ts";
import type { ToolProps } from "./access-props.ts";
import * as texts from "./text.ts";
import { useAccess } from "./use-access.ts";
import { hasEngine, hasWeb, planWeb, reachesHosts } from "./web-plan.ts";

export const WebSwitch = ({ agent, tools, onChange }: ToolProps) => {
  const { me } = useHouse();
  const access = useAccess(agent, onChange);
  const isOn = hasWeb(agent, tools);
  const canSearch = hasEngine(tools);
  const changeAccess = (shouldTurnOn: boolean): Promise<void> =>
    access.change(
      (newest) => planWeb(newest, tools, shouldTurnOn),
      shouldTurnOn ? texts.webTurnedOn : texts.webTurnedOff,
    );
  return (
    <Section title={texts.webAccess}>
      {access.error === undefined ? undefined : <ErrorNotice error={access.error} />}
      <Switch title={texts.readsTheWeb} isOn={isOn} onChange={changeAccess}>
        <p>{texts.readsTheWebDetail(toVisible(agent.content.name))}</p>
        {texts.webRules.map((rule) => (
          <p key={rule}>{rule}</p>
        ))}
        {canSearch ? (
          <p>{texts.searchesToo}</p>
        ) : (
          <p>
            {texts.noSearchEngine}{" "}
            {mayAdministerHome(me) ? <Link href={paths.web}>{texts.setSearchEngine}</Link> : undefined}
          </p>
        )}
        {isOn && reachesHosts(agent) ? <p>{texts.fetchStays}</p> : undefined}
        {isOn && agent.content.mode === "plan" ? <p>{texts.planReadsNoPages}</p> : undefined}
      </Switch>
    </Section>
  );
};
