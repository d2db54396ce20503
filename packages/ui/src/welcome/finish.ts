/** Completes the welcome: records it in the house, then opens the agent's room. */
import { observe } from "@hearth/client";
import type { AgentRecord, HouseRecord } from "@hearth/protocol";
import { useState } from "react";
import { useUi } from "../house/ui.tsx";

export interface FinishOptions {
  readonly house: HouseRecord;
  readonly agent: AgentRecord | undefined;
  /** Called with the path to open. */
  readonly onDone: (path: string) => void;
}

export interface Finish {
  readonly isBusy: boolean;
  /**
   * `note`: the completion could not be recorded, and the user can continue. `room`: the room could
   * not be opened.
   */
  readonly problem: "note" | "room" | undefined;
  readonly error: unknown;
  readonly run: () => void;
  /** Continues without recording the completion. */
  readonly skipRecording: () => void;
}

interface State {
  readonly isBusy: boolean;
  readonly problem?: "note" | "room";
  readonly error?: unknown;
}

export const useFinish = ({ house, agent, onDone }: FinishOptions): Finish => {
  const { client, clock } = useUi();
  const [state, setState] = useState<State>({ isBusy: false });

  const openRoom = async (): Promise<void> => {
    setState({ isBusy: true });
    try {
      onDone(agent === undefined ? "/" : `/rooms/${encodeURIComponent((await client.agents.room(agent.id)).handle)}`);
    } catch (error) {
      setState({ isBusy: false, problem: "room", error });
    }
  };
  const run = async (): Promise<void> => {
    if (state.isBusy) return;
    setState({ isBusy: true });
    try {
      await client.houses.update(house.id, { content: { welcomedAt: clock.now() } });
    } catch (error) {
      setState({ isBusy: false, problem: "note", error });
      return;
    }
    await openRoom();
  };

  return {
    isBusy: state.isBusy,
    problem: state.problem,
    error: state.error,
    run: () => observe(run()),
    skipRecording: () => observe(openRoom()),
  };
};
