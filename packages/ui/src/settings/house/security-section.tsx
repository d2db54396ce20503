/**
 * Lists security recommendations, each with a button or a link that fixes it. They are computed when the
 * user asks for them.
 */
import { observe } from "@hearth/client";
import type { SecurityReport, Severity } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { plainWords } from "../../design/error-words.ts";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import { FindingFix, type FindingFixProps } from "./finding-fix.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const SecuritySection = () => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [report, setReport] = useState<SecurityReport>();
  const run = async (): Promise<void> => {
    await submission.run(async () => {
      const newReport = await (await client.security()).report();
      setReport(newReport);
      announce(summarizeFindings(newReport), "unseen");
    });
  };
  return (
    <Section title={texts.security} text={texts.securityIntroduction}>
      <div className={styles.buttons}>
        <Button isBusy={submission.isBusy} onClick={() => observe(run())}>
          {report === undefined ? texts.runSecurityCheck : texts.runSecurityCheckAgain}
        </Button>
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {report === undefined ? undefined : <SecurityFindings report={report} onFixed={() => observe(run())} />}
    </Section>
  );
};

export interface SecurityFindingsProps {
  readonly report: SecurityReport;
  /** Called after the change of a finding was made. */
  readonly onFixed: () => void;
}

export const SecurityFindings = ({ report, onFixed }: SecurityFindingsProps) => (
  <>
    <p className={styles.name}>{summarizeFindings(report)}</p>
    <ul className={styles.list}>
      {report.findings.map((finding) => (
        <li key={`${finding.id} ${finding.where}`} className={styles.check}>
          <span className={finding.severity === "low" ? styles.fine : styles.missing}>
            <Icon name="warning" />
          </span>
          <FindingText finding={finding} onFixed={onFixed} />
        </li>
      ))}
    </ul>
    {report.unseen.map((partName) => (
      <p key={partName} className={styles.quiet}>
        {texts.notChecked(toVisible(partName))}
      </p>
    ))}
  </>
);

const FindingText = ({ finding, onFixed }: FindingFixProps) => {
  const { severity, what, where, instead } = finding;
  // Sentences with shell commands are for the command line.
  const advice = plainWords(instead);
  return (
    <span className={styles.about}>
      <span>
        {severityLabels[severity]} ({toVisible(where)}): {toVisible(what)}
      </span>
      <FindingFix finding={finding} onFixed={onFixed} />
      {advice === undefined ? undefined : <span className={styles.quiet}>{advice}</span>}
    </span>
  );
};

const severityLabels: Readonly<Record<Severity, string>> = {
  high: texts.critical,
  medium: texts.recommended,
  low: texts.info,
};

export const summarizeFindings = ({ findings }: SecurityReport): string => {
  const criticalCount = findings.filter(({ severity }) => severity === "high").length;
  if (findings.length === 0) return texts.noRecommendations;
  const total =
    findings.length === 1 ? texts.oneSecurityRecommendation : texts.securityRecommendations(findings.length);
  return criticalCount === 0 ? total : texts.withCritical(total, criticalCount);
};
