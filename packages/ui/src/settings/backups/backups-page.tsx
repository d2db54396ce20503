/** Shows the backups of the house, their folder or server, and the disk space of the house. */
import { useCallback } from "react";
import { useRequest } from "../../house/request.ts";
import { RequestView } from "../../house/request-view.tsx";
import { useInterval } from "../../house/interval.ts";
import { useUi } from "../../house/ui.tsx";
import { Section } from "../form/section.tsx";
import { AddTarget } from "./add-target.tsx";
import { BackupTable } from "./backup-table.tsx";
import { RestoreSection } from "./restore-section.tsx";
import { ScheduleSection } from "./schedule-section.tsx";
import { StorageSection } from "./storage-section.tsx";
import * as texts from "./text.ts";

const POLL_INTERVAL_MS = 2000;

export const BackupsPage = () => {
  const { client } = useUi();
  const request = useRequest(useCallback(() => client.backups(), [client]));
  const { reload } = request;
  useInterval(POLL_INTERVAL_MS, reload);
  return (
    <>
      <Section title={texts.backups} text={texts.backupsIntroduction}>
        <RequestView request={request}>{(places) => <BackupTable places={places} onChanged={reload} />}</RequestView>
      </Section>
      <ScheduleSection onSaved={reload} />
      <AddTarget places={request.value ?? []} onAdded={reload} />
      <RestoreSection places={request} />
      <StorageSection />
    </>
  );
};
