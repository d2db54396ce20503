import { expect, test } from "bun:test";
import { allOperations } from "@hearth/protocol/operations";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import type { OpenApiDocument } from "../docs/open-api.ts";
import { STREAM_ROOT } from "../durable-streams/durable-path.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";

test("every bound route is a declared operation, and every declared operation is bound", async () => {
  const house = await createFakeHouse(createFakeWorld({ hash: createBunWorld().hash }));
  const { paths } = (await (await house.call("/openapi.json")).json()) as OpenApiDocument;
  house.http.close();
  const bound = Object.entries(paths)
    // Declared beside their handlers, because their paths and bodies follow another protocol.
    .filter(([path]) => !path.startsWith(`${STREAM_ROOT}/`))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { operationId, "x-needs": needs }]) => `${operationId}: ${method.toUpperCase()} ${path}, ${needs}`,
      ),
    );
  const declared = allOperations.map(({ id, method, path, needs }) => `${id}: ${method} ${path}, ${needs}`);
  expect(bound.toSorted()).toEqual(declared.toSorted());
});
