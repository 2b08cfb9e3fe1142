import type { CompiledFunction } from '../../schema/compiled.ts'
import type { BindInput, Slot } from '../slot.ts'

/** A parameter of a database function that a mutation calls. */
export interface CallParameter {
  /** Name of the parameter; `null`: it has no name, or the catalog was not read. */
  readonly name: string | null
  /** Type of the parameter by its name in the catalog; `null`: unknown. */
  readonly type: string | null
  readonly slot: Slot
}

/** The call of a mutation's database function: the function, and where the value of each parameter comes from. */
export interface PlannedCall {
  readonly function: CompiledFunction
  /** Parameters in the order of the function's signature. */
  readonly parameters: readonly CallParameter[]
  /** `true`: parameters are passed by name (`f(a => 1)`); `false`: by position. */
  readonly named: boolean
  /**
   * Returns a text with one character per parameter: `1` if it is passed, `0` if not. An argument that the client
   * omitted is not passed if its parameter has a default in SQL. Calls with the same text share a statement.
   */
  shapeOf(input: BindInput): string
}
