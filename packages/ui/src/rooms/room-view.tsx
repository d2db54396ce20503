/** What everything inside of an open room shares, apart from what is said there. */
import type { RoomReader } from "@hearth/client";
import type { ActivationId, ActivationPart, AgentId, AgentRecord, EventId, Level, RoomRecord } from "@hearth/protocol";
import { createContext, useCallback, useContext } from "react";
import { visible } from "../text/visible.tsx";

export interface RoomView {
  readonly reader: RoomReader;
  readonly room: RoomRecord;
  readonly me: AgentId | undefined;
  /** What the person may do here. Nothing where that has just been taken, before the room goes. */
  readonly level: Level | undefined;
  readonly agents: ReadonlyMap<string, AgentRecord>;
  /** Puts a text into the composer, after what stands there, and the cursor behind it. */
  readonly compose: (text: string) => void;
  /** For when the button that had the focus goes away. */
  readonly focusComposer: () => void;
  /** The message that is being edited: at most one. */
  readonly editing: EventId | undefined;
  readonly edit: (message: EventId | undefined) => void;
  /** What was unfolded, by key: it stays so when it scrolls away, and when a reply takes the place of its activation. */
  readonly opened: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  /** What unfolded activations showed while they ran, so that nothing blinks when they end. */
  readonly shown: Map<ActivationId, readonly ActivationPart[]>;
}

const RoomViewContext = createContext<RoomView | undefined>(undefined);

export const RoomViewProvider = RoomViewContext.Provider;

export const useRoomView = (): RoomView => {
  const view = useContext(RoomViewContext);
  if (view === undefined) throw new TypeError("used outside of a room");
  return view;
};

/** Whether the part under this key is unfolded, and what turns that around. */
export const useOpened = (key: string): readonly [boolean, () => void] => {
  const { opened, toggle } = useRoomView();
  return [opened.has(key), useCallback(() => toggle(key), [toggle, key])];
};

/** What an agent is called in a sentence; one that has left the house has no name any more. */
export const nameAgent = (agents: ReadonlyMap<string, AgentRecord>, id: AgentId): string =>
  visible(agents.get(id)?.content.name ?? "Someone who left");
