import { type Exchange, SvcError } from '../../../core/doors/plugin.ts'

export interface ReadLimits {
  readonly perConnection: number
  readonly perCaller: number
}

/**
 * Limits the number of different subscriptions per connection and per caller, because each costs a read per event.
 * Equal subscriptions count once.
 */
export class ReadQuota {
  readonly #limits: ReadLimits
  /** Counts by owner, then by key of the subscription. */
  readonly #held = new Map<string, Map<string, number>>()

  constructor(limits: ReadLimits) {
    this.#limits = limits
  }

  /**
   * @param connection `null`: the stream is a connection of its own
   * @param key equal for equal subscriptions
   * @returns the function that removes the subscription
   * @throws SvcError VALIDATION_ERROR
   */
  take({ auth, address }: Pick<Exchange, 'auth' | 'address'>, connection: string | null, key: string): () => void {
    const { perConnection, perCaller } = this.#limits
    const caller = auth === null ? `address ${address}` : `subject ${auth.subject}`
    const owners: (readonly [owner: string, most: number, name: string])[] = [[caller, perCaller, 'A caller']]
    if (connection !== null) owners.push([`connection ${connection}`, perConnection, 'A connection'])
    for (const [owner, most, name] of owners) {
      const held = this.#held.get(owner)
      if (held === undefined || held.has(key) || held.size < most) continue
      throw new SvcError('VALIDATION_ERROR', `${name} has at most ${most} different subscriptions at once.`)
    }
    for (const [owner] of owners) this.#add(owner, key)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      for (const [owner] of owners) this.#remove(owner, key)
    }
  }

  #add(owner: string, key: string): void {
    const held = this.#held.get(owner) ?? new Map<string, number>()
    this.#held.set(owner, held.set(key, (held.get(key) ?? 0) + 1))
  }

  #remove(owner: string, key: string): void {
    const held = this.#held.get(owner)
    const left = (held?.get(key) ?? 0) - 1
    if (left > 0) held!.set(key, left)
    else held?.delete(key)
    if (held?.size === 0) this.#held.delete(owner)
  }
}
