/**
 * Escape attempts to the network: the host's loopback and sockets, other machines, and kernel
 * sockets.
 */
import { type Escape, perl } from "./escape.ts";

const network = (all: Readonly<Record<string, string>>): readonly Escape[] =>
  Object.entries(all).map(([name, script]) => ({
    name,
    wall: "net",
    script: perl(`my ($socket, $other, $word, $list); ${script}`),
  }));

const makes = (family: number, type: number, protocol: number): string =>
  `reached() if socket($socket, ${family}, ${type}, ${protocol})`;

/** Reached when the listener answers with its canary. */
const answers = "sysread($socket, $word, 100) && $word eq $ENV{CANARY} && reached()";
/** Reached when the kernel has a route there. Nothing is sent. */
const routes = (address: string, port: number): string =>
  `socket($socket, AF_INET, SOCK_DGRAM, 0) && connect($socket, sockaddr_in(${port}, inet_aton("${address}"))) && reached()`;

export const networkEscapes: readonly Escape[] = network({
  "the host's loopback by TCP": `socket($socket, AF_INET, SOCK_STREAM, 0)
    && connect($socket, sockaddr_in($ENV{TCP_PORT}, inet_aton("127.0.0.1"))) && ${answers}`,
  "the host's loopback by another of its addresses": `socket($socket, AF_INET, SOCK_STREAM, 0)
    && connect($socket, sockaddr_in($ENV{TCP_PORT}, inet_aton("0.0.0.0"))) && ${answers}`,
  "the host's loopback as IPv6": `socket($socket, AF_INET6, SOCK_STREAM, 0)
    && connect($socket, pack("SnNa16N", AF_INET6, $ENV{TCP_PORT}, 0, "\\0" x 10 . "\\xff\\xff\\x7f\\0\\0\\1", 0)) && ${answers}`,
  "the host's loopback by UDP": `socket($socket, AF_INET, SOCK_DGRAM, 0)
    && connect($socket, sockaddr_in($ENV{UDP_PORT}, inet_aton("127.0.0.1"))) && syswrite($socket, "who") && ${answers}`,
  "a socket of the host by its path": `socket($socket, AF_UNIX, SOCK_STREAM, 0)
    && connect($socket, sockaddr_un($ENV{UNIX_PATH})) && ${answers}`,
  "a socket of the host by a link in the workspace": `symlink($ENV{UNIX_PATH}, "socket"); socket($socket, AF_UNIX, SOCK_STREAM, 0)
    && connect($socket, sockaddr_un("socket")) && ${answers}`,
  "a socket of the host that has no path": `socket($socket, AF_UNIX, SOCK_STREAM, 0)
    && connect($socket, pack("S", AF_UNIX) . "\\0$ENV{UNIX_NAME}") && ${answers}`,
  "a socket of the host from one half of a pair": `socketpair($socket, $other, AF_UNIX, SOCK_DGRAM, 0)
    && connect($socket, sockaddr_un("$ENV{UNIX_PATH}.datagrams")) && reached()`,
  "the network": routes("192.0.2.1", 443),
  "names, from a server of the network": routes("192.0.2.53", 53),
  "the metadata address of clouds": routes("169.254.169.254", 80),
  "all nearby hosts": `socket($socket, AF_INET, SOCK_DGRAM, 0) && setsockopt($socket, SOL_SOCKET, SO_BROADCAST, 1)
    && connect($socket, sockaddr_in(9, inet_aton("255.255.255.255"))) && reached()`,
  "members of a multicast group": routes("239.255.255.250", 1900),
  "the list of the host's connections": `my $port = sprintf(":%04X", $ENV{TCP_PORT});
    open($list, "<", "/proc/net/tcp") && grep { /$port/ } <$list> and reached()`,
  "the list of the host's interfaces": `open($list, "<", "/proc/net/dev") && grep { /^\\s*(?!lo:|sit0:|tunl0:|ip6tnl0:)\\w+:/ } <$list> and reached()`,
  "raw packets": makes(2, 3, 1),
  "packets of any kind": makes(17, 3, 768),
  "an echo": makes(2, 2, 1),
  "the kernel's routes": makes(16, 3, 0),
  "the kernel's audit": makes(16, 3, 9),
  "the kernel's events": makes(16, 3, 15),
  "the kernel's firewall": makes(16, 3, 12),
  "the hypervisor": makes(40, 1, 0),
  "the kernel's ciphers": makes(38, 5, 0),
  "several paths at once": makes(2, 1, 262),
  "the kernel's fast path to a card": makes(44, 3, 0),
  "the kernel's keys for IPsec": makes(15, 3, 2),
});
