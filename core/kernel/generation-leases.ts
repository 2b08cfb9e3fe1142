import type { Generation } from '../contract/generation.ts'
import type { GenerationLeases } from '../contract/kernel.ts'

interface Lease {
  users: number
  isRetired: boolean
}

/** Creates a counter of the requests that use each loaded schema. @param dispose called after a schema's last use */
export function createGenerationLeases(dispose: (generation: Generation) => void): GenerationLeases {
  const leases = new Map<Generation, Lease>()

  function leaseOf(generation: Generation): Lease {
    let lease = leases.get(generation)
    if (lease === undefined) {
      lease = { users: 0, isRetired: false }
      leases.set(generation, lease)
    }
    return lease
  }

  function end(generation: Generation): void {
    leases.delete(generation)
    dispose(generation)
  }

  return {
    use: (generation) => void leaseOf(generation),
    hold(generation) {
      leaseOf(generation).users++
    },
    release(generation) {
      const lease = leases.get(generation)
      // `retireAll` has disposed of it already, without waiting for its users.
      if (lease === undefined) return
      lease.users--
      if (lease.isRetired && lease.users === 0) end(generation)
    },
    retire(generation) {
      const lease = leaseOf(generation)
      lease.isRetired = true
      if (lease.users === 0) end(generation)
    },
    retireAll() {
      for (const generation of [...leases.keys()]) end(generation)
    },
  }
}
