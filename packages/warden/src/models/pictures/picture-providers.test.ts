import { expect, test } from "bun:test";
import { expectFailure, KEY, never, open } from "../voice/failures.conformance.ts";
import { createGeminiPictures } from "./gemini-pictures.ts";
import { createMemoryPictures } from "./memory-pictures.ts";
import { createOpenAIPictures } from "./openai-pictures.ts";
import { BLUE, pictureProviderConformance, RED, SOURCE } from "./picture-provider.conformance.ts";

/** The shape of `POST /images/generations` and `/images/edits`. */
const ofOpenAI = (files: readonly Uint8Array[]): Response =>
  Response.json({
    created: 1_760_000_000,
    data: files.map((bytes) => ({ b64_json: bytes.toBase64() })),
    background: "opaque",
    output_format: "png",
    quality: "medium",
    size: "1024x1024",
    usage: { total_tokens: 1_100, input_tokens: 44, output_tokens: 1_056, input_tokens_details: { text_tokens: 44 } },
  });

pictureProviderConformance("openai", {
  factory: createOpenAIPictures,
  answer: ofOpenAI,
  refusal: () =>
    Response.json(
      {
        error: {
          message: "Your request was rejected by the safety system.",
          type: "image_generation_user_error",
          param: null,
          code: "moderation_blocked",
        },
      },
      { status: 400 },
    ),
  perRequest: "many",
});

/** The shape of `generateContent`. */
const ofGemini = (files: readonly Uint8Array[]): Response =>
  Response.json({
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { inlineData: { mimeType: "image/png", data: RED.toBase64() }, thought: true },
            { text: "Here it is." },
            ...files.map((bytes) => ({ inlineData: { mimeType: "image/jpeg", data: bytes.toBase64() } })),
          ],
        },
        finishReason: "STOP",
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 6, candidatesTokenCount: 1_290, totalTokenCount: 1_296 },
    modelVersion: "gemini-3.1-flash-image",
  });

pictureProviderConformance("gemini", {
  factory: createGeminiPictures,
  answer: ofGemini,
  refusal: () => Response.json({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }),
  perRequest: "one",
});

pictureProviderConformance("in memory", { factory: createMemoryPictures, perRequest: "many" });

test("openai: a prompt is sent as JSON, with the fields that each kind of model takes", async () => {
  const { options, requests } = open(() => ofOpenAI([BLUE]));
  await createOpenAIPictures(options).make({ prompt: "A shed", count: 2, size: "wide" }, never);
  await createOpenAIPictures({ ...options, model: "sdxl" }).make({ prompt: "A shed", count: 1 }, never);
  const [first, second] = requests;
  expect(first?.url).toBe("http://voice.test/v1/images/generations");
  expect(first?.headers.get("authorization")).toBe(`Bearer ${KEY}`);
  expect(await first?.json()).toEqual({
    model: "gpt-image-2",
    prompt: "A shed",
    n: 2,
    size: "1536x1024",
    quality: "medium",
    output_format: "png",
  });
  expect(await second?.json()).toEqual({ model: "sdxl", prompt: "A shed", n: 1, response_format: "b64_json" });
});

test("openai: a picture and a mask are sent as a form, under names of ours", async () => {
  const { options, requests } = open(() => ofOpenAI([BLUE]));
  await createOpenAIPictures(options).make({ prompt: "Blue", count: 1, source: SOURCE, mask: SOURCE }, never);
  const [request] = requests;
  expect(request?.url).toBe("http://voice.test/v1/images/edits");
  const form = await request?.formData();
  for (const name of ["image", "mask"]) {
    const file = form?.get(name);
    if (!(file instanceof File)) throw new Error(`the form has no ${name}`);
    expect([file.name, file.type]).toEqual([name === "image" ? "picture.png" : "mask.png", "image/png"]);
    expect(await file.bytes()).toEqual(RED);
    form?.delete(name);
  }
  expect(Object.fromEntries(form?.entries() ?? [])).toEqual({
    model: "gpt-image-2",
    prompt: "Blue",
    n: "1",
    quality: "medium",
    output_format: "png",
  });
});

test("A61: openai: the address of a picture in an answer is not requested", async () => {
  const { options, requests } = open(() => Response.json({ data: [{ url: "http://169.254.169.254/latest" }] }));
  const making = createOpenAIPictures(options).make({ prompt: "A shed", count: 1 }, never);
  expect(await expectFailure(making, "provider.malformed")).toContain("is not requested");
  expect(requests).toHaveLength(1);
});

test("gemini: the prompt and the picture are parts, and the key is in its header", async () => {
  const { options, requests } = open(() => ofGemini([BLUE]));
  await createGeminiPictures(options).make({ prompt: "Blue", count: 1, size: "tall", source: SOURCE }, never);
  const [request] = requests;
  expect(request?.url).toBe("http://voice.test/v1/models/gemini-3.1-flash-image:generateContent");
  expect([request?.headers.get("x-goog-api-key"), request?.headers.get("authorization")]).toEqual([KEY, null]);
  expect(await request?.json()).toEqual({
    contents: [
      {
        role: "user",
        parts: [{ text: "Blue" }, { inlineData: { mimeType: "image/png", data: RED.toBase64() } }],
      },
    ],
    generationConfig: { responseModalities: ["IMAGE"], imageConfig: { aspectRatio: "2:3" } },
  });
});

test("gemini: an end for safety is provider.refused, with its reason", async () => {
  const { options } = open(() => Response.json({ candidates: [{ finishReason: "IMAGE_SAFETY", index: 0 }] }));
  const making = createGeminiPictures(options).make({ prompt: "x", count: 1 }, never);
  expect(await expectFailure(making, "provider.refused")).toContain("IMAGE_SAFETY");
});

test("gemini: a later request that fails leaves the pictures before it, and no request is repeated", async () => {
  let count = 0;
  const { options, requests } = open(() => {
    count += 1;
    return count === 2 ? Response.json({}, { status: 503 }) : ofGemini([BLUE]);
  });
  expect(await createGeminiPictures(options).make({ prompt: "x", count: 4 }, never)).toHaveLength(1);
  expect(requests).toHaveLength(2);
});
