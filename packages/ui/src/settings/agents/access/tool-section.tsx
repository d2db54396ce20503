/** The tools of an agent, grouped by what they do, each with a switch. */
import { observe } from "@hearth/client";
import { type AgentTool, DEFAULT_AGENT_MODE, DEFAULT_TOOLS, hasTool, type ToolLack, withTool } from "@hearth/protocol";
import { useId } from "react";
import { Link } from "wouter";
import { Button } from "../../../design/button.tsx";
import { ErrorNotice } from "../../../design/notice.tsx";
import { mayAdministerHome } from "../../../house/may.ts";
import { useHouse } from "../../../house/ui.tsx";
import { toVisible } from "../../../text/visible.tsx";
import { Section } from "../../form/section.tsx";
import { Switch } from "../../form/switch.tsx";
import { paths } from "../../place.ts";
import styles from "../../settings.module.css";
import * as texts from "./text.ts";
import { describeAsking, type ToolGroup, wordsOf } from "./tool-words.ts";
import { useAccess } from "./use-access.ts";
import type { ToolProps } from "./access-props.ts";

const groupNames = Object.keys(texts.groups) as readonly ToolGroup[];

export const ToolSection = ({ agent, tools, onChange }: ToolProps) => {
  const access = useAccess(agent, onChange);
  const toolNames = agent.content.tools;
  const name = toVisible(agent.content.name);
  const changedCount = tools.filter((tool) => hasTool(toolNames, tool) !== tool.isDefault).length;
  const changeTool = (tool: AgentTool, isOn: boolean): Promise<void> => {
    const { title } = wordsOf(tool);
    return access.change(
      ({ content }) => ({ tools: withTool(content.tools, tool, isOn) }),
      isOn ? texts.toolTurnedOn(title) : texts.toolTurnedOff(title),
    );
  };
  return (
    <Section title={texts.tools} text={texts.toolsDetail(name)}>
      {access.error === undefined ? undefined : <ErrorNotice error={access.error} />}
      {groupNames.map((group) => (
        <Group
          key={group}
          title={texts.groups[group]}
          mode={agent.content.mode ?? DEFAULT_AGENT_MODE}
          tools={tools.filter((tool) => wordsOf(tool).group === group)}
          isOn={(tool) => hasTool(toolNames, tool)}
          onTurn={changeTool}
        />
      ))}
      {changedCount === 0 ? undefined : (
        <div className={styles.row}>
          <span className={styles.about}>{texts.changedTools(changedCount)}</span>
          <Button
            size="small"
            onClick={() => observe(access.change(() => ({ tools: [DEFAULT_TOOLS] }), texts.toolsReset))}
          >
            {texts.resetTools}
          </Button>
        </div>
      )}
    </Section>
  );
};

interface GroupProps {
  readonly title: string;
  readonly mode: Parameters<typeof describeAsking>[1];
  readonly tools: readonly AgentTool[];
  readonly isOn: (tool: AgentTool) => boolean;
  readonly onTurn: (tool: AgentTool, isOn: boolean) => Promise<void>;
}

const Group = ({ title, mode, tools, isOn, onTurn }: GroupProps) => {
  const id = useId();
  if (tools.length === 0) return undefined;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul className={styles.list}>
        {tools.map((tool) => {
          const { title: toolTitle, detail, risks } = wordsOf(tool);
          return (
            <li key={tool.name}>
              <Switch title={toolTitle} isOn={isOn(tool)} onChange={(isEnabled) => onTurn(tool, isEnabled)}>
                <p>{detail}</p>
                <p>{[...risks, describeAsking(tool, mode)].join(" · ")}</p>
                {tool.missing === undefined ? undefined : <Lack lack={tool.missing} />}
              </Switch>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

/** The part that the tool lacks, with a link to the page that provides it. */
const Lack = ({ lack }: { readonly lack: ToolLack }) => {
  const { me } = useHouse();
  const to = remedyPaths[lack];
  const mayOpen = lack === "isolation" || lack === "other-agents" || mayAdministerHome(me);
  return (
    <p className={styles.missing}>
      {texts.lacks[lack]} {to === undefined || !mayOpen ? undefined : <Link href={to}>{texts.remedies[lack]}</Link>}
    </p>
  );
};

/** The sandbox settings are below on the same page. */
const remedyPaths: Readonly<Record<ToolLack, string | undefined>> = {
  isolation: undefined,
  "other-agents": paths.newAgent,
  pictures: paths.models,
  "search-engine": paths.web,
};
