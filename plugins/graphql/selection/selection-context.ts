import type { FieldNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql'
import type { Location, TypeRef } from '../../../core/doors/front.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import type { CompiledVariable } from './compiled-variable.ts'

/** A use of a variable whose place has a default or takes no null: it gets a value of its own. */
export interface DerivedVariable {
  /** `limit@0`: no client can declare such a name. */
  readonly name: string
  readonly source: string
  /** The type of the place, not of the variable. */
  readonly type: TypeRef
  /** Where the variable has no value. `undefined` = none. */
  readonly default: unknown
  /** Message for null, when the place takes none. */
  readonly refuseNull: string | null
  readonly location: Location | null
}

/** Deeper selections are refused even where no plugin bounds them: planner and database work recursively. */
const MAX_DEPTH = 100
/** Interfaces and unions repeat a selection for each of their types. */
const REPETITION = 10

/** What building one template needs to know and remembers. */
export class SelectionContext {
  readonly view: SchemaView
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: ReadonlyMap<string, CompiledVariable>
  /** Values of the variables that `@skip` and `@include` look at. */
  readonly conditions: Readonly<Record<string, unknown>>
  readonly derived: DerivedVariable[] = []
  /** Called with the bytes of plans that are kept with the document. */
  readonly onPlanned: ((bytes: number) => void) | undefined
  readonly #maxFields: number
  #fields = 0
  #total = 0
  #depth = 0

  constructor(parts: {
    readonly view: SchemaView
    readonly operation: OperationDefinitionNode
    readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
    readonly variables: ReadonlyMap<string, CompiledVariable>
    readonly conditions: Readonly<Record<string, unknown>>
    readonly maxFields: number
    readonly onPlanned?: (bytes: number) => void
  }) {
    this.view = parts.view
    this.operation = parts.operation
    this.fragments = parts.fragments
    this.variables = parts.variables
    this.conditions = parts.conditions
    this.onPlanned = parts.onPlanned
    this.#maxFields = parts.maxFields
  }

  /** Counts one selected field. @throws SvcError VALIDATION_ERROR when spread fragments make too many */
  countField(): void {
    this.#fields++
    this.#total++
    if (this.#fields > this.#maxFields || this.#total > this.#maxFields * REPETITION) {
      throw new SvcError(
        'VALIDATION_ERROR',
        `The operation selects more than ${this.#maxFields} fields once its fragments are spread.`,
      )
    }
  }

  /** Runs `each` for every possible type; only the largest of them counts, since a row is of one type. */
  countLargest<T>(types: readonly T[], each: (type: T) => void): void {
    const before = this.#fields
    let largest = before
    for (const type of types) {
      this.#fields = before
      each(type)
      largest = Math.max(largest, this.#fields)
    }
    this.#fields = largest
  }

  /** @throws SvcError VALIDATION_ERROR when selections are nested too deeply */
  nested<T>(work: () => T): T {
    if (this.#depth >= MAX_DEPTH) {
      throw new SvcError('VALIDATION_ERROR', `The operation is nested deeper than ${MAX_DEPTH} levels.`)
    }
    this.#depth++
    try {
      return work()
    } finally {
      this.#depth--
    }
  }
}

/** Where a node stands in the client's text. */
export function locate(node: Pick<FieldNode, 'loc'>): Location | null {
  const token = node.loc?.startToken
  return token === undefined ? null : { line: token.line, column: token.column }
}
