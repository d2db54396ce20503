/** What every part of the UI is given: the house, the ways to talk to it, and the little of the browser that is needed. */
import type { Client, HouseReader, HouseSnapshot, Outbox, RoomReader, RoomSnapshot, Storage } from "@hearth/client";
import type { Clock, RoomId } from "@hearth/protocol";
import { createContext, useContext, useSyncExternalStore } from "react";
import type { Page } from "./page.ts";
import type { ThemeSetting } from "./theme-setting.ts";

export interface Ui {
  readonly client: Client;
  readonly house: HouseReader;
  readonly outbox: Outbox;
  /** Opens a room; its closing is up to who opened it. */
  readonly openRoom: (room: RoomId) => RoomReader;
  /** What this browser remembers: drafts, what was read, where one was. */
  readonly storage: Storage;
  readonly theme: ThemeSetting;
  readonly page: Page;
  readonly clock: Clock;
  /** Rejects when the browser does not let it. */
  readonly copyText: (text: string) => Promise<void>;
  /** Looks for the house at once, and sends what waits. */
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
