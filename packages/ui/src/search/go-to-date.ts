/** Opens a room at a day. */
import { HearthError, type RoomRecord } from "@hearth/protocol";
import { useLocation } from "wouter";
import { messagePath } from "../house/paths.ts";
import { useSubmission } from "../house/use-submission.ts";
import { useUi } from "../house/ui.tsx";
import { locale } from "../language/locale.ts";
import * as texts from "./text.ts";

/** Returns the start of a day such as 2026-01-31, in the user's time zone. */
const startOf = (day: string): number => new Date(`${day}T00:00`).getTime();

/** Returns the day in the user's language. */
export const formatDay = (day: string): string =>
  new Date(startOf(day)).toLocaleDateString(locale, { dateStyle: "long" });

export const useGoToDate = () => {
  const { client } = useUi();
  const [, navigate] = useLocation();
  const { run, error, isBusy } = useSubmission();
  return {
    error,
    isBusy,
    /** Resolves to false if the room has no message on that day or later. */
    goTo: (room: RoomRecord, day: string): Promise<boolean> =>
      run(async () => {
        const offset = await client.rooms.offsetAt(room.id, startOf(day));
        if (offset === undefined) throw new HearthError("message.not-found", texts.nothingSince(formatDay(day)));
        navigate(messagePath(room.handle, offset));
      }),
  };
};
