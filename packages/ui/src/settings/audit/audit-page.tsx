/** The audit log of a house: its rows with filters, its verification and its export. */
import type { AgentRecord, HouseRecord } from "@hearth/protocol";
import { Field, TextInput } from "../../design/field.tsx";
import { FilterBar } from "../../design/filter-bar.tsx";
import { useFilters } from "../../house/filters.ts";
import { useHouse } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { byName } from "../form/choose-agents.tsx";
import { Section } from "../form/section.tsx";
import { type AuditFilterName, auditFilterNames, type AuditFilterValues } from "./audit-filters.ts";
import { AuditRows } from "./audit-rows.tsx";
import { kinds } from "./audit-words.ts";
import * as texts from "./text.ts";
import { VerifySection } from "./verify-section.tsx";

export const AuditPage = ({ house }: { readonly house: HouseRecord }) => {
  const { houses } = useHouse();
  const { values, set, clear } = useFilters(auditFilterNames);
  return (
    <Section
      title={houses.length > 1 ? texts.auditLogOf(toVisible(house.content.name)) : texts.auditLog}
      text={texts.introduction}
    >
      <VerifySection house={house} />
      <AuditFilterBar house={house} values={values} onChange={set} onClear={clear} />
      <AuditRows house={house} values={values} />
    </Section>
  );
};

interface AuditFilterBarProps {
  readonly house: HouseRecord;
  readonly values: AuditFilterValues;
  readonly onChange: (name: AuditFilterName, value: string) => void;
  readonly onClear: () => void;
}

const AuditFilterBar = ({ house, values, onChange, onClear }: AuditFilterBarProps) => {
  const { agents } = useHouse();
  const members = [...agents.values()].filter((agent) => agent.house === house.id).toSorted(byName);
  return (
    <FilterBar
      label={texts.filters}
      values={values}
      onChange={onChange}
      onClear={onClear}
      filters={[
        {
          name: "kind",
          label: texts.kind,
          all: texts.allKinds,
          options: kinds.map((value) => ({ value, title: texts.kindTitles[value] })),
        },
        {
          name: "person",
          label: texts.person,
          all: texts.allPeople,
          options: optionsOf(members, "human", values.person),
        },
        { name: "agent", label: texts.agent, all: texts.allAgents, options: optionsOf(members, "bot", values.agent) },
      ]}
    >
      <DateField label={texts.from} value={values.from} onChange={(value) => onChange("from", value)} />
      <DateField label={texts.to} value={values.to} onChange={(value) => onChange("to", value)} />
    </FilterBar>
  );
};

/** Returns the choices of a filter. A link may name a member who was removed since. */
const optionsOf = (members: readonly AgentRecord[], kind: AgentRecord["content"]["kind"], selectedValue: string) => {
  const options = members
    .filter(({ content }) => content.kind === kind)
    .map(({ id, content }): { readonly value: string; readonly title: string } => ({
      value: id,
      title: toVisible(content.name),
    }));
  const isListed = selectedValue === "" || options.some(({ value }) => value === selectedValue);
  return isListed ? options : [...options, { value: selectedValue, title: texts.formerMember }];
};

interface DateFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const DateField = ({ label, value, onChange }: DateFieldProps) => (
  <Field label={label}>
    {(ids) => <TextInput {...ids} type="date" value={value} onChange={({ target }) => onChange(target.value)} />}
  </Field>
);
