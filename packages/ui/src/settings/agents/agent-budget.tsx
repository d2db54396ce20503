/** Budget of an agent: limits, spending and what remains, next to the limits of the house. */
import type { AgentRecord } from "@hearth/protocol";
import { useCallback } from "react";
import { Link } from "wouter";
import { Field, Select, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { useRequest } from "../../house/request.ts";
import { useInterval } from "../../house/interval.ts";
import { useUi } from "../../house/ui.tsx";
import { paths, pathOfUsage } from "../place.ts";
import { BudgetRows } from "./budget-rows.tsx";
import { budgetOf, checkBudget, fieldsOf, limitFields, describeLimit } from "./budget-words.ts";
import { ModelNameField } from "../form/model-name-field.tsx";
import { RecordFields, Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { useRecordForm } from "../form/use-record-form.ts";
import * as texts from "./text.ts";

export interface AgentBudgetProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

/** Refresh interval, because each model call changes the budget. */
const POLL_INTERVAL_MS = 5000;

export const AgentBudget = ({ agent, onChange }: AgentBudgetProps) => {
  const { client } = useUi();
  const { id, version } = agent;
  // `version` is a dependency, so that the budget is requested again after the agent was saved.
  // oxlint-disable-next-line react/exhaustive-deps
  const load = useCallback(() => client.budget(), [client, version]);
  const { value, error, reload } = useRequest(load);
  useInterval(POLL_INTERVAL_MS, reload);
  const usage = useRequest(useCallback(() => client.usage({ agent: id, days: 31 }), [client, id])).value;
  const agentBudgets = value?.budgets.filter((budget) => budget.agent === id) ?? [];
  const houseBudgets = value?.budgets.filter(({ scope }) => scope === "house") ?? [];
  return (
    <Section title={texts.budget} text={texts.limitsAndSpending(agent.content.name)}>
      {error === undefined ? undefined : <ErrorNotice error={error} />}
      {value === undefined && error === undefined ? <Spinner label={texts.loading} /> : undefined}
      {value === undefined ? undefined : (
        <>
          {agentBudgets.length === 0 ? (
            <p className={styles.quiet}>{texts.noLimitOrSpending}</p>
          ) : (
            <BudgetRows label={texts.agent} budgets={agentBudgets} timezone={value.timezone} usage={usage} />
          )}
          {houseBudgets.length === 0 ? undefined : (
            <>
              <h3>{texts.house}</h3>
              <BudgetRows label={texts.house} budgets={houseBudgets} timezone={value.timezone} />
            </>
          )}
          <p className={styles.quiet}>
            {value.turn === undefined ? "" : texts.limitPerRun(describeLimit(value.turn))}
            {texts.houseLimitsAreOn} <Link href={paths.limits}>{texts.usageAndLimits}</Link>.{" "}
            <Link href={pathOfUsage(agent.handle)}>{texts.usageOf(agent.content.name)}</Link>
          </p>
        </>
      )}
      <BudgetForm agent={agent} onChange={onChange} />
    </Section>
  );
};

const BudgetForm = ({ agent, onChange }: AgentBudgetProps) => {
  const { client } = useUi();
  const savedFields = fieldsOf(agent.content.budget ?? {});
  const form = useRecordForm({
    name: `form:budget:${agent.id}`,
    saved: savedFields,
    check: checkBudget,
    async save(changes) {
      const changedFields = Object.fromEntries(Object.entries(changes).map(([name, text]) => [name, text ?? ""]));
      onChange(
        await client.agents.update(agent.id, { content: { budget: budgetOf({ ...savedFields, ...changedFields }) } }),
      );
    },
  });
  return (
    <RecordFields form={form} subject={texts.budgetForm}>
      <div className={styles.pair}>
        {limitFields.map(({ name, label, unit }) => (
          <Field key={name} label={label} error={form.errorOf(name)}>
            {(ids) => (
              <TextInput
                {...ids}
                inputMode={unit === "money" ? "decimal" : "numeric"}
                autoComplete="off"
                placeholder={texts.noLimit}
                value={form.values[name]}
                onChange={(event) => form.set(name, event.target.value)}
              />
            )}
          </Field>
        ))}
      </div>
      <Field label={texts.atLimit} error={form.errorOf("atLimit")}>
        {(ids) => (
          <Select {...ids} value={form.values.atLimit} onChange={(event) => form.set("atLimit", event.target.value)}>
            <option value="">{texts.endRunByDefault}</option>
            <option value="stop">{texts.endRun}</option>
            <option value="ask">{texts.askAdmin}</option>
            <option value="cheaper">{texts.switchToCheaperModel}</option>
          </Select>
        )}
      </Field>
      {form.values.atLimit === "cheaper" ? (
        <ModelNameField
          label={texts.cheaperModel}
          hint={texts.modelNameFormat}
          value={form.values.cheaper}
          error={form.errorOf("cheaper")}
          onChange={(model) => form.set("cheaper", model)}
        />
      ) : undefined}
    </RecordFields>
  );
};
