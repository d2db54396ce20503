/** Context that all components of an open room share, except its messages. */
import type { RoomReader } from "@hearth/client";
import type {
  ActivationId,
  ActivationPart,
  AgentId,
  AgentRecord,
  EventId,
  Level,
  RoomRecord,
  UndoBrain,
} from "@hearth/protocol";
import { createContext, useCallback, useContext } from "react";
import { toVisible } from "../text/visible.tsx";
import * as texts from "./text.ts";

/** A dialog that stays open when the row that opened it is scrolled away or replaced. */
export type RoomDialog =
  | { readonly kind: "rename" }
  | { readonly kind: "model"; readonly agent: AgentRecord }
  | { readonly kind: "undo"; readonly agent: AgentRecord; readonly target: UndoBrain };

export interface RoomView {
  readonly reader: RoomReader;
  readonly room: RoomRecord;
  readonly me: AgentId | undefined;
  /** The user's role here. Undefined after it was removed, until the room closes. */
  readonly level: Level | undefined;
  readonly agents: ReadonlyMap<string, AgentRecord>;
  /** Appends text to the composer and moves the cursor to its end. */
  readonly compose: (text: string) => void;
  /** Focuses the composer. Buttons call it if they disappear while they have the focus. */
  readonly focusComposer: () => void;
  readonly openDialog: (dialog: RoomDialog) => void;
  /** The message that the composer answers, if any. */
  readonly replyingTo: EventId | undefined;
  /** Lets the composer answer this message, and focuses it. `undefined` removes the reference. */
  readonly reply: (message: EventId | undefined) => void;
  /** The message that is being edited, if any. */
  readonly editedMessage: EventId | undefined;
  readonly edit: (message: EventId | undefined) => void;
  /**
   * Keys of expanded parts. A part stays expanded when it is scrolled away, and when a reply
   * replaces its run.
   */
  readonly openedKeys: ReadonlySet<string>;
  readonly toggle: (key: string) => void;
  /** The new reply that the user hears, until its message plays it. */
  readonly spokenReply: EventId | undefined;
  readonly onSpeaking: () => void;
  /**
   * The parts that expanded runs showed while they were active. They stay visible until the stored
   * parts are loaded.
   */
  readonly receivedParts: Map<ActivationId, readonly ActivationPart[]>;
}

const RoomViewContext = createContext<RoomView | undefined>(undefined);

export const RoomViewProvider = RoomViewContext.Provider;

export const useRoomView = (): RoomView => {
  const view = useContext(RoomViewContext);
  if (view === undefined) throw new TypeError("used outside of a room");
  return view;
};

/** Returns whether the part with this key is expanded, and a function that toggles it. */
export const useExpanded = (key: string): readonly [boolean, () => void] => {
  const { openedKeys, toggle } = useRoomView();
  return [openedKeys.has(key), useCallback(() => toggle(key), [toggle, key])];
};

/** Returns the name of an agent, or a placeholder if the agent left the house. */
export const nameAgent = (agents: ReadonlyMap<string, AgentRecord>, id: AgentId): string =>
  toVisible(agents.get(id)?.content.name ?? texts.formerMember);
