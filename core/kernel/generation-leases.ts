import type { Generation } from '../schema/generation.ts'

/** Counts the users of generations, so that a generation is disposed of after its last user. */
export interface GenerationLeases {
  /** Registers a generation that begins to serve. */
  use(generation: Generation): void
  /** Adds a user. */
  hold(generation: Generation): void
  /** Removes a user. A retired generation without users is disposed of. */
  release(generation: Generation): void
  /** Marks a generation that another one has replaced. It is disposed of once it has no users. */
  retire(generation: Generation): void
  /** Disposes of all generations, also those with users, because the process closes. */
  retireAll(): void
}

interface Lease {
  users: number
  isRetired: boolean
}

/** Creates the leases. @param dispose is called once for each generation */
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
