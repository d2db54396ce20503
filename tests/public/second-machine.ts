/** Runs in the network namespace of a second machine: uses a house and prints what it saw. */
import { connect } from "node:net";
import { until } from "@hearth/protocol/until";
import { ask, openSocket, type Place } from "./client.ts";

export interface Visit {
  readonly place: Place;
  readonly loginLink: string;
  readonly room: string;
  /** The address of the house's machine. */
  readonly house: string;
  /** A port of the house that only its own machine may reach. */
  readonly localPort: number;
}

const { place, loginLink, room, house, localPort } = JSON.parse(process.argv[2] ?? "") as Visit;
const { origin, searchParams } = new URL(loginLink);

const body = `code=${searchParams.get("code")}`;
const form = { "content-type": "application/x-www-form-urlencoded", origin };
const login = await ask(place, "/login", { method: "POST", headers: form, body });
const cookie = String([login.headers["set-cookie"]].flat()[0]).split(";")[0] ?? "";

const socket = await openSocket(place, { cookie, origin });
socket.send({ op: "subscribe", id: 1, stream: `room:${room}`, after: 0 });
await until(() => socket.received.some(({ type }) => type === "answer"));
const headers = { cookie, origin, "content-type": "application/json" };
const path = `/api/rooms/${room}/messages`;
const said = await ask(place, path, {
  method: "POST",
  headers,
  body: JSON.stringify({ text: "from the other machine" }),
});
await until(() => JSON.stringify(socket.received).includes("from the other machine"));

const localIsOpen = await new Promise<boolean>((resolve) => {
  const plain = connect({ host: house, port: localPort });
  plain.once("connect", () => resolve(true));
  plain.once("error", () => resolve(false));
});
const statuses = new Set<number>();
for (let count = 0; count < 60 && !statuses.has(429); count += 1) {
  const wrong = { authorization: "Bearer hearth_wrong", "x-forwarded-for": `198.51.100.${count}` };
  statuses.add((await ask(place, "/api/me", { headers: wrong })).status);
}
socket.close();
console.log(JSON.stringify({ login: login.status, cookie, said: said.status, localIsOpen, statuses: [...statuses] }));
process.exit(0);
