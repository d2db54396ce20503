/** The model providers as a table: their state and their agents, and dialogs that test and change one. */
import type { AgentRecord, ProviderInfo } from "@hearth/protocol";
import { type ReactNode, useState } from "react";
import { Badge } from "../../design/badge.tsx";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { EmptyState } from "../../design/empty-state.tsx";
import type { TableColumn } from "../../design/table.tsx";
import { titleOf } from "../../design/vendors.ts";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { mayAdministerHome } from "../../house/may.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { type RowChoice, ListTable } from "../../lists/list-table.tsx";
import type { ListFilter } from "../../lists/matching.ts";
import { findModelInUse } from "../../models/model-in-use.ts";
import { OFFLINE, describeProvider } from "../../models/sources.ts";
import { toVisible } from "../../text/visible.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const EditProvider = createLazyPart({ load: async () => (await import("./edit-provider.tsx")).EditProvider });
const ChangeKey = createLazyPart({ load: async () => (await import("./change-key.tsx")).ChangeKey });
const ProviderTest = createLazyPart({ load: async () => (await import("./provider-test.tsx")).ProviderTest });

export interface ProviderTableProps {
  readonly providers: readonly ProviderInfo[];
  readonly agents: readonly AgentRecord[];
  /** Called after providers were removed, or one was changed. */
  readonly onChange: () => void;
}

/** The open dialog. */
interface OpenedForm {
  readonly form: ProviderForm;
  readonly provider: ProviderInfo;
}
type ProviderForm = "test" | "key" | "edit";

export const ProviderTable = ({ providers, agents, onChange }: ProviderTableProps) => {
  const { client } = useUi();
  const { me } = useHouse();
  const [openedForm, setOpenedForm] = useState<OpenedForm>();
  return (
    <>
      <ListTable
        label={texts.modelProviders}
        rows={providers}
        keyOf={({ name }) => name}
        nameOf={nameOf}
        columns={columnsOf(agents, (provider) => setOpenedForm({ form: "test", provider }))}
        filters={[stateFilter]}
        searchText={(provider) => `${nameOf(provider)} ${usersOf(agents, provider.name).join(" ")}`}
        choices={choicesOf(mayAdministerHome(me), setOpenedForm)}
        changes={[
          {
            id: "remove",
            label: texts.remove,
            icon: "delete",
            title: texts.removeProviderCount,
            confirm: {
              title: texts.removeProviders,
              text: (rows) => describeRemoval(rows.flatMap(({ name }) => usersOf(agents, name))),
            },
            isDanger: true,
            applies: isConfigured,
            run: ({ name }) => client.providers.remove(name),
            done: texts.providersRemoved,
          },
        ]}
        onChanged={onChange}
        empty={<EmptyState icon="key" title={texts.noProviders} />}
      />
      <ProviderDialog
        openedForm={openedForm}
        agents={agents}
        onClose={() => setOpenedForm(undefined)}
        onChanged={onChange}
      />
    </>
  );
};

const nameOf = ({ name }: ProviderInfo): string => (name === OFFLINE ? texts.offlineModel : titleOf(name));

/** Whether hearth.toml has the provider. Others are built in, or found in the environment. */
const isConfigured = ({ source }: ProviderInfo): boolean => source === "config";

/** A composite has neither an address nor retries. */
const isComposite = ({ kind }: ProviderInfo): boolean => kind === "reliable" || kind === "router";

export const choicesOf = (
  isAdmin: boolean,
  open: (openedForm: OpenedForm) => void,
): readonly RowChoice<ProviderInfo>[] => {
  const openForm = (form: ProviderForm) => (provider: ProviderInfo) => open({ form, provider });
  return [
    {
      id: "key",
      label: texts.changeKey,
      icon: "key",
      applies: ({ keyIsStored }) => keyIsStored === true,
      onChoose: openForm("key"),
    },
    {
      id: "edit",
      label: texts.editProvider,
      icon: "edit",
      applies: (provider) => isAdmin && isConfigured(provider) && !isComposite(provider),
      onChoose: openForm("edit"),
    },
  ];
};

const stateFilter: ListFilter<ProviderInfo> = {
  name: "provider",
  label: texts.state,
  all: texts.allStates,
  options: [
    { value: "ready", title: texts.ready },
    { value: "not-ready", title: texts.notReady },
  ],
  matches: ({ ready }, value) => ready === (value === "ready"),
};

const columnsOf = (
  agents: readonly AgentRecord[],
  onTest: (provider: ProviderInfo) => void,
): readonly [TableColumn<ProviderInfo>, ...TableColumn<ProviderInfo>[]] => [
  { title: texts.provider, cell: (provider) => <span className={styles.name}>{nameOf(provider)}</span> },
  {
    title: texts.state,
    cell: (provider) => <ProviderState provider={provider} onTest={() => onTest(provider)} />,
  },
  { title: texts.usedBy, cell: ({ name }) => usersOf(agents, name).join(", ") },
];

interface ProviderStateProps {
  readonly provider: ProviderInfo;
  readonly onTest: () => void;
}

const ProviderState = ({ provider, onTest }: ProviderStateProps) => {
  const { name, ready } = provider;
  return (
    <span className={styles.about}>
      <span className={styles.buttons}>
        <Badge kind={ready ? "success" : "danger"}>{ready ? texts.ready : texts.notReady}</Badge>
        {ready && name !== OFFLINE ? (
          <Button size="small" aria-label={texts.testProvider(nameOf(provider))} onClick={onTest}>
            {texts.test}
          </Button>
        ) : undefined}
      </span>
      <span className={ready ? styles.quiet : styles.missing}>{describeProvider(provider)}</span>
    </span>
  );
};

/** Returns the names of the agents that use a model of this provider. */
export const usersOf = (agents: readonly AgentRecord[], provider: string): readonly string[] =>
  agents
    .filter(({ content }) => content.model?.startsWith(`${provider}/`))
    .map(({ content }) => toVisible(content.name));

export const describeRemoval = (users: readonly string[]): string => {
  const effect = texts.providerRemovalEffect;
  return users.length === 0 ? effect : texts.providerRemovalEffectOnAgents(effect, users.join(", "));
};

interface ProviderDialogProps {
  readonly openedForm: OpenedForm | undefined;
  readonly agents: readonly AgentRecord[];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

const ProviderDialog = ({ openedForm, agents, onClose, onChanged }: ProviderDialogProps) => (
  <Dialog
    title={openedForm === undefined ? "" : titles[openedForm.form](nameOf(openedForm.provider))}
    isOpen={openedForm !== undefined}
    onClose={onClose}
  >
    {openedForm === undefined ? undefined : formOf(openedForm, agents, { onClose, onChanged })}
  </Dialog>
);

const titles = { test: texts.testProvider, key: texts.changeKeyOf, edit: texts.editProviderNamed } as const;

const formOf = (
  { form, provider }: OpenedForm,
  agents: readonly AgentRecord[],
  callbacks: { readonly onClose: () => void; readonly onChanged: () => void },
): ReactNode => {
  switch (form) {
    case "test":
      return <ProviderTest provider={provider} />;
    case "key":
      return (
        <ChangeKey
          provider={provider}
          testModel={findModelInUse(agents, provider.name) ?? provider.suggestedModel}
          {...callbacks}
        />
      );
    case "edit":
      return <EditProvider provider={provider} {...callbacks} />;
  }
};
