/** Checkboxes that select people and agents. */
import type { AgentRecord } from "@hearth/protocol";
import { Checkbox } from "../../design/field.tsx";
import { compareNames } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../settings.module.css";

export interface ChooseAgentsProps {
  readonly label: string;
  readonly agents: readonly AgentRecord[];
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
}

export const ChooseAgents = ({ label, agents, chosen, onChange }: ChooseAgentsProps) => (
  <fieldset>
    <legend className={styles.name}>{label}</legend>
    {agents.map(({ id, handle, content }) => (
      <Checkbox
        key={id}
        label={toVisible(content.name)}
        detail={`@${handle}`}
        checked={chosen.has(id)}
        onChange={({ target }) => {
          const next = new Set(chosen);
          if (target.checked) next.add(id);
          else next.delete(id);
          onChange(next);
        }}
      />
    ))}
  </fieldset>
);

/** Returns the agents of one house, sorted by name. */
export const agentsOf = (agents: Iterable<AgentRecord>, house: string | undefined): readonly AgentRecord[] =>
  [...agents].filter((agent) => agent.house === house).toSorted(byName);

export const byName = (one: AgentRecord, other: AgentRecord): number =>
  compareNames(one.content.name, other.content.name) || one.createdAt - other.createdAt;
