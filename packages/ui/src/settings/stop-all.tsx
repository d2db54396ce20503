/** STOP for every agent of the house. The way back stands above every page while it holds. */
import { useAnnounce } from "../design/announcer.tsx";
import { Button } from "../design/button.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { findHold } from "../house/holds.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useWork } from "../models/use-work.ts";
import { Section } from "./section.tsx";
import styles from "./settings.module.css";

export const StopAll = () => {
  const { client, house } = useUi();
  const { holds } = useHouse();
  const announce = useAnnounce();
  const work = useWork();
  const stop = async (): Promise<void> => {
    if (await work.run(async () => void (await client.stopAll()))) announce("All agents are stopped.");
    // As with one agent: it may hold though it failed.
    else house.refresh();
  };
  const resume = async (): Promise<void> => {
    if (await work.run(async () => void (await client.resumeAll()))) announce("The agents go on.");
  };
  return (
    <Section
      title="Stop all agents"
      text="What they are doing ends at once, and nobody begins anything until you resume them. Messages wait. Who was stopped by itself stays so."
    >
      {work.error === undefined ? undefined : <ErrorNotice error={work.error} />}
      <div className={styles.buttons}>
        {findHold(holds, "house") === undefined ? (
          <Button kind="danger" icon="stop" isBusy={work.isBusy} onClick={() => void stop()}>
            Stop all agents
          </Button>
        ) : (
          <Button kind="primary" isBusy={work.isBusy} onClick={() => void resume()}>
            Resume all agents
          </Button>
        )}
      </div>
    </Section>
  );
};
