/** The emergency stop, on every page, with a confirmation. A banner resumes the agents. */
import { observe } from "@hearth/client";
import { useState } from "react";
import { useAnnounce } from "../design/announcer.tsx";
import { Button, IconButton } from "../design/button.tsx";
import { Dialog } from "../design/dialog.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { findHold } from "../house/holds.ts";
import { useHasLasted } from "../house/lasting.ts";
import { mayAdministerHome } from "../house/may.ts";
import { useHouse, useUi } from "../house/ui.tsx";
import { useAgentStates } from "../settings/agents/use-agent-states.ts";
import * as texts from "./text.ts";

/** Whether agents can be stopped and the user may do so. */
export const useCanStop = (): boolean => {
  const { holds, me } = useHouse();
  return mayAdministerHome(me) && findHold(holds, "house") === undefined;
};

export interface StopEverythingProps {
  /** Whether the button shows its name. Otherwise it is an icon. */
  readonly isNamed?: boolean;
  readonly className?: string | undefined;
}

export const StopEverything = ({ isNamed = false, className }: StopEverythingProps) => {
  const { client, house } = useUi();
  const canStop = useCanStop();
  const announce = useAnnounce();
  const [isConfirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const stop = async (): Promise<void> => {
    setFailure(undefined);
    try {
      await client.stopAll();
      setConfirming(false);
      announce(texts.allAgentsStopped);
    } catch (error) {
      setFailure(error);
      // A stop can apply although the request failed, so the state is fetched again.
      house.refresh();
    }
  };
  if (!canStop) return undefined;
  const openDialog = (): void => setConfirming(true);
  const close = (): void => setConfirming(false);
  return (
    <>
      {isNamed ? (
        <NamedStop className={className} onClick={openDialog} />
      ) : (
        <IconButton icon="stop" label={texts.stopAllAgents} aria-haspopup="dialog" onClick={openDialog} />
      )}
      <Dialog
        title={texts.stopAllAgentsTitle}
        isOpen={isConfirming}
        onClose={close}
        buttons={
          <>
            <Button onClick={close}>{texts.cancel}</Button>
            <Button kind="danger" onClick={() => observe(stop())}>
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

/** How long after the page the states of the agents are loaded, and how often. */
const LOAD_DELAY_MS = 1000;
const POLL_INTERVAL_MS = 5000;

interface NamedStopProps {
  readonly className: string | undefined;
  readonly onClick: () => void;
}

/** The button stands out while an agent of the house runs. */
const NamedStop = ({ className, onClick }: NamedStopProps) => {
  const { house } = useHouse();
  const hasDelayPassed = useHasLasted(true, LOAD_DELAY_MS);
  const states = useAgentStates(hasDelayPassed ? house?.id : undefined, POLL_INTERVAL_MS);
  const isRunning = [...states.values()].some(({ status }) => status === "running");
  return (
    <Button
      kind={isRunning ? "danger" : "quiet"}
      icon="stop"
      className={className}
      aria-haspopup="dialog"
      onClick={onClick}
    >
      {texts.stopAllAgents}
    </Button>
  );
};
