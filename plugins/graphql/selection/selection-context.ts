import type { FieldNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql'
import type { Location, TypeRef } from '../../../core/doors/front.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import type { SchemaView } from '../schema/graphql-schema.ts'
import type { CompiledVariable } from './compiled-variable.ts'

/**
 * An internal variable for a use of a client's variable whose position has a default or rejects null. Its value is
 * checked again for this position.
 */
export interface DerivedVariable {
  /** Name such as `limit@0`, which a document cannot declare. */
  readonly name: string
  readonly source: string
  /** Type of the argument or input field where the variable is used. */
  readonly type: TypeRef
  /** Value when the client's variable has none; `undefined`: no default. */
  readonly default: unknown
  /** Error message for null; `null`: the position accepts null. */
  readonly refuseNull: string | null
  readonly location: Location | null
}

/** Maximum nesting, also without a plugin that limits it: planner and database are recursive. */
const MAX_DEPTH = 100
/** Factor for the total number of fields: interfaces and unions repeat a selection for each of their types. */
const REPETITION = 10

/**
 * State while the selection of one GraphQL operation is converted: schema, fragments, variables, and counts for the
 * limits of fields and depth.
 */
export class SelectionContext {
  readonly view: SchemaView
  readonly operation: OperationDefinitionNode
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly variables: ReadonlyMap<string, CompiledVariable>
  /** Values of the variables in `@skip` and `@include`. */
  readonly conditions: Readonly<Record<string, unknown>>
  readonly derived: DerivedVariable[] = []
  /** Called with the size of each plan that is cached with the document. */
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

  /** Counts a selected field. @throws SvcError VALIDATION_ERROR for too many fields, with fragments spread */
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

  /** Runs `each` for every possible type. Only the largest selection counts, since a row has one type. */
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

  /** Runs `work` one level deeper. @throws SvcError VALIDATION_ERROR for too many levels */
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

/** Returns line and column of a node in the GraphQL document, both from 1; `null`: the node has no location. */
export function locate(node: Pick<FieldNode, 'loc'>): Location | null {
  const token = node.loc?.startToken
  return token === undefined ? null : { line: token.line, column: token.column }
}
