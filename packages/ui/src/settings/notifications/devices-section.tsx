/** The devices of the current user that get notifications, with a test for all of them. */
import { observe } from "@hearth/client";
import type { PushDevice } from "@hearth/protocol";
import { useAnnounce } from "../../design/announcer.tsx";
import { Button } from "../../design/button.tsx";
import { ErrorNotice } from "../../design/notice.tsx";
import { Time } from "../../house/time.tsx";
import { useUi } from "../../house/ui.tsx";
import { useSubmission } from "../../house/use-submission.ts";
import { toVisible } from "../../text/visible.tsx";
import { Section } from "../form/section.tsx";
import styles from "../settings.module.css";
import type { NotificationsProps } from "./notifications-props.ts";
import * as texts from "./text.ts";

export const DevicesSection = ({ state: { devices }, onChange }: NotificationsProps) => {
  const { client } = useUi();
  const announce = useAnnounce();
  const submission = useSubmission();
  const remove = async ({ id, name }: PushDevice): Promise<void> => {
    const isDone = await submission.run(async () => onChange(await (await client.notifications()).remove(id)));
    if (isDone) announce(texts.removed(toVisible(name)));
  };
  const test = async (): Promise<void> => {
    await submission.run(async () => {
      const calls = await client.notifications();
      const { sent, failed } = await calls.test();
      announce(texts.testSent(sent, failed));
      onChange(await calls.show());
    });
  };
  return (
    <Section title={texts.devices} text={texts.devicesIntroduction}>
      {devices.length === 0 ? (
        <p className={styles.quiet}>{texts.noDevices}</p>
      ) : (
        <>
          <ul className={styles.list}>
            {devices.map((device) => (
              <li key={device.id} className={styles.entry}>
                <div className={styles.row}>
                  <span className={styles.about}>
                    <span className={styles.name}>{toVisible(device.name)}</span>
                    <Facts device={device} />
                  </span>
                  <Button
                    size="small"
                    aria-label={texts.removeDevice(toVisible(device.name))}
                    onClick={() => observe(remove(device))}
                  >
                    {texts.remove}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
          <div className={styles.buttons}>
            <Button isBusy={submission.isBusy} onClick={() => observe(test())}>
              {texts.sendTest}
            </Button>
          </div>
        </>
      )}
      {submission.error === undefined ? undefined : <ErrorNotice error={submission.error} />}
    </Section>
  );
};

const Facts = ({ device: { isThis, service, createdAt, sentAt } }: { readonly device: PushDevice }) => (
  <span className={styles.quiet}>
    {isThis ? `${texts.thisDeviceBadge} · ` : ""}
    {toVisible(service)} {" · "}
    {sentAt === undefined ? texts.added : texts.lastSent}
    <Time at={sentAt ?? createdAt} style="relative" />
  </span>
);
