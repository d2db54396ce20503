/** Conformance tests of picture providers, against answers in the documented shape. */
import { describe, expect, test } from "bun:test";
import { expectFailure, never, open, wireFailures } from "../voice/failures.conformance.ts";
import { drawPng } from "./memory-pictures.ts";
import {
  MAX_PICTURE_ANSWER_BYTES,
  MAX_PICTURE_BYTES,
  type Picture,
  PICTURE_LIMIT_MS,
  type PictureOrder,
  type PictureProviderFactory,
} from "./picture-provider.ts";

export interface PictureProviderHarness {
  readonly factory: PictureProviderFactory;
  /** The server's answer with these files. Absent: there is no server. */
  readonly answer?: (files: readonly Uint8Array[]) => Response;
  /** The server's answer after its moderation refused. */
  readonly refusal?: () => Response;
  /** How many pictures one request makes. */
  readonly perRequest: "one" | "many";
}

export const BLUE = drawPng(3, 2, [0, 0, 255]);
export const RED = drawPng(3, 2, [255, 0, 0]);

export const SOURCE: Picture = { bytes: RED, type: "image/png", width: 3, height: 2 };

/** Returns the picture with a comment, as metadata before its end. */
export const withComment = (png: Uint8Array): Uint8Array => {
  const comment = Uint8Array.of(0, 0, 0, 4, ...new TextEncoder().encode("tEXta\0by"), 0, 0, 0, 0);
  const end = png.length - 12;
  return Uint8Array.from([...png.subarray(0, end), ...comment, ...png.subarray(end)]);
};

export const pictureProviderConformance = (name: string, harness: PictureProviderHarness): void => {
  const { factory, answer, refusal, perRequest } = harness;
  const serve = (files: readonly Uint8Array[]) => open(() => answer?.(files) ?? new Response());
  const order = (over: Partial<PictureOrder> = {}): PictureOrder => ({ prompt: "A blue shed", count: 1, ...over });

  describe(`${name}: the contract of a picture provider`, () => {
    test("a prompt becomes a picture with the type and the dimensions of its bytes", async () => {
      const { options, requests } = serve([BLUE]);
      const [picture, ...more] = await factory(options).make(order(), never);
      expect(more).toEqual([]);
      expect(picture?.type).toBe("image/png");
      expect([picture?.width, picture?.height]).toEqual(answer === undefined ? [64, 64] : [3, 2]);
      if (answer !== undefined) expect(picture?.bytes).toEqual(BLUE);
      expect(requests).toHaveLength(answer === undefined ? 0 : 1);
    });

    test("`count` pictures are made, and a picture is changed into another one", async () => {
      const { options, requests } = serve(perRequest === "many" ? [BLUE, RED] : [BLUE]);
      const pictures = await factory(options).make(order({ count: 2, source: SOURCE }), never);
      expect(pictures).toHaveLength(2);
      expect(requests).toHaveLength(answer === undefined ? 0 : perRequest === "many" ? 1 : 2);
    });

    test("a prompt that moderation refuses is provider.refused", async () => {
      const { options } = open(() => refusal?.() ?? new Response());
      await expectFailure(factory(options).make(order({ prompt: "forbidden" }), never), "provider.refused");
    });

    test("a signal that has aborted ends the call before the request", async () => {
      const { options, requests } = serve([BLUE]);
      await expectFailure(factory(options).make(order(), AbortSignal.abort()), "provider.aborted");
      expect(requests).toEqual([]);
    });

    if (answer === undefined) return;

    test("metadata is removed, and more pictures than asked for are dropped", async () => {
      const { options } = serve([withComment(BLUE), RED]);
      const pictures = await factory(options).make(order(), never);
      expect(pictures.map(({ bytes }) => bytes)).toEqual([BLUE]);
    });

    test.each([
      ["text", new TextEncoder().encode("<svg xmlns='http://www.w3.org/2000/svg'/>"), "not PNG, JPEG or WebP"],
      ["a cut picture", BLUE.subarray(0, BLUE.length - 20), "damaged or incomplete"],
      ["a picture of enormous dimensions", Uint8Array.from(BLUE.with(16, 0x7f)), "an edge may have 8192"],
      ["a file that is too large", new Uint8Array(MAX_PICTURE_BYTES + 1), "more than 10 MiB"],
    ])("%s is provider.malformed", async (_, file, why) => {
      const { options } = serve([file]);
      expect(await expectFailure(factory(options).make(order(), never), "provider.malformed")).toContain(why);
    });

    test("an answer without pictures, and one that is not base64, are provider.malformed", async () => {
      for (const body of ["{}", "[]", '{"data":[{}],"candidates":[{}]}', "null"]) {
        const { options } = open(() => new Response(body));
        await expectFailure(factory(options).make(order(), never), "provider.malformed");
      }
      const text = (await answer([BLUE]).text()).replaceAll('"iVBOR', '"%%%');
      const { options } = open(() => new Response(text));
      expect(await expectFailure(factory(options).make(order(), never), "provider.malformed")).toContain("not base64");
    });

    test("a body that is cut off is an error", async () => {
      const whole = await answer([BLUE]).bytes();
      const { options } = open(() => new Response(whole.subarray(0, whole.length - 9)));
      await expectFailure(factory(options).make(order(), never), "provider.malformed");
      const breaking = () =>
        new ReadableStream({
          pull(controller) {
            controller.enqueue(whole.subarray(0, 40));
            controller.error(new TypeError("the connection was closed"));
          },
        });
      const broken = open(() => new Response(breaking()));
      await expectFailure(factory(broken.options).make(order(), never), "provider.unreachable");
    });
  });

  if (answer !== undefined)
    wireFailures(name, (options, signal) => factory(options).make(order(), signal), {
      ms: PICTURE_LIMIT_MS,
      bytes: MAX_PICTURE_ANSWER_BYTES,
    });
};
