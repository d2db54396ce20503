/** The page of one agent, with tabs, or of one person. The path names the tab. */
import { changeAgent } from "@hearth/client";
import type { AgentRecord, Me } from "@hearth/protocol";
import { Field, TextArea, TextInput } from "../../design/field.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { Tabs } from "../../design/tabs.tsx";
import { mayIn } from "../../house/may.ts";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { brainPath, automationsPath } from "../../house/paths.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { toVisible } from "../../text/visible.tsx";
import { AgentModel } from "./agent-model.tsx";
import { AgentQueue } from "./agent-queue.tsx";
import { AgentRetrieval } from "./agent-retrieval.tsx";
import { AgentStop } from "./agent-stop.tsx";
import { AgentTrigger } from "./agent-trigger.tsx";
import { describeBot } from "./agents-page.tsx";
import { MoreLink } from "../form/more-link.tsx";
import { checkName, NameField } from "../form/name-field.tsx";
import { PasswordSection } from "../account/password-section.tsx";
import { IdentitiesSection } from "../account/identities-section.tsx";
import { PasskeysSection } from "../account/passkeys-section.tsx";
import { SecondFactorSection } from "../account/second-factor-section.tsx";
import { type AgentTab, agentTabs, pathOfAgent, pathOfHeartbeat, paths } from "../place.ts";
import { KeysSection } from "../keys/keys-section.tsx";
import { Removal } from "../form/removal.tsx";
import { RecordFields, Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { UpLink } from "../form/up-link.tsx";
import { useRecordForm } from "../form/use-record-form.ts";
import { agentTabs as tabTitles, tabOfAgent } from "../text.ts";
import * as texts from "./text.ts";

const AccessTab = createLazyPart<AgentFormProps>({
  load: async () => (await import("./access/access-tab.tsx")).AccessTab,
  Fallback: () => <Spinner label={texts.loading} />,
});

const AgentCells = createLazyPart<AgentFormProps>({
  load: async () => (await import("./agent-cells.tsx")).AgentCells,
  Fallback: () => (
    <Section title={texts.sandboxes}>
      <Spinner label={texts.loading} />
    </Section>
  ),
  Wrapper: ({ children }) => <Section title={texts.sandboxes}>{children}</Section>,
});

const AgentFallback = createLazyPart<AgentFormProps>({
  load: async () => (await import("./agent-fallback.tsx")).AgentFallback,
  Fallback: () => (
    <Section title={texts.fallbackModels}>
      <Spinner label={texts.loading} />
    </Section>
  ),
  Wrapper: ({ children }) => <Section title={texts.fallbackModels}>{children}</Section>,
});

const AgentBudget = createLazyPart<AgentFormProps>({
  load: async () => (await import("./agent-budget.tsx")).AgentBudget,
  Fallback: () => (
    <Section title={texts.budget}>
      <Spinner label={texts.loading} />
    </Section>
  ),
  Wrapper: ({ children }) => <Section title={texts.budget}>{children}</Section>,
});

const ActivityPage = createLazyPart<{ readonly subject: AgentRecord }>({
  load: async () => (await import("../activity/activity-page.tsx")).ActivityPage,
  Fallback: () => <Spinner label={texts.loading} />,
});

export interface AgentFormProps {
  readonly agent: AgentRecord;
  readonly onChange: (agent: AgentRecord) => void;
}

export interface AgentPageProps extends AgentFormProps {
  readonly tab: AgentTab;
}

/** Whether the house runs this agent. */
const runsInHouse = ({ content }: AgentRecord): boolean => content.kind === "bot" && content.runs !== "elsewhere";

/** Returns the tabs that the user may open. A person has one tab, and so does an agent that runs elsewhere. */
export const tabsOf = (agent: AgentRecord, me: Me | undefined): readonly AgentTab[] => {
  if (!runsInHouse(agent)) return ["overview"];
  if (mayIn(me, "x", agent.house)) return agentTabs;
  return mayIn(me, "r", agent.house) ? ["overview", "activity"] : ["overview"];
};

export const AgentPage = ({ agent, tab, onChange }: AgentPageProps) => {
  const { me } = useHouse();
  const { handle, content } = agent;
  const tabs = tabsOf(agent, me);
  const kind = content.kind === "bot" ? texts.agent : texts.person;
  return (
    <>
      <UpLink to={paths.agents}>{texts.agents}</UpLink>
      <header className={styles.head}>
        <h2>{toVisible(content.name)}</h2>
        <p className={styles.quiet}>{toVisible(`${kind} · @${handle}`)}</p>
      </header>
      {tabs.length === 1 ? undefined : (
        <Tabs
          label={texts.pagesOf(toVisible(content.name))}
          tabs={tabs.map((pageTab) => ({
            title: tabTitles[pageTab],
            path: pathOfAgent(handle, pageTab),
            isCurrent: pageTab === tab,
            // The side bar has a link with the same title.
            label: tabOfAgent(tabTitles[pageTab], toVisible(content.name)),
          }))}
        />
      )}
      <Tab agent={agent} tab={tab} onChange={onChange} />
    </>
  );
};

/** The credentials of another person. */
const PersonCredentials = ({ person }: { readonly person: AgentRecord }) => (
  <>
    <PasswordSection person={person} isOwn={false} />
    <PasskeysSection person={person} isOwn={false} />
    <IdentitiesSection person={person} isOwn={false} />
    <SecondFactorSection person={person} isOwn={false} />
  </>
);

const Tab = ({ agent, tab, onChange }: AgentPageProps) => {
  const { handle } = agent;
  switch (tab) {
    case "overview":
      return <Overview agent={agent} onChange={onChange} />;
    case "instructions":
      return (
        <>
          <AgentInstructions agent={agent} onChange={onChange} />
          <Section title={texts.context}>
            <ul className={styles.list}>
              <PageLink to={pathOfAgent(handle, "inside")} title={texts.context} text={texts.contextDetail} />
              <PageLink to={brainPath(handle, "prompt")} title={texts.prompt} text={texts.promptDetail} />
            </ul>
          </Section>
        </>
      );
    case "tools":
      return (
        <>
          <AccessTab agent={agent} onChange={onChange} />
          <KeysSection owner={agent} />
          <AgentCells agent={agent} onChange={onChange} />
        </>
      );
    case "memory":
      return (
        <>
          <Section title={texts.brain}>
            <ul className={styles.list}>
              <PageLink to={brainPath(handle)} title={texts.files} text={texts.filesDetail} />
              <PageLink to={brainPath(handle, "workspace")} title={texts.workspace} text={texts.workspaceDetail} />
              <PageLink to={brainPath(handle, "memory")} title={texts.memory} text={texts.memoryDetail} />
              <PageLink to={brainPath(handle, "history")} title={texts.versions} text={texts.versionsDetail} />
            </ul>
          </Section>
          <AgentRetrieval agent={agent} onChange={onChange} />
        </>
      );
    case "automations":
      return (
        <>
          <Section title={texts.automations}>
            <ul className={styles.list}>
              <PageLink to={automationsPath(handle)} title={texts.jobs} text={texts.jobsDetail} />
              <PageLink to={pathOfHeartbeat(handle)} title={texts.heartbeat} text={texts.heartbeatDetail} />
            </ul>
          </Section>
          <AgentTrigger agent={agent} onChange={onChange} />
        </>
      );
    case "budget":
      return <AgentBudget agent={agent} onChange={onChange} />;
    case "activity":
      return <ActivityPage subject={agent} />;
    case "advanced":
      return (
        <>
          <AgentQueue agent={agent} onChange={onChange} />
          <AgentRemoval agent={agent} />
        </>
      );
  }
};

const PageLink = ({ to, title, text }: { readonly to: string; readonly title: string; readonly text: string }) => (
  <li>
    <MoreLink to={to} title={title} text={text} />
  </li>
);

/**
 * The first tab. It contains everything about a person or an agent that runs elsewhere, and the
 * profile of other agents.
 */
const Overview = ({ agent, onChange }: AgentFormProps) => {
  const { me } = useHouse();
  const { id, house, content } = agent;
  const canAdminister = mayIn(me, "x", house);
  const isBot = content.kind === "bot";
  const hasOneTab = tabsOf(agent, me).length === 1;
  return (
    <>
      {canAdminister ? (
        <Section title={texts.profile}>
          <AgentFields agent={agent} onChange={onChange} />
          {hasOneTab ? (
            <ul className={styles.list}>
              <PageLink to={paths.members} title={texts.houseRole} text={texts.houseRoleDetail} />
            </ul>
          ) : undefined}
        </Section>
      ) : (
        <>
          <p>{toVisible(content.description ?? "")}</p>
          {isBot ? <p className={styles.quiet}>{describeBot(content)}</p> : undefined}
        </>
      )}
      {isBot && !runsInHouse(agent) ? (
        <Section title={texts.runtime}>
          <p>{texts.externalRuntime}</p>
        </Section>
      ) : undefined}
      {runsInHouse(agent) && canAdminister ? (
        <>
          <AgentModel agent={agent} onChange={onChange} />
          <AgentFallback agent={agent} onChange={onChange} />
          <AgentStop agent={agent} />
        </>
      ) : undefined}
      {!isBot && canAdminister && id !== me?.agent.id ? <PersonCredentials person={agent} /> : undefined}
      {hasOneTab && canAdminister ? <KeysSection owner={agent} /> : undefined}
      {hasOneTab && canAdminister && id !== me?.agent.id ? <AgentRemoval agent={agent} /> : undefined}
    </>
  );
};

const AgentFields = ({ agent, onChange }: AgentFormProps) => {
  const { client } = useUi();
  const rooms = useHouse().rooms.map(({ room }) => room);
  const { name, description = "" } = agent.content;
  const form = useRecordForm({
    name: `form:${agent.id}`,
    saved: { name, description },
    check: (values) => checkName(values.name),
    save: async (changes) => onChange(await changeAgent({ client, agent, rooms, changes })),
  });
  return (
    <RecordFields form={form} subject={texts.profileForm}>
      <NameField
        hint={texts.nameHint}
        value={form.values.name}
        error={form.errorOf("name")}
        onChange={(newName) => form.set("name", newName)}
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
    </RecordFields>
  );
};

const AgentInstructions = ({ agent, onChange }: AgentFormProps) => {
  const { client } = useUi();
  const form = useRecordForm({
    name: `form:${agent.id}:instructions`,
    saved: { prompt: agent.content.prompt ?? "" },
    save: async (content) => onChange(await client.agents.update(agent.id, { content })),
  });
  return (
    <Section title={texts.instructionsTitle}>
      <RecordFields form={form} subject={texts.instructionsForm}>
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
      </RecordFields>
    </Section>
  );
};

const AgentRemoval = ({ agent }: { readonly agent: AgentRecord }) => {
  const { client } = useUi();
  const { id, content } = agent;
  const name = toVisible(content.name);
  const isBot = content.kind === "bot";
  return (
    <Removal
      name={content.name}
      text={isBot ? texts.agentRemovalEffect(name) : texts.personRemovalEffect(name)}
      consequences={isBot ? texts.agentRemovalConsequences : texts.personRemovalConsequences}
      remove={() => client.agents.remove(id)}
      form={`form:${id}`}
      returnPath={paths.agents}
    />
  );
};
