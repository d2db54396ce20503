/** Descriptions of pictures in the browser: set up in the settings, and shown below a picture. */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { configFor, createModel } from "../journeys/model.ts";
import { toPicture } from "../journeys/picture-file.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

inBrowser("a person whose agent does not see", ({ visit }) => {
  test("sets up a model that describes pictures, sends one, and reads its description", async () => {
    using home = createHome();
    await using model = createModel();
    model.answer = (request) => [request.model === "eye" ? "A grey square." : "I read the description."];
    const sight = '[models."test/model"]\nsees = false\n[models."test/eye"]\nsees = true\n';
    writeFileSync(join(home.folder, "hearth.toml"), `${configFor(model.baseUrl)}${sight}`);
    await using daemon = await startDaemon(home.folder, { TEST_KEY: "k" });
    await welcome(daemon);
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    await using visited = await visit(daemon, { path: "/ui/settings/models", ...phone });
    const { page } = visited;
    const media = page.getByRole("region", { name: "Speech and pictures" });
    const row = media.getByRole("listitem", { name: "Descriptions of pictures" });
    await row.getByText(/^Off\./).waitFor();
    await row.getByRole("button", { name: "Set up Descriptions of pictures" }).click();
    await row.getByLabel("Model", { exact: true }).fill("test/eye");
    expect(await row.getByLabel(/Dollars/).count()).toBe(0);
    await row.getByRole("button", { name: "Test", exact: true }).click();
    await row.getByText("test/eye described a red square: A grey square.").waitFor();
    await expectFit(page);
    await row.getByRole("button", { name: "Save provider" }).click();
    await row.getByText("test/eye", { exact: true }).waitFor();

    await page.goto(`${daemon.url}/ui/rooms/main`);
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({ name: "square.png", mimeType: "image/png", buffer: Buffer.from(await toPicture()) });
    await page.getByRole("textbox", { name: /message/i }).fill("What is it?");
    await page.getByRole("button", { name: "Send" }).click();
    const log = page.getByRole("log");
    await log.getByText("I read the description.").waitFor();
    const summary = log.getByText("Described by test/eye for models that do not see");
    await summary.click();
    await log.getByText("A grey square.").waitFor();
    await expectFit(page);
    // The reply names what the model did not get.
    await log.getByText(/got a description of it/).waitFor();
  }, 120_000);
});
