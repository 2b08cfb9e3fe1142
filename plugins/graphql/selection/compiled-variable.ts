import type { Coercer, Location, TypeRef } from '../../../core/doors/front.ts'

/** A declared variable, compiled once per document. */
export interface CompiledVariable {
  readonly name: string
  readonly type: TypeRef
  /** Coerced default value; `undefined`: none. */
  readonly default: unknown
  /** `true` if the variable is non-null and has no default. */
  readonly required: boolean
  readonly coerce: Coercer
  readonly location: Location | null
}
