import type { CompiledFunction } from '../../schema/compiled.ts'
import type { BindInput, Slot } from '../slot.ts'

/** A parameter of a database function that a mutation calls. */
export interface CallParameter {
  /** Name of the parameter; `null`: it has no name, or the catalog was not read. */
  readonly name: string | null
  /** Type name in the catalog; `null`: unknown. */
  readonly type: string | null
  readonly slot: Slot
}

/** A planned function call of a mutation: `CompiledMutation.call`, with the values of one document. */
export interface PlannedCall {
  readonly function: CompiledFunction
  /** Parameters in the order of the function's signature. */
  readonly parameters: readonly CallParameter[]
  /** `true`: the parameters are passed by name, otherwise by position. */
  readonly named: boolean
  /**
   * Returns one `1` or `0` for each parameter: passed or not. An argument that the client omitted is not passed when its parameter has
   * a default in SQL. Calls with equal texts share a statement.
   */
  shapeOf(input: BindInput): string
}
