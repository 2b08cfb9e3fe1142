import type { Coercer, Location, TypeRef } from '../../../core/doors/front.ts'

/** A variable that a document declares, prepared for checking values. */
export interface CompiledVariable {
  readonly name: string
  readonly type: TypeRef
  /** Default value, converted to the type of the variable; `undefined`: none. */
  readonly default: unknown
  /** `true` if the variable is non-null and has no default. */
  readonly required: boolean
  readonly coerce: Coercer
  readonly location: Location | null
}
