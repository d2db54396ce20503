/** Linked accounts at the command line, against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);
const identity = {
  id: "9f86d081884c7d65",
  provider: "acme",
  issuer: "https://id.example",
  account: "a\u001b[2Jda@example.org",
  createdAt: 940_000,
};
const path = () => `/api/agents/${house.owner.id}/identities`;
const answerList = (needsCurrent: boolean, identities: readonly unknown[] = [identity]): void => {
  house.answer("GET /api/agents/owner", house.owner);
  house.answer(`GET ${path()}`, { identities, providers: [], needsCurrent });
};

test("accounts are listed without control characters, and as JSON", async () => {
  answerList(false);
  expect((await hearth("identity", "list", "owner")).out).toMatch(
    /9f86d081884c7d65 +acme +a\\e\[2Jda@example\.org +1 min ago +never\n/,
  );
  expect(JSON.parse((await hearth("identity", "list", "owner", "--json")).out)).toEqual([identity]);
  answerList(false, []);
  expect((await hearth("identity", "list", "@owner")).err).toContain("No linked accounts");
});

test("unlinking asks for the password if the house requires it", async () => {
  answerList(true);
  house.answer(`POST ${path()}/${identity.id}/unlink`, identity);
  const questions: string[] = [];
  const readSecret = async (question: string) => {
    questions.push(question);
    return "correct horse battery";
  };
  const { code, out } = await runAt(house, ["identity", "unlink", identity.id, "owner"], { readSecret });
  expect([code, questions]).toEqual([0, ["Current password: "]]);
  expect(out).toBe("Unlinked a\\e[2Jda@example.org at acme from @owner\n");
  expect(house.requests.at(-1)).toBe(`POST ${path()}/${identity.id}/unlink {"current":"correct horse battery"}`);
  answerList(false);
  await hearth("identity", "unlink", identity.id, "owner", "--json");
  expect(house.requests.at(-1)).toBe(`POST ${path()}/${identity.id}/unlink {}`);
});

test("the check of a provider fails with the reason and what to do", async () => {
  house.answer("POST /api/login/oidc/acme/test", { ok: false, detail: "id.example was not found.", hint: "Check it." });
  expect(await hearth("identity", "test", "acme")).toMatchObject({
    code: 1,
    out: "id.example was not found.\n",
    err: "Check it.\n",
  });
  house.answer("POST /api/login/oidc/acme/test", { ok: true, detail: "Fine." });
  expect(await hearth("identity", "test", "acme")).toMatchObject({ code: 0, out: "Fine.\n" });
});
