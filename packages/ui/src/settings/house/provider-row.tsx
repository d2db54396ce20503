/** One model provider: its state, a test and removal. */
import { observe } from "@hearth/client";
import type { ProviderInfo } from "@hearth/protocol";
import { useId, useMemo, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { mayAdministerHome } from "../../house/may.ts";
import { useHouse, useUi } from "../../house/ui.tsx";
import { useAnswer } from "../../house/answer.ts";
import { ModelField } from "../../models/model-field.tsx";
import { type TestOutcome, tryModel } from "../../models/model-test.ts";
import { OFFLINE, describeProvider } from "../../models/sources.ts";
import { TestResult } from "../../models/test-result.tsx";
import { titleOf } from "../../design/vendors.ts";
import { useSubmission } from "../../house/use-submission.ts";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const EditProvider = createLazyPart({ load: async () => (await import("./edit-provider.tsx")).EditProvider });
const ChangeKey = createLazyPart({ load: async () => (await import("./change-key.tsx")).ChangeKey });

export interface ProviderRowProps {
  readonly provider: ProviderInfo;
  /** Names of the agents that use the provider. */
  readonly users: readonly string[];
  /** The model that tests a new key. Undefined: the list of models does. */
  readonly testModel: string | undefined;
  /** Called after the provider was removed, or its key was changed. */
  readonly onChange: () => void;
}

/** A part of the row that a button opens. */
type ProviderPart = "test" | "key" | "edit";

export const ProviderRow = ({ provider, users, testModel, onChange }: ProviderRowProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const [opened, setOpened] = useState<ProviderPart>();
  const [isAsking, setAsking] = useState(false);
  const submission = useSubmission();
  const nameId = useId();
  const { name } = provider;
  const close = (): void => setOpened(undefined);
  const remove = async (): Promise<void> => {
    setAsking(false);
    if (!(await submission.run(() => client.providers.remove(name)))) return;
    announce(texts.providerRemoved(titleOf(name)));
    onChange();
  };
  return (
    <li className={styles.entry} aria-labelledby={nameId}>
      <div className={styles.row}>
        <ProviderSummary id={nameId} provider={provider} users={users} />
        <ProviderButtons
          provider={provider}
          opened={opened}
          isBusy={submission.isBusy}
          onToggle={(part) => setOpened(opened === part ? undefined : part)}
          onRemove={() => setAsking(true)}
        />
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {opened === "key" ? (
        <ChangeKey provider={provider} testModel={testModel} onClose={close} onChanged={onChange} />
      ) : undefined}
      {opened === "edit" ? <EditProvider provider={provider} onClose={close} onChanged={onChange} /> : undefined}
      {opened === "test" ? <ModelTest provider={provider} /> : undefined}
      <ConfirmDialog
        title={texts.removeProviderTitle(titleOf(name))}
        text={describeRemoval(users)}
        confirm={texts.remove}
        isDanger
        isOpen={isAsking}
        onConfirm={() => observe(remove())}
        onClose={() => setAsking(false)}
      />
    </li>
  );
};

interface ProviderButtonsProps {
  readonly provider: ProviderInfo;
  /** The part that is open. */
  readonly opened: ProviderPart | undefined;
  readonly isBusy: boolean;
  /** Opens a part, or closes the open one. */
  readonly onToggle: (part: ProviderPart) => void;
  readonly onRemove: () => void;
}

const ProviderButtons = ({ provider, opened, isBusy, onToggle, onRemove }: ProviderButtonsProps) => {
  const { me } = useHouse();
  const { name, source } = provider;
  const title = titleOf(name);
  return (
    <span className={styles.buttons}>
      {name === OFFLINE || !provider.ready ? undefined : (
        <Button
          size="small"
          aria-label={texts.testProvider(title)}
          aria-expanded={opened === "test"}
          onClick={() => onToggle("test")}
        >
          {texts.test}
        </Button>
      )}
      {provider.keyIsStored === true ? (
        <Button
          size="small"
          aria-label={texts.changeKeyOf(title)}
          aria-expanded={opened === "key"}
          onClick={() => onToggle("key")}
        >
          {texts.changeKey}
        </Button>
      ) : undefined}
      {source === "config" && !isComposite(provider) && mayAdministerHome(me) ? (
        <Button
          size="small"
          aria-label={texts.editProviderNamed(title)}
          aria-expanded={opened === "edit"}
          onClick={() => onToggle("edit")}
        >
          {texts.editProvider}
        </Button>
      ) : undefined}
      {source === "config" ? (
        <Button size="small" kind="quiet" aria-label={texts.removeProvider(title)} isBusy={isBusy} onClick={onRemove}>
          {texts.remove}
        </Button>
      ) : undefined}
    </span>
  );
};

/** A composite has neither an address nor retries. */
const isComposite = ({ kind }: ProviderInfo): boolean => kind === "reliable" || kind === "router";

interface ProviderSummaryProps {
  /** The id of the element with the name. */
  readonly id: string;
  readonly provider: ProviderInfo;
  /** Names of the agents that use the provider. */
  readonly users: readonly string[];
}

const ProviderSummary = ({ id, provider, users }: ProviderSummaryProps) => (
  <span className={styles.about}>
    <span id={id} className={styles.name}>
      {provider.name === OFFLINE ? texts.offlineModel : titleOf(provider.name)}
    </span>
    <span className={provider.ready ? styles.quiet : styles.missing}>
      {provider.ready ? texts.ready : texts.notReady} · {describeProvider(provider)}
    </span>
    {users.length === 0 ? undefined : <span className={styles.quiet}>{texts.usedBy(users.join(", "))}</span>}
  </span>
);

export const describeRemoval = (users: readonly string[]): string => {
  const goes = texts.providerRemovalEffect;
  return users.length === 0 ? goes : texts.providerRemovalEffectOnAgents(goes, users.join(", "));
};

const ModelTest = ({ provider }: { readonly provider: ProviderInfo }) => {
  const { client } = useUi();
  const submission = useSubmission();
  const { name, suggestedModel = "" } = provider;
  const [model, setModel] = useState(suggestedModel);
  const [outcome, setOutcome] = useState<TestOutcome>();
  // Lists the models through a test, because a failed list request would log an error in the browser's console.
  const models = useAnswer(useMemo(() => async () => (await client.providers.test(name)).models, [client, name]));
  const test = async (): Promise<void> => {
    setOutcome(undefined);
    await submission.run(async () =>
      setOutcome(await tryModel(client.providers, { kind: "there", name }, model.trim())),
    );
  };
  return (
    <Form onSubmit={test}>
      <ModelField
        value={model}
        models={models.value}
        onChange={(typed) => {
          setModel(typed);
          setOutcome(undefined);
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" isBusy={submission.isBusy}>
          {texts.sendTestRequest}
        </Button>
      </div>
      <TestResult outcome={outcome} />
    </Form>
  );
};
