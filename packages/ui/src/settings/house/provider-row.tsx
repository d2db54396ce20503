/** One model provider: its state, a test and removal. */
import type { ProviderInfo } from "@hearth/protocol";
import { useId, useMemo, useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ConfirmDialog } from "../../design/dialog.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
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

export const ProviderRow = ({ provider, users, testModel, onChange }: ProviderRowProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const [isTrying, setTrying] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const work = useSubmission();
  const nameId = useId();
  const { name, source } = provider;
  const remove = async (): Promise<void> => {
    setAsking(false);
    if (!(await work.run(() => client.providers.remove(name)))) return;
    announce(texts.providerRemoved(titleOf(name)));
    onChange();
  };
  return (
    <li className={styles.entry} aria-labelledby={nameId}>
      <div className={styles.row}>
        <ProviderSummary id={nameId} provider={provider} users={users} />
        <span className={styles.buttons}>
          {name === OFFLINE || !provider.ready ? undefined : (
            <Button
              size="small"
              aria-label={texts.testProvider(titleOf(name))}
              aria-expanded={isTrying}
              onClick={() => setTrying(!isTrying)}
            >
              {texts.test}
            </Button>
          )}
          {provider.keyIsStored === true ? (
            <Button
              size="small"
              aria-label={texts.changeKeyOf(titleOf(name))}
              aria-expanded={isChanging}
              onClick={() => setChanging(!isChanging)}
            >
              {texts.changeKey}
            </Button>
          ) : undefined}
          {source === "config" ? (
            <Button
              size="small"
              kind="quiet"
              aria-label={texts.removeProvider(titleOf(name))}
              isBusy={work.isBusy}
              onClick={() => setAsking(true)}
            >
              {texts.remove}
            </Button>
          ) : undefined}
        </span>
      </div>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      {isChanging ? (
        <ChangeKey provider={provider} testModel={testModel} onClose={() => setChanging(false)} onChanged={onChange} />
      ) : undefined}
      {isTrying ? <ModelTest provider={provider} /> : undefined}
      <ConfirmDialog
        title={texts.removeProviderTitle(titleOf(name))}
        text={describeRemoval(users)}
        confirm={texts.remove}
        isDanger
        isOpen={isAsking}
        onConfirm={() => void remove()}
        onClose={() => setAsking(false)}
      />
    </li>
  );
};

interface ProviderSummaryProps extends Pick<ProviderRowProps, "provider" | "users"> {
  /** The id of the element with the name. */
  readonly id: string;
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
  const work = useSubmission();
  const { name, suggestedModel = "" } = provider;
  const [model, setModel] = useState(suggestedModel);
  const [outcome, setOutcome] = useState<TestOutcome>();
  // Lists the models through a test, because a failed list request would log an error in the browser's console.
  const models = useAnswer(useMemo(() => async () => (await client.providers.test(name)).models, [client, name]));
  const test = async (): Promise<void> => {
    setOutcome(undefined);
    await work.run(async () => setOutcome(await tryModel(client.providers, { kind: "there", name }, model.trim())));
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
        <Button type="submit" isBusy={work.isBusy}>
          {texts.sendTestRequest}
        </Button>
      </div>
      <TestResult outcome={outcome} />
    </Form>
  );
};
