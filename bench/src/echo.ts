/** Writes each chunk of stdin to stdout. */
import { stdout } from "bun";

const output = stdout.writer();
for await (const bytes of Bun.stdin.stream()) {
  output.write(bytes);
  await output.flush();
}
