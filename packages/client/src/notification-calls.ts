/** Calls about the notifications of a person. */
import { notificationOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createNotificationCalls = (connection: Connection) => createCalls(connection, notificationOperations);
