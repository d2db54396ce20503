/** Form for a provider, its credentials and a model, with a test. */
import { observe } from "@hearth/client";
import { Button } from "../design/button.tsx";
import { ChoiceGroup } from "../design/choice.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { Spinner } from "../design/spinner.tsx";
import type { ModelChoice } from "./model-choice.ts";
import { ModelField } from "./model-field.tsx";
import styles from "./models.module.css";
import { KeyFields, ServerFields } from "./provider-fields.tsx";
import { type Source, sourcesOf } from "./sources.ts";
import { TestResult } from "./test-result.tsx";
import * as texts from "./text.ts";

export interface ModelChooserProps {
  readonly choice: ModelChoice;
  readonly label: string;
  /** Filters the sources that the form offers. All are offered by default. */
  readonly filter?: (source: Source) => boolean;
}

export const ModelChooser = ({ choice, label, filter = () => true }: ModelChooserProps) => {
  const { offersQuery, source, problem } = choice;
  const sources = sourcesOf(offersQuery.offers).filter(filter);
  const isOffered = source !== undefined && sources.some(({ id }) => id === source.id);
  return (
    <div className={styles.chooser}>
      <ChoiceGroup
        label={label}
        value={isOffered ? source.id : undefined}
        onChange={choice.chooseSource}
        choices={sources.map(({ id, title, detail, badge }) => ({ value: id, title, detail, badge }))}
      />
      {offersQuery.isLoading ? (
        <p className={styles.quiet} role="status">
          <Spinner label={texts.loading} />
          {texts.searchingForModels}
        </p>
      ) : undefined}
      {offersQuery.error === undefined || offersQuery.isLoading ? undefined : (
        <ErrorNotice
          error={offersQuery.error}
          button={
            <Button size="small" onClick={offersQuery.reload}>
              {texts.tryAgain}
            </Button>
          }
        />
      )}
      {problem?.field === "source" ? (
        <p role="alert" className={styles.problem}>
          {problem.text}
        </p>
      ) : undefined}
      {isOffered ? <SourceFields choice={choice} source={source} /> : undefined}
    </div>
  );
};

const SourceFields = ({ choice, source }: { readonly choice: ModelChoice; readonly source: Source }) => {
  const { origin } = source;
  if (origin.kind === "offline") return undefined;
  return (
    <>
      {origin.kind === "key" ? <KeyFields choice={choice} /> : undefined}
      {origin.kind === "server" ? <ServerFields choice={choice} /> : undefined}
      <ModelField
        value={choice.model}
        onChange={choice.setModel}
        models={choice.models}
        error={choice.problem?.field === "model" ? choice.problem.text : undefined}
      />
      <div className={styles.test}>
        <Button isBusy={choice.isTesting} onClick={() => observe(choice.test())}>
          {texts.test}
        </Button>
        <span className={styles.quiet}>{texts.testDetail}</span>
      </div>
      <TestResult outcome={choice.outcome} />
    </>
  );
};
