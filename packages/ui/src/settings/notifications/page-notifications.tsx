/**
 * The setting for notifications that a page shows while it is open in the browser. Only a press of
 * the button asks for the browser's permission.
 */
import { observe } from "@hearth/client";
import { useState } from "react";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import type { PushBrowser } from "../../house/push-browser.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import { isPageNotifying, setPageNotifying } from "./page-setting.ts";
import * as texts from "./text.ts";

export interface PageNotificationsProps {
  readonly browser: PushBrowser;
  /** Whether this device gets notifications of the push service. */
  readonly hasPush: boolean;
}

export const PageNotifications = ({ browser, hasPush }: PageNotificationsProps) => {
  const { storage } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const [isOn, setOn] = useState(isPageNotifying(storage) && browser.isPermitted());
  const problem = browser.pageProblem();
  const change = async (): Promise<void> => {
    const isDone = await submission.run(async () => {
      if (!isOn) await browser.requestPermission();
      setPageNotifying(storage, !isOn);
    });
    if (!isDone) return;
    setOn(!isOn);
    announce(isOn ? texts.pageNotificationsTurnedOff : texts.pageNotificationsTurnedOn);
  };
  return (
    <Section title={texts.openPages} text={texts.openPagesIntroduction}>
      {problem === undefined ? (
        <>
          <p>
            {isOn && hasPush
              ? texts.pushReplacesPageNotifications
              : isOn
                ? texts.pageNotificationsOn
                : texts.pageNotificationsOff}
          </p>
          {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
          <div className={styles.buttons}>
            <Button isBusy={submission.isBusy} onClick={() => observe(change())}>
              {isOn ? texts.turnOffPageNotifications : texts.turnOnPageNotifications}
            </Button>
          </div>
        </>
      ) : (
        <p>{texts.problems[problem]}</p>
      )}
    </Section>
  );
};
