/** Sends a test message to the approved sender, and shows whether the platform took it. */
import { observe } from "@hearth/client";
import type { Delivery } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Link } from "wouter";
import { Button } from "../../../design/button.tsx";
import { plainWords } from "../../../design/error-words.ts";
import { ErrorNotice, Notice } from "../../../design/notice.tsx";
import { Spinner } from "../../../design/spinner.tsx";
import { useRequest } from "../../../house/request.ts";
import { useInterval } from "../../../house/interval.ts";
import { useUi } from "../../../house/ui.tsx";
import { useSubmission } from "../../../house/use-submission.ts";
import { toVisible } from "../../../text/visible.tsx";
import { paths } from "../../place.ts";
import styles from "../../settings.module.css";
import wizardStyles from "./wizard.module.css";
import * as texts from "./text.ts";

export interface TestStepProps {
  readonly channel: string;
  readonly sender: string;
}

const POLL_INTERVAL_MS = 500;
/** The newest deliveries of the channel, which contain the test message. */
const MAX_DELIVERIES = 20;

export const TestStep = ({ channel, sender }: TestStepProps) => {
  const { client } = useUi();
  const submission = useSubmission();
  const [testDelivery, setTestDelivery] = useState<Delivery>();
  const send = (): Promise<boolean> =>
    submission.run(async () => setTestDelivery(await (await client.pairings()).test(channel, sender)));
  return (
    <div className={wizardStyles.test}>
      <p>{texts.testIntroduction}</p>
      {testDelivery === undefined ? undefined : <DeliveryOutcome key={testDelivery.id} delivery={testDelivery} />}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} place="here" />}
      <div className={styles.buttons}>
        <Button
          kind={testDelivery === undefined ? "primary" : "plain"}
          isBusy={submission.isBusy}
          onClick={() => observe(send())}
        >
          {texts.sendTestMessage}
        </Button>
        <Link href={paths.channels}>{texts.done}</Link>
      </div>
    </div>
  );
};

/** Asks for the state of a delivery until it is final. */
const DeliveryOutcome = ({ delivery }: { readonly delivery: Delivery }) => {
  const { client } = useUi();
  const { id, channel } = delivery;
  const request = useRequest(
    useCallback(async () => {
      const deliveries = await (await client.channels()).outbox(channel, { limit: MAX_DELIVERIES });
      return deliveries.find((candidate) => candidate.id === id);
    }, [client, channel, id]),
  );
  useInterval(POLL_INTERVAL_MS, request.reload);
  return <DeliveryNotice delivery={request.value ?? delivery} />;
};

export const DeliveryNotice = ({ delivery: { state, error } }: { readonly delivery: Delivery }) => {
  switch (state) {
    case "sent":
      return (
        <Notice kind="success" title={texts.testArrived}>
          {texts.testArrivedDetail}
        </Notice>
      );
    case "unknown":
    case "refused":
      return (
        <Notice kind="danger" title={texts.testFailed}>
          {toVisible(plainWords(error?.message) ?? "")}
        </Notice>
      );
    case "queued":
    case "sending":
      return (
        <p role="status" className={styles.quiet}>
          <Spinner label={texts.sendingTest} /> {toVisible(plainWords(error?.message) ?? texts.sendingTest)}
        </p>
      );
  }
};
