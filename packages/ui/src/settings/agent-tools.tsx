/** Which tools an agent may use, as its record says. */
import type { AgentRecord } from "@hearth/protocol";
import { visible } from "../text/visible.tsx";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";

export const AgentTools = ({ agent }: { readonly agent: AgentRecord }) => {
  const { tools } = agent.content;
  const name = visible(agent.content.name);
  return (
    <Section title="Tools">
      {tools === undefined ? (
        <p>{name} uses every tool that needs no person's word.</p>
      ) : tools.length === 0 ? (
        <p>{name} uses no tool.</p>
      ) : (
        <ul className={styles.words} aria-label={`Tools of ${name}`}>
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
