/** Context of the UI: house, client and browser services. */
import type {
  Client,
  FileShelf,
  HouseReader,
  HouseSnapshot,
  Outbox,
  RoomReader,
  RoomSnapshot,
  Storage,
} from "@hearth/client";
import type { Clock, RoomId } from "@hearth/protocol";
import { createContext, useContext, useSyncExternalStore } from "react";
import type { LanguageSetting } from "./language-setting.ts";
import type { LoginConfirmation } from "./login-confirmation.ts";
import type { Page } from "./page.ts";
import type { Recordings } from "./recordings.ts";
import type { ThemeSetting } from "./theme-setting.ts";

export interface Ui {
  readonly client: Client;
  readonly house: HouseReader;
  readonly outbox: Outbox;
  /** Files of messages that are not sent yet. */
  readonly files: FileShelf;
  /** Opens a room. The caller closes it. */
  readonly openRoom: (room: RoomId) => RoomReader;
  /** Browser storage: drafts, read marks and the last room. */
  readonly storage: Storage;
  readonly theme: ThemeSetting;
  readonly language: LanguageSetting;
  readonly page: Page;
  readonly clock: Clock;
  /** Undefined if this page cannot use the microphone. */
  readonly recordings: Recordings | undefined;
  readonly confirmation: LoginConfirmation;
  /** Copies a text. Rejects if the browser denies it. */
  readonly copyText: (text: string) => Promise<void>;
  /** Reconnects immediately and sends queued messages. */
  readonly reconnect: () => void;
}

const UiContext = createContext<Ui | undefined>(undefined);

export const UiProvider = UiContext.Provider;

export const useUi = (): Ui => {
  const ui = useContext(UiContext);
  if (ui === undefined) throw new TypeError("used outside of UiProvider");
  return ui;
};

export const useHouse = (): HouseSnapshot => {
  const { house } = useUi();
  return useSyncExternalStore(house.onChange, house.snapshot, house.snapshot);
};

export const useRoom = (reader: RoomReader): RoomSnapshot =>
  useSyncExternalStore(reader.onChange, reader.snapshot, reader.snapshot);
