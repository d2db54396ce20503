/** The house that the UI shows. A person in several houses chooses one, and the choice is stored. */
import type { HouseId, HouseRecord } from "@hearth/protocol";
import { reuseIfEqual } from "../room/activity.ts";
import type { Storage } from "../storage.ts";
import type { HouseBook } from "./house-book.ts";
import type { RoomEntry } from "./house.ts";
import { storeIfPossible } from "./remember.ts";
import type { RoomBoard } from "./room-board.ts";

export interface HouseChoice {
  /** Returns the chosen house, or else the person's own house. Returns undefined until it is loaded. */
  house(): HouseRecord | undefined;
  /** Returns the rooms of the house. Unchanged rooms are the same list as before. */
  rooms(): readonly RoomEntry[];
  choose(house: HouseId): void;
}

export interface HouseChoiceOptions {
  readonly storage: Storage;
  readonly book: Pick<HouseBook, "houses" | "me">;
  readonly board: Pick<RoomBoard, "entries">;
}

/** The name under which the chosen house is stored. */
const CHOICE_KEY = "house";

export const createHouseChoice = ({ storage, book, board }: HouseChoiceOptions): HouseChoice => {
  let chosenId = storage.get(CHOICE_KEY);
  let shownRooms: readonly RoomEntry[] = [];
  const house = (): HouseRecord | undefined => book.houses().find(({ id }) => id === chosenId) ?? book.me()?.house;
  return {
    house,
    rooms() {
      const entries = board.entries();
      if (book.houses().length < 2) return entries;
      const ownHouse = house()?.id;
      shownRooms = reuseIfEqual(
        shownRooms,
        entries.filter(({ room }) => room.house === ownHouse),
      );
      return shownRooms;
    },
    choose(id) {
      chosenId = id;
      storeIfPossible(storage, CHOICE_KEY, id);
    },
  };
};
