/** The contract of `FileStore` as tests. */
import { expect, test } from "bun:test";
import type { FileStore } from "./file-store.ts";

export const fileStoreConformance = (name: string, open: () => FileStore): void => {
  test(`${name}: a file is kept byte for byte until it is removed`, async () => {
    const store = open();
    const bytes = Uint8Array.from({ length: 300 }, (_, index) => index & 255);
    await store.put("a", { name: "a b.bin", content: new Blob([bytes]) });
    await store.put("b", { name: "b", content: new Blob(["b"]) });
    const kept = await store.get("a");
    expect(kept?.name).toBe("a b.bin");
    expect(new Uint8Array((await kept?.content.arrayBuffer()) ?? new ArrayBuffer())).toEqual(bytes);
    await store.remove("a");
    expect(await store.get("a")).toBeUndefined();
    expect(await (await store.get("b"))?.content.text()).toBe("b");
  });

  test(`${name}: a missing key is undefined, and its removal does nothing`, async () => {
    const store = open();
    expect(await store.get("x")).toBeUndefined();
    await store.remove("x");
  });
};
