/** Stops all agents of the house. A banner on every page resumes them. */
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
    if (await work.run(async () => void (await client.stopAll()))) announce("All agents stopped.");
    // As with one agent: it may hold though it failed.
    else house.refresh();
  };
  const resume = async (): Promise<void> => {
    if (await work.run(async () => void (await client.resumeAll()))) announce("All agents resumed.");
  };
  return (
    <Section
      title="Stop all agents"
      text="Current runs stop immediately, and no new ones start until you resume. Messages wait. Agents that were stopped individually stay stopped."
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
