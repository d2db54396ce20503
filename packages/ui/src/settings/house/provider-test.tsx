/** Sends a test request to one model of a provider. */
import type { ProviderInfo } from "@hearth/protocol";
import { useMemo, useState } from "react";
import { Button } from "../../design/button.tsx";
import { useRequest } from "../../house/request.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { ModelField } from "../../models/model-field.tsx";
import { type TestOutcome, tryModel } from "../../models/model-test.ts";
import { TestResult } from "../../models/test-result.tsx";
import { Form } from "../form/form.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const ProviderTest = ({ provider }: { readonly provider: ProviderInfo }) => {
  const { client } = useUi();
  const submission = useSubmission();
  const { name, suggestedModel = "" } = provider;
  const [model, setModel] = useState(suggestedModel);
  const [outcome, setOutcome] = useState<TestOutcome>();
  // Lists the models through a test, because a failed list request would log an error in the browser's console.
  const models = useRequest(useMemo(() => async () => (await client.providers.test(name)).models, [client, name]));
  const test = async (): Promise<void> => {
    setOutcome(undefined);
    await submission.run(async () =>
      setOutcome(await tryModel(client.providers, { kind: "existing", name }, model.trim())),
    );
  };
  return (
    <Form onSubmit={test}>
      <ModelField
        value={model}
        models={models.value}
        onChange={(text) => {
          setModel(text);
          setOutcome(undefined);
        }}
      />
      <div className={styles.buttons}>
        <Button kind="primary" type="submit" isBusy={submission.isBusy}>
          {texts.sendTestRequest}
        </Button>
      </div>
      <TestResult outcome={outcome} />
    </Form>
  );
};
