/** The title that people see for a room. */
import { type RoomRecord, titleOfRoom } from "@hearth/protocol";
import { toVisible } from "../design/visible.ts";
import * as texts from "./text.ts";

export const roomTitle = (room: RoomRecord): string => toVisible(titleOfRoom(room) ?? texts.newChat);
