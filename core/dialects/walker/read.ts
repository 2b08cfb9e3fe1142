import type { ReadPlan } from '../../contract/plan/read-plan.ts'
import type { Bind, FinishedRead, PackedRead, PreparedRead } from '../../contract/prepared-read.ts'
import type { Statement } from '../../contract/statement.ts'
import { sql } from '../../engine/sql/fragment.ts'
import type { Primitives } from '../primitives.ts'
import { createEmission, watched } from './emission.ts'
import { finishStatement } from './finish.ts'
import { rootText } from './root.ts'

/**
 * Prepares a read for which svc writes the JSON itself, from the texts that the database returns. `keep: true`: prepare
 * the statement by name. `null`: not possible or not faster.
 */
export type PackRead = (plan: ReadPlan, keep: boolean) => PackedRead | null

/**
 * Converts the plan of a query to prepared statements in the SQL of a dialect. If svc writes the JSON itself (`pack`),
 * the other statement, in which the database writes it, is made on first use.
 * @param keep `true`: the statements are prepared by name
 */
export function writeRead(dialect: Primitives, pack: PackRead | null, plan: ReadPlan, keep: boolean): PreparedRead {
  const packed = pack?.(plan, keep) ?? null
  if (packed !== null) return new TwofoldRead(() => finish(dialect, plan, keep), packed, plan.weight)
  const read = finish(dialect, plan, keep)
  return { ...read, constant: null, packed: null, bytes: plan.weight + read.bytes }
}

function finish(dialect: Primitives, { roots, alone }: ReadPlan, keep: boolean): FinishedRead {
  const emission = createEmission(dialect)
  const members = roots.map(({ key, value }) => ({ key, value: rootText(emission, key, value) }))
  const [only] = members
  const text = alone && only !== undefined ? only.value : dialect.objectText(members)
  return { ...finishStatement(emission, sql`SELECT ${text}`, keep), ...watched(emission) }
}

/** A packed read, whose alternative statement is written on first use. */
class TwofoldRead implements PreparedRead {
  readonly constant = null
  readonly packed: PackedRead
  readonly bytes: number
  readonly #write: () => FinishedRead
  #written: FinishedRead | null = null

  constructor(write: () => FinishedRead, packed: PackedRead, weight: number) {
    this.#write = write
    this.packed = packed
    // The alternative statement is about as large, although it is not written yet.
    this.bytes = weight + packed.bytes * 2
  }

  get statement(): Statement {
    return this.#own().statement
  }

  get bind(): Bind {
    return this.#own().bind
  }

  get nullScan(): readonly string[] {
    return this.#own().nullScan
  }

  get verify(): boolean {
    return this.#own().verify
  }

  get guards(): FinishedRead['guards'] {
    return this.#own().guards
  }

  #own(): FinishedRead {
    this.#written ??= this.#write()
    return this.#written
  }
}
