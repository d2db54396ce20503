import { expect, test } from "bun:test";
import { createHome, type Daemon, until } from "../journeys/daemon.ts";
import { createModel } from "../journeys/model.ts";
import { inBrowser, inRoom } from "./browser.ts";
import { startHouse } from "./stop-house.ts";

const statesOf = async (daemon: Daemon): Promise<readonly string[]> =>
  (await daemon.ask("GET", "/api/agents/main/activations")).json.map(({ state }: { state: string }) => state);

inBrowser("an agent that is stopped on its page", ({ visit }) => {
  test("is marked in its room and in the side bar, queues messages, and can be resumed in either place", async () => {
    await using model = createModel();
    using home = createHome();
    model.answer = async function* () {
      yield "On and on ";
      await new Promise(() => {});
    };
    await using daemon = await startHouse(home.folder, model);
    await using visited = await visit(daemon, { path: "/ui/rooms/main" });
    const { page: room } = visited;
    const composer = room.getByRole("textbox", { name: "Message Main" });
    const bar = room.getByRole("navigation", { name: "Chats" });
    await composer.fill("Talk");
    await composer.press("Enter");
    await inRoom(room, /^On and on/).waitFor();

    const settings = await visited.newTab("/ui/settings/agents/main");
    await settings.getByRole("button", { name: "Stop Main" }).click();
    await settings.getByText(/^Main was stopped by .* Messages wait\.$/).waitFor();
    // The stop applies immediately; runs end a moment later.
    await until(async () => (await statesOf(daemon)).join() !== "running");
    expect(await statesOf(daemon)).toEqual(["stopped"]);
    await room.getByText("Main is stopped.", { exact: true }).waitFor();
    await bar.getByText("Stopped", { exact: true }).waitFor();

    model.answer = () => ["Here again."];
    await composer.fill("Are you there?");
    await composer.press("Enter");
    await room.getByText("Main is stopped. 1 message waits.").waitFor();
    await inRoom(room, "Waiting to be resumed").waitFor();
    expect(await statesOf(daemon)).toEqual(["queued", "stopped"]);
    await room.reload();
    await room.getByText("Main is stopped. 1 message waits.").waitFor();
    await room.getByRole("button", { name: "Resume", exact: true }).click();
    await inRoom(room, "Here again.").waitFor();
    await room.getByText("Main is stopped.").waitFor({ state: "detached" });
    await bar.getByText("Stopped", { exact: true }).waitFor({ state: "detached" });

    await settings.getByRole("button", { name: "Stop Main" }).click();
    await settings.getByRole("button", { name: "Resume Main" }).click();
    await settings.getByRole("button", { name: "Stop Main" }).waitFor();
    expect((await daemon.ask("GET", "/api/stops")).json).toEqual([]);
    expect(visited.complaints).toEqual([]);
  });
});
