import type { HostileProxy } from '../helpers/hostile-proxy.ts'
import type { Fault } from './world.ts'

const BROKEN = Buffer.from('\0\u0001broken\xff'.repeat(8))

/** What networks and servers do to a connection, one after the other. */
export function proxyFaults(proxy: HostileProxy): readonly Fault[] {
  const end = (): void => {
    proxy.heal()
    // What it spoilt is not to be trusted: servers end such connections, too.
    proxy.cut()
  }
  return [
    {
      name: 'every connection is cut, and new ones are refused',
      begin() {
        proxy.refuse()
        proxy.cut()
      },
      end,
    },
    { name: 'nothing gets through', begin: () => proxy.freeze(), end },
    { name: 'answers come byte by byte', begin: () => proxy.drip(64, 1), end: () => proxy.heal() },
    { name: 'answers are garbage', begin: () => proxy.change(() => BROKEN), end },
    {
      name: 'answers end in the middle',
      begin: () => proxy.change((bytes) => bytes.subarray(0, bytes.length >> 1)),
      end,
    },
  ]
}
