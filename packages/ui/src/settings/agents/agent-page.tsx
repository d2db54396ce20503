/** Settings of one agent or person: profile, and for admins also model, keys and removal. */
import { changeAgent } from "@hearth/client";
import type { AgentRecord } from "@hearth/protocol";
import { Field, TextArea, TextInput } from "../../design/field.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { mayIn } from "../../house/may.ts";
import { createPart } from "../../house/part.tsx";
import { brainPath, jobsPath } from "../../house/paths.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { visible } from "../../text/visible.tsx";
import { AgentModel } from "./agent-model.tsx";
import { AgentQueue } from "./agent-queue.tsx";
import { AgentRetrieval } from "./agent-retrieval.tsx";
import { AgentStop } from "./agent-stop.tsx";
import { AgentTools } from "./agent-tools.tsx";
import { AgentTrigger } from "./agent-trigger.tsx";
import { describeBot } from "./agents-page.tsx";
import { KeysSection } from "../account/keys-section.tsx";
import { MoreLink } from "../form/more-link.tsx";
import { checkName, NameField } from "../form/name-field.tsx";
import { PasswordSection } from "../account/password-section.tsx";
import { SecondFactorSection } from "../account/second-factor-section.tsx";
import { pathOfAgent, pathOfHeartbeat, paths } from "../place.ts";
import { Removal } from "../form/removal.tsx";
import { RecordFields, Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { UpLink } from "../form/up-link.tsx";
import { useRecordForm } from "../form/use-record-form.ts";
import * as texts from "./text.ts";

const AgentCells = createPart<AgentPageProps>({
  load: async () => (await import("./agent-cells.tsx")).AgentCells,
  Waiting: () => (
    <Section title={texts.sandboxes}>
      <Spinner label={texts.loading} />
    </Section>
  ),
  Around: ({ children }) => <Section title={texts.sandboxes}>{children}</Section>,
});

const AgentBudget = createPart<AgentPageProps>({
  load: async () => (await import("./agent-budget.tsx")).AgentBudget,
  Waiting: () => (
    <Section title={texts.budget}>
      <Spinner label={texts.loading} />
    </Section>
  ),
  Around: ({ children }) => <Section title={texts.budget}>{children}</Section>,
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
      <UpLink to={paths.agents}>{texts.agents}</UpLink>
      <Section title={content.name} text={`${isBot ? texts.agent : texts.person} · @${handle}`}>
        {decides ? <AgentFields agent={agent} onChange={onChange} /> : <p>{visible(content.description ?? "")}</p>}
        {isBot && !decides ? <p className={styles.quiet}>{describeBot(content)}</p> : undefined}
        <ul className={styles.list}>
          {isHere && mayIn(me, "r", house) ? (
            <li>
              <MoreLink to={pathOfAgent(handle, "activity")} title={texts.activity} text={texts.activityDetail} />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink to={brainPath(handle)} title={texts.brain} text={texts.brainDetail} />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink to={jobsPath(handle)} title={texts.jobs} text={texts.jobsDetail} />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink to={pathOfHeartbeat(handle)} title={texts.heartbeat} text={texts.heartbeatDetail} />
            </li>
          ) : undefined}
          {isHere && decides ? (
            <li>
              <MoreLink to={pathOfAgent(handle, "inside")} title={texts.context} text={texts.contextDetail} />
            </li>
          ) : undefined}
          {decides ? (
            <li>
              <MoreLink to={paths.members} title={texts.houseRole} text={texts.houseRoleDetail} />
            </li>
          ) : undefined}
        </ul>
      </Section>
      {isBot && !isHere ? (
        <Section title={texts.runtime}>
          <p>{texts.externalRuntime}</p>
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
      {!isBot && decides && id !== me?.agent.id ? <PersonCredentials person={agent} /> : undefined}
      {decides ? <KeysSection of={agent} /> : undefined}
      {isHere && decides ? <AgentStop agent={agent} /> : undefined}
      {decides && id !== me?.agent.id ? <AgentRemoval agent={agent} /> : undefined}
    </>
  );
};

/** How another person logs in. */
const PersonCredentials = ({ person }: { readonly person: AgentRecord }) => (
  <>
    <PasswordSection person={person} isOwn={false} />
    <SecondFactorSection person={person} isOwn={false} />
  </>
);

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
    <RecordFields form={form} subject={texts.profileForm}>
      <NameField
        hint={texts.nameHint}
        value={form.values.name}
        error={form.errorOf("name")}
        onChange={(next) => form.set("name", next)}
      />
      <Field label={texts.description} hint={texts.descriptionHint} error={form.errorOf("description")}>
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
        <Field label={texts.instructions} hint={texts.instructionsHint} error={form.errorOf("prompt")}>
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
      text={isBot ? texts.agentRemovalEffect(name) : texts.personRemovalEffect(name)}
      consequences={isBot ? texts.agentRemovalConsequences : texts.personRemovalConsequences}
      remove={() => client.agents.remove(id)}
      form={`form:${id}`}
      others={paths.agents}
    />
  );
};
