/** The system page: version, checks, security and log. */
import { observe } from "@hearth/client";
import type { Check } from "@hearth/protocol";
import { useState } from "react";
import { Link } from "wouter";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { plainWords } from "../../design/error-words.ts";
import { Icon } from "../../design/icon.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Spinner } from "../../design/spinner.tsx";
import { createLazyPart } from "../../house/lazy-part.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import { linkOf } from "./check-links.ts";
import { SecuritySection } from "./security-section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const SystemPage = ({ version }: { readonly version: string }) => (
  <>
    <Section title={texts.thisHouse}>
      <p>Hearth {version}</p>
      <p>
        {/* Served by the house, so not a route of the UI. */}
        <a href="/docs">{texts.apiDocumentation}</a>
      </p>
    </Section>
    <UpdateSection />
    <Health />
    <RemoteSection />
    <ObserversSection />
    <SecuritySection />
    <SystemSettings />
    <LogSection />
  </>
);

const UpdateSection = createLazyPart({
  load: async () => (await import("./update-section.tsx")).UpdateSection,
  Fallback: () => <Spinner label={texts.loading} />,
});

const RemoteSection = createLazyPart({
  load: async () => (await import("../remote/remote-section.tsx")).RemoteSection,
  Fallback: () => <Spinner label={texts.loading} />,
});

const SystemSettings = createLazyPart({
  load: async () => {
    const [{ SettingGroups }, { systemGroups }] = await Promise.all([
      import("../values/setting-groups.tsx"),
      import("../values/groups.ts"),
    ]);
    return () => <SettingGroups groups={systemGroups} />;
  },
  Fallback: () => <Spinner label={texts.loading} />,
});

const LogSection = createLazyPart({
  load: async () => (await import("../log/log-section.tsx")).LogSection,
  Fallback: () => <Spinner label={texts.loading} />,
});

const ObserversSection = createLazyPart({
  load: async () => (await import("../observers/observers-section.tsx")).ObserversSection,
  Fallback: () => <Spinner label={texts.loading} />,
});

const Health = () => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [checks, setChecks] = useState<readonly Check[]>();
  const run = async (): Promise<void> => {
    await submission.run(async () => {
      const newChecks = await client.doctor();
      setChecks(newChecks);
      announce(summarizeChecks(newChecks), "unseen");
    });
  };
  return (
    <Section title={texts.checks} text={texts.checksIntroduction}>
      <div className={styles.buttons}>
        <Button isBusy={submission.isBusy} onClick={() => observe(run())}>
          {checks === undefined ? texts.runChecks : texts.runChecksAgain}
        </Button>
      </div>
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
      {checks === undefined ? undefined : <CheckResults checks={checks} />}
    </Section>
  );
};

/** Lists checks, failed ones first. */
export const CheckResults = ({ checks }: { readonly checks: readonly Check[] }) => (
  <>
    <p className={styles.name}>{summarizeChecks(checks)}</p>
    <ul className={styles.list}>
      {[...checks]
        .sort((a, b) => Number(a.ok) - Number(b.ok))
        .map((check) => (
          <CheckResult key={check.name} check={check} />
        ))}
    </ul>
  </>
);

const CheckResult = ({ check }: { readonly check: Check }) => {
  const { name, ok, absent, detail, fix } = check;
  const link = linkOf(check);
  // Sentences with shell commands are for the command line.
  const fixText = plainWords(fix) ?? (link === undefined ? texts.fixInTerminal : undefined);
  return (
    <li className={styles.check}>
      <span className={!ok ? styles.missing : absent ? styles.quiet : styles.fine}>
        <Icon name={!ok ? "warning" : absent ? "close" : "check"} />
      </span>
      <span className={styles.about}>
        <span>
          {name}: {toVisible(detail)}
        </span>
        {ok || fix === undefined || fixText === undefined ? undefined : <span className={styles.quiet}>{fixText}</span>}
        {link === undefined ? undefined : (
          <Link href={link.path} aria-label={texts.fixOf(link.label, name)}>
            {link.label}
          </Link>
        )}
      </span>
    </li>
  );
};

export const summarizeChecks = (checks: readonly Check[]): string => {
  const failedCount = checks.filter(({ ok }) => !ok).length;
  if (failedCount === 0) return texts.allChecksPassed;
  return failedCount === 1 ? texts.oneCheckFailed : texts.checksFailed(failedCount);
};
