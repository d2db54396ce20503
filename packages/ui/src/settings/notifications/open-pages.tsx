/**
 * The setting for notifications that a page shows while it is open in the browser. Only a press of
 * the button asks for the browser's permission.
 */
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import type { PushBrowser } from "../../house/push-browser.ts";
import { useUi } from "../../house/ui.tsx";
import { useWork } from "../../models/use-work.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { isPageNotifying, setPageNotifying } from "./page-setting.ts";
import * as texts from "./text.ts";

export interface OpenPagesProps {
  readonly browser: PushBrowser;
  /** Whether this device gets notifications of the push service. */
  readonly isPushed: boolean;
}

export const OpenPages = ({ browser, isPushed }: OpenPagesProps) => {
  const { storage } = useUi();
  const announce = useAnnounce();
  const work = useWork();
  const [isOn, setOn] = useState(isPageNotifying(storage) && browser.isPermitted());
  const problem = browser.pageProblem();
  const change = async (): Promise<void> => {
    const isDone = await work.run(async () => {
      if (!isOn) await browser.permit();
      setPageNotifying(storage, !isOn);
    });
    if (!isDone) return;
    setOn(!isOn);
    announce(isOn ? texts.pagesTurnedOff : texts.pagesTurnedOn);
  };
  return (
    <Section title={texts.openPages} text={texts.openPagesIntroduction}>
      {problem === undefined ? (
        <>
          <p>{isOn && isPushed ? texts.pagesAreReplaced : isOn ? texts.pagesAreOn : texts.pagesAreOff}</p>
          {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
          <div className={styles.buttons}>
            <Button isBusy={work.isBusy} onClick={() => void change()}>
              {isOn ? texts.turnPagesOff : texts.turnPagesOn}
            </Button>
          </div>
        </>
      ) : (
        <p>{texts.problems[problem]}</p>
      )}
    </Section>
  );
};
