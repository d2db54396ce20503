/** Two ends of a pipe in memory, for what the programs of a machine say to themselves before anyone else speaks to them. */
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
