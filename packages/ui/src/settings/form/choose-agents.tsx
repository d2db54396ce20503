/** Checkboxes that select people and agents. */
import type { AgentRecord } from "@hearth/protocol";
import { Checkbox } from "../../design/field.tsx";
import { compareNames } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../settings.module.css";

export interface ChooseAgentsProps {
  readonly label: string;
  readonly agents: readonly AgentRecord[];
  readonly selectedIds: ReadonlySet<string>;
  readonly onChange: (selectedIds: ReadonlySet<string>) => void;
}

export const ChooseAgents = ({ label, agents, selectedIds, onChange }: ChooseAgentsProps) => (
  <fieldset>
    <legend className={styles.name}>{label}</legend>
    {agents.map(({ id, handle, content }) => (
      <Checkbox
        key={id}
        label={toVisible(content.name)}
        detail={`@${handle}`}
        checked={selectedIds.has(id)}
        onChange={({ target }) => {
          const newIds = new Set(selectedIds);
          if (target.checked) newIds.add(id);
          else newIds.delete(id);
          onChange(newIds);
        }}
      />
    ))}
  </fieldset>
);

/** Returns the agents of one house, sorted by name. */
export const agentsOf = (agents: Iterable<AgentRecord>, house: string | undefined): readonly AgentRecord[] =>
  [...agents].filter((agent) => agent.house === house).toSorted(byName);

export const byName = (a: AgentRecord, b: AgentRecord): number =>
  compareNames(a.content.name, b.content.name) || a.createdAt - b.createdAt;
