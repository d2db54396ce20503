/** The emergency stop, on every page, with a confirmation. A banner resumes the agents. */
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button, IconButton } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { findHold } from "../house/holds.ts";
import { mayAdministerHome } from "../house/may.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import * as texts from "./text.ts";

/** Whether agents can be stopped and the user may do so. */
export const useCanStop = (): boolean => {
  const { holds, me } = useHouse();
  return mayAdministerHome(me) && findHold(holds, "house") === undefined;
};

export const StopEverything = () => {
  const { client, house } = useUi();
  const canStop = useCanStop();
  const announce = useAnnounce();
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const stop = async (): Promise<void> => {
    setFailure(undefined);
    try {
      await client.stopAll();
      setAsking(false);
      announce(texts.allAgentsStopped);
    } catch (error) {
      setFailure(error);
      // A stop can apply although the request failed, so the state is fetched again.
      house.refresh();
    }
  };
  if (!canStop) return undefined;
  const close = (): void => setAsking(false);
  return (
    <>
      <IconButton icon="stop" label={texts.stopAllAgents} aria-haspopup="dialog" onClick={() => setAsking(true)} />
      <Dialog
        title={texts.stopAllAgentsTitle}
        isOpen={isAsking}
        onClose={close}
        buttons={
          <>
            <Button onClick={close}>{texts.cancel}</Button>
            <Button kind="danger" onClick={() => void stop()}>
              {texts.stopAllAgents}
            </Button>
          </>
        }
      >
        <p>{texts.stopAllAgentsEffect}</p>
        {failure === undefined ? undefined : <ErrorNotice error={failure} />}
      </Dialog>
    </>
  );
};
