import type { Coercer, Location, TypeRef } from '../../../core/doors/front.ts'

/** A declared variable, compiled once per document. */
export interface CompiledVariable {
  readonly name: string
  readonly type: TypeRef
  /** Coerced; `undefined` = none. */
  readonly default: unknown
  /** Non-null and without a default. */
  readonly required: boolean
  readonly coerce: Coercer
  readonly location: Location | null
}
