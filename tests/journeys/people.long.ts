/**
 * People other than the owner have only the rights that were granted to them, at the command line
 * too.
 */
import { expect, test } from "bun:test";
import { createHome, startDaemon } from "./daemon.ts";
import { NOT_ALLOWED, welcomeAda, from } from "./ada.ts";

test("people cannot grant rights that they lack, decide without the right to, or remove the last person who can", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const ada = from(house, await welcomeAda(house));
  await house.hearth("grant", "add", "ada", "w");

  expect(await ada.hearth("grant", "add", "ada", "x")).toMatchObject({ code: NOT_ALLOWED, stdout: "" });
  expect(await ada.hearth("person", "add", "Ben")).toMatchObject({ code: NOT_ALLOWED });
  expect(await ada.hearth("stop")).toMatchObject({ code: NOT_ALLOWED });
  expect(await house.hearth("grant", "remove", "owner")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("House home has no other person with x"),
  });

  await house.hearth("grant", "add", "ada", "x", "--on", "house:home");
  expect((await ada.hearth("person", "add", "Ben", "--level", "r")).code).toBe(0);
  const grants = JSON.parse((await ada.hearth("grant", "list", "--on", "home", "--json")).stdout);
  expect(grants.map(({ level }: { level: string }) => level)).toEqual(["x", "w", "x", "r"]);
  expect((await ada.hearth("grant", "remove", "owner")).code).toBe(0);
});
