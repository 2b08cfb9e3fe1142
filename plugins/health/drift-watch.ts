import { setTimeout as pause } from 'node:timers/promises'
import {
  compareCatalog,
  type DatabaseNeeds,
  describeDifference,
  isStaleSchema,
  needsOf,
} from '../../core/doors/command.ts'
import type { Database, Scope } from '../../core/doors/plugin.ts'

/** Maximum age of a comparison for a probe. */
const FITS_MS = 30_000
/** Maximum age of a comparison that found drift, so that its end is noticed soon. */
const DRIFT_MS = 5_000
/** Minimum interval between two comparisons because of failed requests. */
const ERROR_MS = 5_000
/** Maximum time that a probe waits. Reading a catalog needs a session, and a busy pool has none free. */
const WAIT_MS = 500
const DEFAULT = 'default'

/**
 * Compares the objects in the databases with the loaded schema, to report differences in health checks. It compares at
 * start, after a reload, after a request failed because an object is missing, and when the last comparison is too old.
 */
export class DriftWatch {
  readonly #scope: Scope
  #drifted: ReadonlySet<string> = new Set()
  #underWay: Promise<void> | null = null
  #hash: string | null = null
  #at = 0
  #errorAt = Number.NEGATIVE_INFINITY
  #closed = false
  #needs: { readonly hash: string; readonly of: ReadonlyMap<string, DatabaseNeeds> } | null = null
  readonly #now: () => number

  constructor(scope: Scope, now: () => number = () => performance.now()) {
    this.#scope = scope
    this.#now = now
    const unsubscribe = scope.signals.subscribe((signal) => {
      if (signal.type === 'generation-loaded') void this.#compare()
      if (signal.type === 'request-failed' && isStaleSchema(signal.error)) this.#afterError()
    })
    scope.onClose(async () => {
      this.#closed = true
      unsubscribe()
      await this.#underWay
    })
  }

  /** Names of the databases that did not match the schema in the last comparison. */
  get drifted(): ReadonlySet<string> {
    return this.#drifted
  }

  /** Returns `drifted`, after a new comparison if needed, unless it takes too long. Never rejects. */
  async look(): Promise<ReadonlySet<string>> {
    const longest = this.#drifted.size > 0 ? DRIFT_MS : FITS_MS
    const isOther = this.#hash !== this.#scope.process.generation.hash
    if (isOther || this.#now() - this.#at >= longest) void this.#compare()
    if (this.#underWay !== null) {
      const over = new AbortController()
      await Promise.race([this.#underWay, pause(WAIT_MS, null, { signal: over.signal }).catch(() => {})])
      over.abort()
    }
    return this.#drifted
  }

  #afterError(): void {
    if (this.#now() - this.#errorAt < ERROR_MS) return
    this.#errorAt = this.#now()
    // A running comparison may have read the catalog before the change.
    void (this.#underWay ?? Promise.resolve()).then(() => this.#compare())
  }

  #compare(): Promise<void> {
    if (this.#closed) return Promise.resolve()
    this.#underWay ??= this.#compareAll()
      // There is no generation yet, or the databases are closed: there is nothing to compare.
      .catch(() => {})
      .finally(() => {
        this.#underWay = null
      })
    return this.#underWay
  }

  async #compareAll(): Promise<void> {
    // During the boot, signals arrive before the database is available.
    await null
    const { process } = this.#scope
    const { hash } = process.generation
    const databases = [...this.#scope.process.databases()]
    const found = await Promise.all(
      databases.map(async ([name, database]) => [name, await this.#compareOne(name, database)] as const),
    )
    this.#drifted = new Set(found.flatMap(([name, drifts]) => (drifts ? [name] : [])))
    this.#hash = hash
    this.#at = this.#now()
  }

  /** Compares one database. If its catalog cannot be read, the last result stays. */
  async #compareOne(name: string, database: Database): Promise<boolean> {
    const before = this.#drifted.has(name)
    try {
      const differences = await compareCatalog(database, this.#needsOf(name))
      const { signals } = this.#scope
      if (differences.length > 0 && !before) {
        signals.emit({ type: 'schema-drift', database: name, differences: differences.map(describeDifference) })
      }
      if (differences.length === 0 && before) signals.emit({ type: 'schema-fits', database: name })
      return differences.length > 0
    } catch {
      return before
    }
  }

  #needsOf(name: string): DatabaseNeeds {
    const { hash, schema } = this.#scope.process.generation
    if (this.#needs?.hash !== hash) {
      const names = [...this.#scope.process.databases().keys()]
      const of = new Map(names.map((each) => [each, needsOf(schema.compiled, each === DEFAULT ? undefined : each)]))
      this.#needs = { hash, of }
    }
    return this.#needs!.of.get(name)!
  }
}
