import { expect, test } from "bun:test";
import { createHome, startDaemon } from "./daemon.ts";
import { totp } from "./totp.ts";

const PASSWORD = "correct horse battery";

test("A24: a second factor stays after a kill: no login begins without its code or a recovery code", async () => {
  using home = createHome();
  let secret = "";
  let recoveryCodes: readonly string[] = [];
  {
    await using daemon = await startDaemon(home.folder);
    await daemon.ask("POST", "/api/agents/owner/password", { password: PASSWORD });
    const { json: setup } = await daemon.ask("POST", "/api/second-factor/setup", {});
    secret = setup.secret;
    const { json } = await daemon.ask("POST", "/api/second-factor", { setup: setup.setup, code: totp(secret) });
    recoveryCodes = json.recoveryCodes;
    await daemon.kill();
  }
  await using daemon = await startDaemon(home.folder);
  const logIn = async (body: unknown) => {
    const headers = { "content-type": "application/json", origin: daemon.url };
    const response = await fetch(`${daemon.url}/login`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, hasCookie: response.headers.has("set-cookie"), json: await response.json() };
  };
  const first = async () => {
    const step = await logIn({ person: "owner", password: PASSWORD });
    expect([step.status, step.hasCookie]).toEqual([200, false]);
    return step.json.ticket;
  };
  // The code of the next time step is accepted, and the code of the setup is not accepted again.
  for (const code of [totp(secret, 1), recoveryCodes[0]]) {
    const ticket = await first();
    expect(await logIn({ ticket, code: "000000" })).toMatchObject({ status: 400, hasCookie: false });
    expect(await logIn({ ticket, code })).toMatchObject({ status: 200, hasCookie: true });
  }
  expect(await logIn({ ticket: await first(), code: recoveryCodes[0] })).toMatchObject({ status: 400 });
  expect(await daemon.ask("POST", "/api/login-links", {})).toMatchObject({ status: 400 });
});
