/** Lists the tools in the record of an agent. */
import type { AgentRecord } from "@hearth/protocol";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const AgentTools = ({ agent }: { readonly agent: AgentRecord }) => {
  const { tools } = agent.content;
  const name = toVisible(agent.content.name);
  return (
    <Section title={texts.tools}>
      {tools === undefined ? (
        <p>{texts.usesDefaultTools(name)}</p>
      ) : tools.length === 0 ? (
        <p>{texts.hasNoTools(name)}</p>
      ) : (
        <ul className={styles.words} aria-label={texts.toolsOf(name)}>
          {tools.map((tool) => (
            <li key={tool}>
              <code>{tool}</code>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};
