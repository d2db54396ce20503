/** What an agent may spend on models and how much of it is left, beside the limits of the house, which are set elsewhere. */
import type { AgentRecord } from "@hearth/protocol";
import { useCallback } from "react";
import { Button } from "../design/button.tsx";
import { Field, Select, TextInput } from "../design/field.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import { useAnswer } from "../house/answer.ts";
import { useUi } from "../house/ui.tsx";
import { BudgetRows } from "./budget-rows.tsx";
import { budgetOf, checkBudget, fieldsOf, limitFields, tellLimit } from "./budget-words.ts";
import { ModelNameField } from "./model-name-field.tsx";
import { RecordFields, Section } from "./section.tsx";
import styles from "./settings.module.css";
import { useRecordForm } from "./use-record-form.ts";

export interface AgentBudgetProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentBudget = ({ agent, onChange }: AgentBudgetProps) => {
  const { client } = useUi();
  const { id, version } = agent;
  // What is left changes with the record.
  // oxlint-disable-next-line react/exhaustive-deps
  const ask = useCallback(() => client.budget(), [client, version]);
  const { value, error, isAsking, again } = useAnswer(ask);
  const own = value?.budgets.filter((budget) => budget.agent === id) ?? [];
  const house = value?.budgets.filter(({ scope }) => scope === "house") ?? [];
  return (
    <Section title="Budget" text={`What ${agent.content.name} may spend on models, and how much of it is left.`}>
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      {value === undefined && error === undefined ? <Spinner label="Please wait" /> : undefined}
      {value === undefined ? undefined : (
        <>
          {own.length === 0 ? (
            <p className={styles.quiet}>It has no limit of its own, and has spent nothing this month.</p>
          ) : (
            <BudgetRows label="Its own" budgets={own} timezone={value.timezone} />
          )}
          {house.length === 0 ? undefined : (
            <>
              <h3>All agents together</h3>
              <BudgetRows label="All agents together" budgets={house} timezone={value.timezone} />
            </>
          )}
          <p className={styles.quiet}>
            {value.turn === undefined ? "" : `A single turn of any agent may spend ${tellLimit(value.turn)}. `}
            Limits for all agents together are set under <code>[budget]</code> in <code>hearth.toml</code>.
          </p>
        </>
      )}
      <div className={styles.buttons}>
        <Button size="small" kind="quiet" isBusy={isAsking && value !== undefined} onClick={again}>
          Look again
        </Button>
      </div>
      <BudgetForm agent={agent} onChange={onChange} />
    </Section>
  );
};

const BudgetForm = ({ agent, onChange }: AgentBudgetProps) => {
  const { client } = useUi();
  const saved = fieldsOf(agent.content.budget ?? {});
  const form = useRecordForm({
    name: `form:budget:${agent.id}`,
    saved,
    check: checkBudget,
    async save(changes) {
      const typed = Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, text ?? ""]));
      onChange(await client.agents.update(agent.id, { content: { budget: budgetOf({ ...saved, ...typed }) } }));
    },
  });
  return (
    <RecordFields form={form} submit="Set its budget">
      <div className={styles.pair}>
        {limitFields.map(({ name, label, unit }) => (
          <Field key={name} label={label} error={form.errorOf(name)}>
            {(ids) => (
              <TextInput
                {...ids}
                inputMode={unit === "money" ? "decimal" : "numeric"}
                autoComplete="off"
                placeholder="No limit of its own"
                value={form.values[name]}
                onChange={(event) => form.set(name, event.target.value)}
              />
            )}
          </Field>
        ))}
      </div>
      <Field label="When a call does not fit any more" error={form.errorOf("atLimit")}>
        {(ids) => (
          <Select {...ids} value={form.values.atLimit} onChange={(event) => form.set("atLimit", event.target.value)}>
            <option value="">As is usual: the turn ends in words</option>
            <option value="stop">The turn ends in words</option>
            <option value="ask">A person who decides is asked</option>
            <option value="cheaper">A model that costs less is asked</option>
          </Select>
        )}
      </Field>
      {form.values.atLimit === "cheaper" ? (
        <ModelNameField
          label="The model that costs less"
          hint="As provider/model."
          value={form.values.cheaper}
          error={form.errorOf("cheaper")}
          onChange={(model) => form.set("cheaper", model)}
        />
      ) : undefined}
    </RecordFields>
  );
};
