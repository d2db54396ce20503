/** Chooses the model of an agent among those of the configured providers. */
import { observe } from "@hearth/client";
import { type AgentRecord, DEFAULT_MODEL, type ProviderInfo } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Link } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { type Choice, ChoiceGroup } from "../../design/choice.tsx";
import { Dialog } from "../../design/dialog.tsx";
import { Field, TextInput } from "../../design/field.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { titleOf } from "../../design/vendors.ts";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { formatNumber } from "../../language/locale.ts";
import { isFailed, type TestOutcome, tryModel } from "../../models/model-test.ts";
import { OFFLINE } from "../../models/sources.ts";
import { TestResult } from "../../models/test-result.tsx";
import { toVisible } from "../../text/visible.tsx";
import { matchModels } from "./match-models.ts";
import styles from "./model-picker.module.css";
import * as texts from "./text.ts";

export interface ModelPickerProps {
  readonly agent: AgentRecord;
  readonly onClose: () => void;
}

/** The state that all groups of the list share. */
interface ModelSelection {
  readonly currentModel: string;
  readonly chosenModel: string;
  readonly query: string;
  /** Outcomes of tests by model. */
  readonly outcomes: ReadonlyMap<string, TestOutcome>;
  readonly choose: (model: string) => void;
}

export const ModelPicker = ({ agent, onClose }: ModelPickerProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const saveSubmission = useSubmission();
  const testSubmission = useSubmission();
  const currentModel = agent.content.model ?? DEFAULT_MODEL;
  const [chosenModel, choose] = useState(currentModel);
  const [query, setQuery] = useState("");
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, TestOutcome>>(new Map());
  const providers = useRequest(useCallback(() => client.providers.list(), [client]));
  const name = toVisible(agent.content.name);

  const test = async (): Promise<void> => {
    const [provider, model] = splitModel(chosenModel);
    await testSubmission.run(async () => {
      const outcome = await tryModel(client.providers, { kind: "existing", name: provider }, model);
      setOutcomes((previousOutcomes) => new Map([...previousOutcomes, [chosenModel, outcome]]));
    });
  };
  const save = async (): Promise<void> => {
    if (!(await saveSubmission.run(() => client.agents.update(agent.id, { content: { model: chosenModel } })))) return;
    announce(
      texts.changed(name, toVisible(chosenModel === DEFAULT_MODEL ? texts.offline : splitModel(chosenModel)[1])),
    );
    onClose();
  };
  const selection = { currentModel, chosenModel, query, outcomes, choose };
  return (
    <Dialog
      title={texts.modelOf(name)}
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            kind="primary"
            isBusy={saveSubmission.isBusy}
            disabled={chosenModel === currentModel}
            onClick={() => observe(save())}
          >
            {texts.useModel}
          </Button>
        </>
      }
    >
      <p className={styles.quiet}>{texts.modelEffect(name)}</p>
      <SearchField query={query} onChange={setQuery} />
      <div className={styles.list}>
        <RequestView request={providers}>{(list) => <Providers list={list} selection={selection} />}</RequestView>
      </div>
      <div className={styles.row}>
        <Button
          size="small"
          isBusy={testSubmission.isBusy}
          disabled={chosenModel === DEFAULT_MODEL}
          onClick={() => observe(test())}
        >
          {texts.test}
        </Button>
        <Link href="/settings/models">{texts.manageProviders}</Link>
      </div>
      <TestResult outcome={outcomes.get(chosenModel)} />
      {saveSubmission.error === undefined ? undefined : <ErrorNotice error={saveSubmission.error} />}
    </Dialog>
  );
};

const SearchField = ({ query, onChange }: { readonly query: string; readonly onChange: (query: string) => void }) => (
  <Field label={texts.findModel}>
    {(ids) => (
      <TextInput
        {...ids}
        type="search"
        value={query}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    )}
  </Field>
);

const Providers = ({
  list,
  selection,
}: {
  readonly list: readonly ProviderInfo[];
  readonly selection: ModelSelection;
}) => {
  const onlineModels = list.filter(({ name }) => name !== OFFLINE);
  return (
    <>
      {onlineModels
        .filter(({ ready }) => ready)
        .map((provider) => (
          <ProviderModels key={provider.name} {...{ provider, selection }} />
        ))}
      <ChoiceGroup
        label={texts.builtIn}
        value={selection.chosenModel}
        onChange={selection.choose}
        choices={[
          {
            value: DEFAULT_MODEL,
            title: texts.offline,
            detail: texts.offlineDetail,
            badge: selection.currentModel === DEFAULT_MODEL ? texts.current : undefined,
          },
        ]}
      />
      {onlineModels
        .filter(({ ready }) => !ready)
        .map(({ name }) => (
          <p key={name} className={styles.quiet}>
            {texts.notReady(toVisible(titleOf(name)))}
          </p>
        ))}
    </>
  );
};

interface ProviderModelsProps {
  readonly provider: ProviderInfo;
  readonly selection: ModelSelection;
}

const ProviderModels = ({ provider: { name }, selection }: ProviderModelsProps) => {
  const { client } = useUi();
  const title = toVisible(titleOf(name));
  const { value, error, reload } = useRequest(useCallback(() => client.providers.models(name), [client, name]));
  // The current model stays in the list, also if the provider does not list it or cannot be reached.
  const currentModels = selection.currentModel.startsWith(`${name}/`) ? [splitModel(selection.currentModel)[1]] : [];
  const { models, hiddenCount } = matchModels([...new Set([...currentModels, ...(value ?? [])])], selection.query);
  return (
    <div className={styles.provider}>
      {models.length === 0 ? undefined : (
        <ChoiceGroup
          label={title}
          value={selection.chosenModel}
          onChange={selection.choose}
          choices={models.map((model) => toChoice(`${name}/${model}`, selection))}
        />
      )}
      {hiddenCount === 0 ? undefined : <p className={styles.quiet}>{texts.moreModels(formatNumber(hiddenCount))}</p>}
      {value === undefined && error === undefined ? <Spinner label={texts.loading(title)} /> : undefined}
      {error === undefined ? undefined : (
        <ErrorNotice
          error={error}
          place="here"
          button={
            <Button size="small" icon="retry" onClick={reload}>
              {texts.tryAgain}
            </Button>
          }
        />
      )}
    </div>
  );
};

const toChoice = (model: string, { currentModel, outcomes }: ModelSelection): Choice<string> => ({
  value: model,
  title: toVisible(splitModel(model)[1]),
  badge: describeState(outcomes.get(model)) ?? (model === currentModel ? texts.current : undefined),
});

const describeState = (outcome: TestOutcome | undefined): string | undefined =>
  outcome === undefined ? undefined : isFailed(outcome) ? texts.noAnswer : texts.works;

const splitModel = (model: string): readonly [string, string] => {
  const slash = model.indexOf("/");
  return [model.slice(0, slash), model.slice(slash + 1)];
};
