/** Verifies the audit log of a house, and downloads its export. */
import { observe } from "@hearth/client";
import type { AuditReport, HouseRecord } from "@hearth/protocol";
import { useCallback, useState } from "react";
import { Button } from "../../design/button.tsx";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useInterval } from "../../house/interval.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { formatNumber } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import { formatDuration } from "../activity/activity-words.ts";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

const TICK_MS = 1000;

export interface Verification {
  readonly report: AuditReport;
  readonly durationMs: number;
}

export const VerifySection = ({ house }: { readonly house: HouseRecord }) => {
  const { client, clock } = useUi();
  const submission = useSubmission();
  const [verification, setVerification] = useState<Verification>();
  const verify = async (): Promise<void> => {
    setVerification(undefined);
    await submission.run(async () => {
      const begin = clock.monotonic();
      const report = await (await client.audit()).verify(house.id);
      setVerification({ report, durationMs: clock.monotonic() - begin });
    });
  };
  return (
    <>
      <div className={styles.buttons}>
        <Button icon="check" isBusy={submission.isBusy} onClick={() => observe(verify())}>
          {texts.verifyLog}
        </Button>
        {/* The browser streams the export to a file, so the page never holds it. */}
        <a
          className={styles.add}
          href={`/api/houses/${house.id}/audit/export`}
          download={`audit-${house.handle}.jsonl`}
        >
          <Icon name="down" />
          {texts.exportLog}
        </a>
      </div>
      <p className={styles.quiet}>{texts.exportHint}</p>
      {submission.isBusy ? <RunningTime /> : undefined}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {verification === undefined ? undefined : <VerificationResult {...verification} />}
    </>
  );
};

/** The time that a running verification has taken. */
const RunningTime = () => {
  const [seconds, setSeconds] = useState(0);
  useInterval(
    TICK_MS,
    useCallback(() => setSeconds((elapsedSeconds) => elapsedSeconds + 1), []),
  );
  return <p className={styles.quiet}>{texts.verifying(seconds)}</p>;
};

export const VerificationResult = ({ report: { rows, findings }, durationMs }: Verification) => {
  const summary = texts.verified(formatNumber(rows), formatDuration(0, Math.round(durationMs)) ?? "");
  if (findings.length === 0)
    return (
      <Notice kind="success" title={texts.logIsIntact}>
        {summary}
      </Notice>
    );
  return (
    <Notice kind="danger" title={texts.damaged}>
      <p>{summary}</p>
      <ul className={styles.sentences}>
        {findings.map(({ fault, text }) => (
          <li key={`${fault} ${text}`}>
            {texts.faultTitles[fault]}: {toVisible(text)}
          </li>
        ))}
      </ul>
      <p>{texts.damagedRemedy}</p>
    </Notice>
  );
};
