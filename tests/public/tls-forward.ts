/** A proxy on the server of a tunnel: terminates TLS and forwards each connection to a local port. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createServer } from "node:tls";

const [address = "", port = "", target = "", certificate = "", key = ""] = process.argv.slice(2);

createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (client) => {
  const house = connect({ host: "127.0.0.1", port: Number(target) });
  client.pipe(house).pipe(client);
  client.on("error", () => house.destroy());
  house.on("error", () => client.destroy());
}).listen(Number(port), address);
