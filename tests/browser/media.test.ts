/** The providers of speech and pictures in the browser: set up, tested, changed and turned off. */
import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { createHome, startDaemon, until } from "../journeys/daemon.ts";
import { readHome } from "../journeys/home-files.ts";
import { createVoiceServer, VOICE_KEY } from "../journeys/voice-server.ts";
import { inBrowser, welcome } from "./browser.ts";
import { expectFit } from "./phone.ts";

/** Set to a folder, the test writes its screenshots there. */
const SHOTS = process.env["HEARTH_SCREENSHOTS"];

const shoot = async (page: Page, name: string): Promise<void> => {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
};

inBrowser("an admin without a terminal", ({ visit }) => {
  test("sets up speech and pictures, tests them, and turns speech off; the command does the same; the file keeps its comments", async () => {
    using home = createHome();
    using voice = createVoiceServer();
    const file = join(home.folder, "hearth.toml");
    writeFileSync(file, 'version = 1\n# The picture provider of this test.\n[pictures] # pictures\nkind = "fake"\n');
    await using daemon = await startDaemon(home.folder, { VOICE_KEY });
    await welcome(daemon);
    expect((await daemon.hearth("chat", "-m", "help")).code).toBe(0);
    const phone = { viewport: { width: 390, height: 844 }, reducedMotion: "reduce" } as const;
    await using visited = await visit(daemon, { path: "/ui/settings/models", ...phone });
    const { page } = visited;
    const media = page.getByRole("region", { name: "Speech and pictures" });

    const pictures = media.getByRole("listitem", { name: "Pictures" });
    await pictures.getByRole("button", { name: "Test Pictures" }).click();
    const picture = pictures.getByRole("img", { name: "The picture that the provider made" });
    await picture.waitFor();
    expect(await picture.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(64);

    const speech = media.getByRole("listitem", { name: "Speech" });
    await speech.getByRole("button", { name: "Set up Speech" }).click();
    await speech.getByRole("button", { name: "Save provider" }).click();
    await speech.getByText("Enter an API key.").waitFor();
    await speech.getByLabel("Address (optional)").fill(voice.baseUrl);
    await speech.getByLabel("New key", { exact: true }).fill("wrong-key");
    await shoot(page, "media-form");
    await expectFit(page);
    // A test of the form stores nothing, whether it fails or succeeds.
    const tryForm = speech.getByRole("button", { name: "Test", exact: true });
    await tryForm.click();
    await speech.getByRole("alert").getByText(/key/).first().waitFor();
    await speech.getByLabel("New key", { exact: true }).fill(VOICE_KEY);
    await speech.getByRole("alert").waitFor({ state: "hidden" });
    await tryForm.click();
    await page.waitForFunction(
      () => document.querySelector<HTMLAudioElement>('audio[aria-label="Sound of the test of Speech"]')?.duration === 1,
    );
    await shoot(page, "media-form-tested");
    expect(voice.spoken.splice(0)).toMatchObject([{ input: "This is Hearth. I can speak." }]);
    for (const [name, bytes] of await readHome(home.folder))
      for (const key of ["wrong-key", VOICE_KEY]) expect([name, bytes.includes(key)]).toEqual([name, false]);
    expect(readFileSync(file, "utf8")).not.toContain("[voice");
    await speech.getByLabel("New key", { exact: true }).fill("wrong-key");
    await speech.getByRole("button", { name: "Save provider" }).click();
    await speech.getByRole("button", { name: "Test Speech" }).click();
    await speech.getByRole("alert").getByText(/key/).first().waitFor();

    await speech.getByRole("button", { name: "Change Speech" }).click();
    await speech.getByLabel("API key").selectOption("New key");
    await speech.getByLabel("New key", { exact: true }).fill(VOICE_KEY);
    await speech.getByLabel("Voice (optional)").fill("coral");
    await speech.getByRole("button", { name: "Save provider" }).click();
    await speech.getByRole("button", { name: "Test Speech" }).click();
    await page.waitForFunction(
      () => document.querySelector<HTMLAudioElement>('audio[aria-label="Sound of the test of Speech"]')?.duration === 1,
    );
    expect(voice.spoken).toMatchObject([{ input: "This is Hearth. I can speak.", voice: "coral" }]);
    await shoot(page, "media-tested");
    await expectFit(page);

    // Without a reload, the room offers to read messages aloud.
    await page.evaluate(() => history.pushState(null, "", "/ui/rooms/main"));
    await page.getByRole("button", { name: "Listen" }).first().waitFor({ state: "attached" });
    await page.goBack();

    // The key is in a file, the settings are in hearth.toml, and neither the page nor the API has the key.
    const text = readFileSync(file, "utf8");
    expect(text).toContain("# The picture provider of this test.\n[pictures] # pictures\n");
    expect(text).toContain('[voice.speak]\nkind = "openai"\n');
    expect(text + JSON.stringify((await daemon.ask("GET", "/api/media")).json)).not.toContain(VOICE_KEY);
    expect(await page.content()).not.toContain(VOICE_KEY);

    await speech.getByRole("button", { name: "Turn off Speech" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Turn off" }).click();
    await speech.getByRole("button", { name: "Set up Speech" }).waitFor();
    await until(async () => !readFileSync(file, "utf8").includes("voice.speak"));
    expect((await daemon.ask("GET", "/api/me")).json.speaks).toBeUndefined();

    // The command sets the same settings, which the page shows.
    const wire = ["--kind", "openai", "--base-url", voice.baseUrl, "--api-key", "env:VOICE_KEY"];
    expect((await daemon.hearth("voice", "set", "transcribe", ...wire)).code).toBe(0);
    const tested = await daemon.hearth("voice", "test", "transcribe");
    expect([tested.code, tested.stdout]).toEqual([0, expect.stringContaining("Please water the tomatoes.")]);
    await page.reload();
    const transcription = media.getByRole("listitem", { name: "Transcription" });
    await transcription.getByRole("button", { name: "Change Transcription" }).click();
    expect(await transcription.getByLabel("API key").inputValue()).toBe("env:VOICE_KEY");
    await transcription.getByLabel("Language (optional)").fill("de");
    await transcription.getByRole("button", { name: "Save provider" }).click();
    await until(async () => readFileSync(file, "utf8").includes('language = "de"'));
    expect(readFileSync(file, "utf8")).toContain('api_key = "env:VOICE_KEY"');
  });
});
