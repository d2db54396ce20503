/** The system page: version, checks and API keys. */
import type { Check } from "@hearth/protocol";
import { useState } from "react";
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
import { KeysSection } from "../account/keys-section.tsx";
import { Section } from "../form/section.tsx";
import { SecuritySection } from "./security-section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export const SystemPage = ({ version }: { readonly version: string }) => {
  const [fixes, setFixes] = useState(0);
  return (
    <>
      <Section title={texts.thisHouse}>
        <p>Hearth {version}</p>
        <p>
          {/* Served by the house, so not a route of the UI. */}
          <a href="/docs">{texts.apiDocumentation}</a>
        </p>
      </Section>
      <Health />
      <RemoteSection />
      <ObserversSection />
      <SecuritySection onFixed={() => setFixes((count) => count + 1)} />
      {/* A fix may have revoked a key. */}
      <KeysSection key={fixes} />
    </>
  );
};

const RemoteSection = createLazyPart({
  load: async () => (await import("../remote/remote-section.tsx")).RemoteSection,
  Fallback: () => <Spinner label={texts.loading} />,
});

const ObserversSection = createLazyPart({
  load: async () => (await import("../observers/observers-section.tsx")).ObserversSection,
  Fallback: () => <Spinner label={texts.loading} />,
});

const Health = () => {
  const { client } = useUi();
  const announce = useAnnounce();
  const work = useSubmission();
  const [checks, setChecks] = useState<readonly Check[]>();
  const run = async (): Promise<void> => {
    await work.run(async () => {
      const found = await client.doctor();
      setChecks(found);
      announce(summarize(found), "unseen");
    });
  };
  return (
    <Section title={texts.checks} text={texts.checksIntroduction}>
      <div className={styles.buttons}>
        <Button isBusy={work.isBusy} onClick={() => void run()}>
          {checks === undefined ? texts.runChecks : texts.refreshChecks}
        </Button>
      </div>
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      {checks === undefined ? undefined : <CheckResults checks={checks} />}
    </Section>
  );
};

/** Lists checks, failed ones first. */
export const CheckResults = ({ checks }: { readonly checks: readonly Check[] }) => (
  <>
    <p className={styles.name}>{summarize(checks)}</p>
    <ul className={styles.list}>
      {[...checks]
        .sort((a, b) => Number(a.ok) - Number(b.ok))
        .map(({ name, ok, absent, detail, fix }) => (
          <li key={name} className={styles.check}>
            <span className={!ok ? styles.missing : absent ? styles.quiet : styles.fine}>
              <Icon name={!ok ? "warning" : absent ? "close" : "check"} />
            </span>
            <span className={styles.about}>
              <span>
                {name}: {toVisible(detail)}
              </span>
              {ok || fix === undefined ? undefined : (
                <span className={styles.quiet}>{plainWords(fix) ?? texts.fixInTerminal}</span>
              )}
            </span>
          </li>
        ))}
    </ul>
  </>
);

export const summarize = (checks: readonly Check[]): string => {
  const failed = checks.filter(({ ok }) => !ok).length;
  if (failed === 0) return texts.allChecksPassed;
  return failed === 1 ? texts.oneCheckFailed : texts.checksFailed(failed);
};
