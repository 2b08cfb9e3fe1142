import type { Generation } from '../schema/generation.ts'

/** Who uses which generation, so that what was derived for one can be let go after its last user. */
export interface GenerationLeases {
  /** It begins to serve. */
  use(generation: Generation): void
  /** Somebody begins to use it. */
  hold(generation: Generation): void
  /** Somebody is done. */
  release(generation: Generation): void
  /** No new users will come: another generation has taken its place. */
  retire(generation: Generation): void
  /** All at once, whoever uses them: the process closes. */
  retireAll(): void
}

interface Lease {
  users: number
  isRetired: boolean
}

/** @param dispose called once per generation */
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
      // Retired by close, which does not wait for the last of them.
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
