/** What is open wider than it has to be: looked for when a person asks, with the command that mends each. */
import { type SecurityFinding, type SecurityReport, type Severity, tellMend } from "@hearth/protocol";
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { Icon } from "../design/icon.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { visible } from "../text/visible.tsx";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";

export const SecuritySection = () => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const [report, setReport] = useState<SecurityReport>();
  const run = async (): Promise<void> => {
    await work.run(async () => {
      const found = await client.security();
      setReport(found);
      announce(sumUp(found));
    });
  };
  return (
    <Section
      title="Security"
      text="Looks at who gets in, what agents may do, and what lies open, and says how to narrow it."
    >
      <div className={styles.buttons}>
        <Button isBusy={work.isBusy} onClick={() => void run()}>
          {report === undefined ? "Look now" : "Look again"}
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
          <Words finding={finding} />
        </li>
      ))}
    </ul>
    {report.unseen.map((what) => (
      <p key={what} className={styles.quiet}>
        Not seen: {visible(what)}
      </p>
    ))}
  </>
);

const Words = ({ finding: { severity, what, where, mend, instead } }: { readonly finding: SecurityFinding }) => (
  <span className={styles.about}>
    <span>
      {GRAVITY[severity]} ({visible(where)}): {visible(what)}
    </span>
    <code>{visible(tellMend(mend))}</code>
    {instead === undefined ? undefined : <span className={styles.quiet}>{visible(instead)}</span>}
  </span>
);

const GRAVITY: Readonly<Record<Severity, string>> = { high: "Grave", medium: "Worth mending", low: "Good to know" };

export const sumUp = ({ findings }: SecurityReport): string => {
  const grave = findings.filter(({ severity }) => severity === "high").length;
  if (findings.length === 0) return "Nothing is open wider than it has to be.";
  const all = findings.length === 1 ? "One thing could be narrower" : `${findings.length} things could be narrower`;
  return grave === 0
    ? `${all}.`
    : `${all}, ${findings.length === 1 ? "and it is" : grave === 1 ? "one of them is" : `${grave} of them are`} grave.`;
};
