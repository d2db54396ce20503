/**
 * Lists security recommendations, each with the command that applies it. They are computed when the user
 * asks for them.
 */
import { type SecurityFinding, type SecurityReport, type Severity, describeFix } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const SecuritySection = () => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useSubmission();
  const [report, setReport] = useState<SecurityReport>();
  const run = async (): Promise<void> => {
    await work.run(async () => {
      const found = await client.security();
      setReport(found);
      announce(sumUp(found), "unseen");
    });
  };
  return (
    <Section title={texts.security} text={texts.securityIntroduction}>
      <div className={styles.buttons}>
        <Button isBusy={work.isBusy} onClick={() => void run()}>
          {report === undefined ? texts.runSecurityCheck : texts.refreshRecommendations}
        </Button>
      </div>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      {report === undefined ? undefined : <SecurityFindings report={report} />}
    </Section>
  );
};

export const SecurityFindings = ({ report }: { readonly report: SecurityReport }) => (
  <>
    <p className={styles.name}>{sumUp(report)}</p>
    <ul className={styles.list}>
      {report.findings.map((finding) => (
        <li key={`${finding.id} ${finding.where}`} className={styles.check}>
          <span className={finding.severity === "low" ? styles.fine : styles.missing}>
            <Icon name="warning" />
          </span>
          <FindingText finding={finding} />
        </li>
      ))}
    </ul>
    {report.unseen.map((what) => (
      <p key={what} className={styles.quiet}>
        Not checked: {toVisible(what)}
      </p>
    ))}
  </>
);

const FindingText = ({ finding: { severity, what, where, fix, instead } }: { readonly finding: SecurityFinding }) => (
  <span className={styles.about}>
    <span>
      {severityLabels[severity]} ({toVisible(where)}): {toVisible(what)}
    </span>
    <span>
      {texts.fix} <code>{toVisible(describeFix(fix))}</code>
    </span>
    {instead === undefined ? undefined : <span className={styles.quiet}>{toVisible(instead)}</span>}
  </span>
);

const severityLabels: Readonly<Record<Severity, string>> = {
  high: texts.critical,
  medium: texts.recommended,
  low: texts.info,
};

export const sumUp = ({ findings }: SecurityReport): string => {
  const criticalCount = findings.filter(({ severity }) => severity === "high").length;
  if (findings.length === 0) return texts.noRecommendations;
  const total =
    findings.length === 1 ? texts.oneSecurityRecommendation : texts.securityRecommendations(findings.length);
  return criticalCount === 0 ? total : texts.withCritical(total, criticalCount);
};
