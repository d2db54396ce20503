/** One agent, bot or person: who it is, and for who decides also how it should be, what it thinks with, its keys and its end. */
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
    <Section title="Cells">
      <Spinner label="Please wait" />
    </Section>
  ),
  Around: ({ children }) => <Section title="Cells">{children}</Section>,
});

const AgentBudget = createPart<AgentPageProps>({
  load: async () => (await import("./agent-budget.tsx")).AgentBudget,
  Waiting: () => (
    <Section title="Budget">
      <Spinner label="Please wait" />
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
  /** The house wakes it, and so it knows what it does. */
  const isHere = isBot && content.runs !== "elsewhere";
  return (
    <>
      <UpLink to={paths.agents}>Agents</UpLink>
      <Section title={content.name} text={`${isBot ? "Bot" : "Person"} · @${handle}`}>
        {decides ? <AgentFields agent={agent} onChange={onChange} /> : <p>{visible(content.description ?? "")}</p>}
        {isBot && !decides ? <p className={styles.quiet}>{tellBot(content)}</p> : undefined}
        <ul className={styles.list}>
          {isHere && mayIn(me, "r", house) ? (
            <li>
              <MoreLink
                to={pathOfAgent(handle, "activity")}
                title="Activity"
                text="What woke it, what came of it, and why it kept quiet."
              />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink
                to={brainPath(handle)}
                title="Brain"
                text="Its files, what became of them, and what of it the model reads."
              />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink
                to={jobsPath(handle)}
                title="Jobs"
                text="What it does by itself at set times, and what came of that."
              />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink
                to={pathOfHeartbeat(handle)}
                title="Heartbeat"
                text="Whether it looks at its list by itself, how often, and what came of that."
              />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink
                to={pathOfAgent(handle, "inside")}
                title="Inside"
                text="What its next time awake is given, and what waits for it."
              />
            </li>
          ) : undefined}
          {decides ? (
            <li>
              <MoreLink
                to={paths.members}
                title="What it may do"
                text="In the house; what it may in one room, the room's page says."
              />
            </li>
          ) : undefined}
        </ul>
      </Section>
      {isBot && !isHere ? (
        <Section title="Where it runs">
          <p>A program of its own, elsewhere. It follows its rooms and writes there with a key.</p>
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
        hint="Also changes how it is called with @."
        value={form.values.name}
        error={form.errorOf("name")}
        onChange={(next) => form.set("name", next)}
      />
      <Field
        label={kind === "bot" ? "What it is for (optional)" : "About them (optional)"}
        hint="For people to see."
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
          hint="What it should be like and keep to. It reads them before every answer."
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
      text={isBot ? `${name} stops at once and answers nobody any more.` : `${name} can come in no more.`}
      consequences={
        isBot
          ? "What it is doing is stopped, and its keys stop working. What was said in its rooms stays, and so does its folder of notes and files in Hearth's home."
          : "Their password, logins and keys stop working at once. What they said stays."
      }
      remove={() => client.agents.remove(id)}
      form={`form:${id}`}
      others={paths.agents}
    />
  );
};
