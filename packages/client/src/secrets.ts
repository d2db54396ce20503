/** Calls about the secrets of a house, which is given by id or handle. No answer contains a secret's value. */
import type { SecretInfo } from "@hearth/protocol";
import { secretOperations } from "@hearth/protocol/operations";
import { createCalls } from "./calls.ts";
import type { Connection } from "./request.ts";

export const createSecretCalls = (connection: Connection) => {
  const calls = createCalls(connection, secretOperations);
  return {
    ...calls,
    /** Replaces the value. The grants stay. */
    rotate: (house: string, name: string, value: string): Promise<SecretInfo> => calls.rotate(house, name, { value }),
  };
};
