import type { OperationTemplate } from '../../core/doors/plugin.ts'
import { Breaker, type BreakerState } from './breaker.ts'
import { type GuardedOperation, guardedOperation } from './guarded-roots.ts'
import type { CircuitBreakerOptions } from './options.ts'

/** Called with the name of an entity type when its circuit breaker opens or rejects a request. */
export type Tell = (entity: string) => void

const NONE: GuardedOperation = Object.freeze({ roots: [], asksSeveral: false })

/** The circuit breakers of the process, one per entity type. They survive a reload of the schema. */
export class Circuits {
  readonly #options: CircuitBreakerOptions
  readonly #now: () => number
  readonly #onOpen: Tell
  readonly #breakers = new Map<string, Breaker>()

  constructor(options: CircuitBreakerOptions, now: () => number, onOpen: Tell) {
    this.#options = options
    this.#now = now
    this.#onOpen = onOpen
  }

  of(entity: string): Breaker {
    let breaker = this.#breakers.get(entity)
    if (breaker === undefined) {
      const own = this.#options.per_database.find(({ database }) => database === entity)
      breaker = new Breaker({ ...this.#options, ...own }, this.#now, () => this.#onOpen(entity))
      this.#breakers.set(entity, breaker)
    }
    return breaker
  }
}

/** The entity types of a loaded schema that have circuit breakers. */
export class GuardedSchema {
  readonly entities: ReadonlySet<string>
  readonly #circuits: Circuits
  readonly #guarded = new WeakMap<OperationTemplate, GuardedOperation>()

  constructor(entities: ReadonlySet<string>, circuits: Circuits) {
    this.entities = entities
    this.#circuits = circuits
  }

  /** Returns the parts of an operation that read or write entities. Computed once per document. */
  of(template: OperationTemplate): GuardedOperation {
    if (this.entities.size === 0 || template.kind === 'subscription') return NONE
    let guarded = this.#guarded.get(template)
    if (guarded === undefined) {
      guarded = guardedOperation(template, this.entities)
      this.#guarded.set(template, guarded)
    }
    return guarded
  }

  states(): readonly (readonly [entity: string, state: BreakerState])[] {
    return [...this.entities].map((entity) => [entity, this.#circuits.of(entity).state])
  }
}
