/** Settings of one agent or person: profile, and for admins also model, keys and removal. */
import type { AgentRecord } from "@hearth/protocol";
import { Field, TextArea, TextInput } from "../design/field.tsx";
import { Spinner } from "../design/spinner.tsx";
import { mayIn } from "../house/may.ts";
import { createPart } from "../house/part.tsx";
import { brainPath, jobsPath } from "../house/paths.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { changeAgent } from "../models/change-agent.ts";
import { visible } from "../text/visible.tsx";
import { AgentModel } from "./agent-model.tsx";
import { AgentQueue } from "./agent-queue.tsx";
import { AgentRetrieval } from "./agent-retrieval.tsx";
import { AgentStop } from "./agent-stop.tsx";
import { AgentTools } from "./agent-tools.tsx";
import { AgentTrigger } from "./agent-trigger.tsx";
import { tellBot } from "./agents-page.tsx";
import { KeysSection } from "./keys-section.tsx";
import { MoreLink } from "./more-link.tsx";
import { checkName, NameField } from "./name-field.tsx";
import { PasswordSection } from "./password-section.tsx";
import { pathOfAgent, pathOfHeartbeat, paths } from "./place.ts";
import { Removal } from "./removal.tsx";
import { RecordFields, Section } from "./section.tsx";
import styles from "./settings.module.css";
import { UpLink } from "./up-link.tsx";
import { useRecordForm } from "./use-record-form.ts";

const AgentCells = createPart<AgentPageProps>({
  load: async () => (await import("./agent-cells.tsx")).AgentCells,
  Waiting: () => (
    <Section title="Sandboxes">
      <Spinner label="Loading" />
    </Section>
  ),
  Around: ({ children }) => <Section title="Sandboxes">{children}</Section>,
});

const AgentBudget = createPart<AgentPageProps>({
  load: async () => (await import("./agent-budget.tsx")).AgentBudget,
  Waiting: () => (
    <Section title="Budget">
      <Spinner label="Loading" />
    </Section>
  ),
  Around: ({ children }) => <Section title="Budget">{children}</Section>,
});

export interface AgentPageProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export const AgentPage = ({ agent, onChange }: AgentPageProps) => {
  const { me } = useHouse();
  const { id, handle, house, content } = agent;
  const decides = mayIn(me, "x", house);
  const isBot = content.kind === "bot";
  /** Agents that the house runs report their state. */
  const isHere = isBot && content.runs !== "elsewhere";
  return (
    <>
      <UpLink to={paths.agents}>Agents</UpLink>
      <Section title={content.name} text={`${isBot ? "Agent" : "Person"} · @${handle}`}>
        {decides ? <AgentFields agent={agent} onChange={onChange} /> : <p>{visible(content.description ?? "")}</p>}
        {isBot && !decides ? <p className={styles.quiet}>{tellBot(content)}</p> : undefined}
        <ul className={styles.list}>
          {isHere && mayIn(me, "r", house) ? (
            <li>
              <MoreLink
                to={pathOfAgent(handle, "activity")}
                title="Activity"
                text="Runs of this agent, with outcome and reason."
              />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink to={brainPath(handle)} title="Brain" text="Files, version history and prompt." />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink to={jobsPath(handle)} title="Jobs" text="Scheduled tasks and their run history." />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink
                to={pathOfHeartbeat(handle)}
                title="Heartbeat"
                text="Regular check-ins: schedule and run history."
              />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink
                to={pathOfAgent(handle, "inside")}
                title="Context"
                text="The context of the next run, and pending messages."
              />
            </li>
          ) : undefined}
          {decides ? (
            <li>
              <MoreLink
                to={paths.members}
                title="House role"
                text="Applies to the whole house. For a single room, see that room's page."
              />
            </li>
          ) : undefined}
        </ul>
      </Section>
      {isBot && !isHere ? (
        <Section title="Runtime">
          <p>An external program. It reads and writes in its rooms with an API key.</p>
        </Section>
      ) : undefined}
      {isHere && decides ? (
        <>
          <AgentModel agent={agent} onChange={onChange} />
          <AgentBudget agent={agent} onChange={onChange} />
          <AgentTrigger agent={agent} onChange={onChange} />
          <AgentQueue agent={agent} onChange={onChange} />
          <AgentRetrieval agent={agent} onChange={onChange} />
          <AgentTools agent={agent} />
          <AgentCells agent={agent} onChange={onChange} />
        </>
      ) : undefined}
      {!isBot && decides && id !== me?.agent.id ? <PasswordSection person={agent} isOwn={false} /> : undefined}
      {decides ? <KeysSection of={agent} /> : undefined}
      {isHere && decides ? <AgentStop agent={agent} /> : undefined}
      {decides && id !== me?.agent.id ? <AgentRemoval agent={agent} /> : undefined}
    </>
  );
};

const AgentFields = ({ agent, onChange }: AgentPageProps) => {
  const { client } = useUi();
  const rooms = useHouse().rooms.map(({ room }) => room);
  const { kind, name, description = "", prompt = "", runs } = agent.content;
  const form = useRecordForm({
    name: `form:${agent.id}`,
    saved: { name, description, prompt },
    check: (values) => checkName(values.name),
    save: async (changes) => onChange(await changeAgent({ client, agent, rooms, changes })),
  });
  return (
    <RecordFields form={form}>
      <NameField
        hint="Also changes the @mention."
        value={form.values.name}
        error={form.errorOf("name")}
        onChange={(next) => form.set("name", next)}
      />
      <Field
        label={kind === "bot" ? "Description (optional)" : "Description (optional)"}
        hint="Visible to people."
        error={form.errorOf("description")}
      >
        {(ids) => (
          <TextInput
            {...ids}
            value={form.values.description}
            autoComplete="off"
            onChange={(event) => form.set("description", event.target.value)}
          />
        )}
      </Field>
      {kind === "human" || runs === "elsewhere" ? undefined : (
        <Field
          label="Instructions (optional)"
          hint="The agent reads these instructions before every reply."
          error={form.errorOf("prompt")}
        >
          {(ids) => (
            <TextArea
              {...ids}
              className={styles.instructions}
              value={form.values.prompt}
              onChange={(event) => form.set("prompt", event.target.value)}
            />
          )}
        </Field>
      )}
    </RecordFields>
  );
};

const AgentRemoval = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const { id, content } = agent;
  const name = visible(content.name);
  const isBot = content.kind === "bot";
  return (
    <Removal
      name={content.name}
      text={isBot ? `${name} stops immediately and no longer replies.` : `${name} will lose access.`}
      consequences={
        isBot
          ? "Current runs stop, and its API keys stop working. Messages in rooms stay, and so does its folder in Hearth's home."
          : "Password, sessions and API keys stop working immediately. Messages stay."
      }
      remove={() => client.agents.remove(id)}
      form={`form:${id}`}
      others={paths.agents}
    />
  );
};
