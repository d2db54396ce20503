/**
 * Turns notifications on and off for this browser. It asks for the browser's permission only after
 * a press of the button.
 */
import { observe } from "@hearth/client";
import type { PushDevice } from "@hearth/protocol";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import type { PushBrowser, PushProblem } from "../../house/push-browser.ts";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import * as texts from "./text.ts";

export interface ThisDeviceProps {
  readonly browser: PushBrowser;
  readonly problem: PushProblem | undefined;
  readonly isOn: boolean;
  readonly devices: readonly PushDevice[];
  readonly onChange: () => void;
}

export const ThisDevice = ({ browser, problem, isOn, devices, onChange }: ThisDeviceProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const turnOn = async (): Promise<void> => {
    const calls = await client.notifications();
    const { publicKey } = await calls.key();
    await calls.add(await browser.subscribe(publicKey));
  };
  const turnOff = async (): Promise<void> => {
    const calls = await client.notifications();
    // Removes the device from the house first, because the house recognises it by the browser's subscription.
    for (const { id } of devices.filter(({ isThis }) => isThis)) await calls.remove(id);
    await browser.unsubscribe();
  };
  const change = async (): Promise<void> => {
    if (await submission.run(isOn ? turnOff : turnOn)) announce(isOn ? texts.turnedOff : texts.turnedOn);
    onChange();
  };
  return (
    <Section title={texts.thisDevice} text={texts.thisDeviceIntroduction}>
      {problem === undefined ? (
        <>
          <p>{isOn ? texts.notificationsOn : texts.notificationsOff}</p>
          {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
          <div className={styles.buttons}>
            <Button kind={isOn ? "plain" : "primary"} isBusy={submission.isBusy} onClick={() => observe(change())}>
              {isOn ? texts.turnOff : texts.turnOn}
            </Button>
          </div>
        </>
      ) : (
        <p>{texts.problems[problem]}</p>
      )}
    </Section>
  );
};
