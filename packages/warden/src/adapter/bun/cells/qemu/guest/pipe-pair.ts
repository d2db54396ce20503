/** Two ends of a pipe in memory, for rehearsals inside a machine. */
import { type BytePipe, createMailbox } from "@hearth/protocol";

export const createPipePair = (): readonly [BytePipe, BytePipe] => {
  const [down, up] = [createMailbox<Uint8Array>(), createMailbox<Uint8Array>()];
  const close = (): void => {
    down.close();
    up.close();
  };
  return [
    { bytes: up, write: (bytes) => down.put(bytes), close },
    { bytes: down, write: (bytes) => up.put(bytes), close },
  ];
};
