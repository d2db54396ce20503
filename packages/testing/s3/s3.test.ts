/** The S3 server of the tests against Bun's S3 client, which is another implementation of the protocol. */
import { expect, test } from "bun:test";
import { S3Client } from "bun";
import { startS3Server } from "./index.ts";

test("an independent client can write, read, list and delete objects", async () => {
  await using server = await startS3Server();
  const client = new S3Client({ ...server });
  await client.write("a/ä b.txt", "text");
  expect(await client.file("a/ä b.txt").text()).toBe("text");
  expect((await client.list({ prefix: "a/" })).contents?.map(({ key, size }) => [key, size])).toEqual([
    ["a/ä b.txt", 4],
  ]);
  await client.delete("a/ä b.txt");
  expect([...server.objects.keys()]).toEqual([]);
});

test("a wrong secret, key id or region is refused", async () => {
  await using server = await startS3Server();
  const codeOf = (over: Partial<typeof server>): Promise<string> =>
    new S3Client({ ...server, ...over }).write("a", "text").then(
      () => "none",
      (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
    );
  expect(await codeOf({ secretAccessKey: "wrong" })).toBe("SignatureDoesNotMatch");
  expect(await codeOf({ accessKeyId: "AKIAOTHER" })).toBe("InvalidAccessKeyId");
  expect(await codeOf({ region: "other" })).toBe("AuthorizationHeaderMalformed");
  expect(server.objects.size).toBe(0);
});
