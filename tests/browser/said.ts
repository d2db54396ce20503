/** Reads what a room contains. */
import type { Daemon } from "../journeys/daemon.ts";

export const saidIn = async (daemon: Daemon, room: string): Promise<readonly string[]> => {
  const { json } = await daemon.ask("GET", `/api/rooms/${room}/events`);
  return json.events.map((event: { body: { text: string } }) => event.body.text);
};
