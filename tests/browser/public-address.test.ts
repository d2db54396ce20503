/** Opens a house over https through real proxies. HEARTH_WHOLE=1 tries each of them. */
import { afterAll, expect, test } from "bun:test";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestCertificates } from "@hearth/warden/certificates";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import {
  addressOf,
  HOUSE_PORT,
  missing,
  NAME,
  ownAddress,
  proxyKinds,
  PUBLIC_URL,
  serverTable,
  startProxy,
} from "../public/proxy.ts";
import { addAuthenticator } from "./authenticator.ts";
import { inBrowser, inRoom, welcome } from "./browser.ts";

const kinds = process.env["HEARTH_WHOLE"] === "1" ? proxyKinds : proxyKinds.slice(0, 1);
const env = { TEST_KEY: "key" };
const flags = ["--port", String(HOUSE_PORT)];
/**
 * Chromium logs broken connections, answers of the proxy, and the missing login to the console,
 * whatever the page does.
 */
const CUT = /ERR_CONNECTION|ERR_NETWORK|ERR_EMPTY_RESPONSE|WebSocket connection to|status of 50[234]|status of 401/;

for (const kind of kinds) {
  const why = missing(kind);
  const folder = mkdtempSync(join(tmpdir(), "hearth-authority-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Chromium trusts this authority only, and finds the house at the proxy. */
  const prepare = async (): Promise<readonly string[]> => {
    const { publicKey } = new X509Certificate(await createTestCertificates(folder, folder).authority());
    const hash = createHash("sha256")
      .update(publicKey.export({ type: "spki", format: "der" }))
      .digest("base64");
    return [`--ignore-certificate-errors-spki-list=${hash}`, `--host-resolver-rules=MAP ${NAME} ${addressOf(kind)}`];
  };

  inBrowser(
    `a browser behind ${kind}${why}`,
    ({ stranger }) => {
      test.skipIf(why !== "")(
        "logs in by a passkey over https, talks to an agent, and continues after the daemon was killed",
        async () => {
          await using model = createModel();
          model.answer = () => ["Hello from behind the proxy."];
          using home = createHome();
          const table = serverTable(ownAddress(0));
          writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${table}`);
          const before = await startDaemon(home.folder, env, flags);
          await welcome(before);
          await using _proxy = await startProxy({ kind, folder: home.folder, house: ownAddress(0), authority: folder });
          const { json: link } = await before.ask("POST", "/api/login-links", {});
          await using visited = await stranger({ url: PUBLIC_URL }, { expected: CUT });
          const { page, context } = visited;
          await page.goto(link.publicUrl);
          await page.getByRole("button", { name: "Log in" }).click();
          await page.getByRole("textbox", { name: "Message Main" }).waitFor();
          await addAuthenticator(page);
          await page.goto(`${PUBLIC_URL}/ui/settings/account`);
          const passkeys = page.getByRole("region", { name: "Passkeys" });
          await passkeys.getByRole("button", { name: "Add passkey" }).click();
          await passkeys.getByLabel("Passkey name").fill("Phone");
          await passkeys.getByRole("button", { name: "Add passkey" }).click();
          await passkeys.getByRole("cell", { name: NAME }).waitFor();
          await page.evaluate(() => fetch("/logout", { method: "POST", redirect: "manual" }));
          expect(await context.cookies(PUBLIC_URL)).toEqual([]);
          await page.goto(`${PUBLIC_URL}/ui/rooms/main`);
          await page.getByRole("button", { name: "Log in with a passkey" }).click();
          const composer = page.getByRole("textbox", { name: "Message Main" });
          await composer.fill("Hello from far away");
          await composer.press("Enter");
          await inRoom(page, "Hello from behind the proxy.").waitFor();
          expect(await page.evaluate("isSecureContext")).toBe(true);
          expect(await context.cookies(PUBLIC_URL)).toMatchObject([
            {
              name: "__Host-hearth_session",
              secure: true,
              httpOnly: true,
              sameSite: "Strict",
              domain: NAME,
              path: "/",
            },
          ]);

          await before.kill();
          await page.getByText("Not connected").first().waitFor();
          await composer.fill("written while it was down");
          await composer.press("Enter");
          model.answer = () => ["Back again."];
          await using _after = await startDaemon(home.folder, env, flags);
          await inRoom(page, "Back again.").waitFor();
          await until(async () => (await page.getByRole("button", { name: "Try now" }).count()) === 0);
          for (const text of ["Hello from far away", "written while it was down", "Back again."])
            expect(await inRoom(page, text).count()).toBe(1);
          expect(visited.complaints).toEqual([]);
        },
      );
    },
    prepare,
  );
}
