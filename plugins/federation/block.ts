import { blockOf, type SchemaModel } from '../../core/doors/plugin.ts'
import type { ComposeDirective } from './check/check-composed.ts'
import type { EntityKey } from './check/owners.ts'

/** Data of the federation plugin in the compiled schema. All names are GraphQL names. */
export interface FederationBlock {
  /** Version of the Federation specification that the SDL imports with `@link`, such as `2.3`. It is the lowest that fits. */
  readonly version: string
  /** Federation directives that the schema uses, to import with `@link`. */
  readonly imports: readonly string[]
  readonly compose: readonly ComposeDirective[]
  /** Keys of entities, by type name. */
  readonly entities: Readonly<Record<string, readonly EntityKey[]>>
  /** Paths of the fields that a computed field requires (`@requires`), by `Type.field`. */
  readonly required: Readonly<Record<string, readonly string[]>>
  /** Directives to print in the SDL, such as `@shareable`, by `Type` or `Type.field`. */
  readonly marks: Readonly<Record<string, readonly string[]>>
}

const NOTHING: FederationBlock = {
  version: '2.3',
  imports: [],
  compose: [],
  entities: {},
  required: {},
  marks: {},
}

/**
 * Returns the federation data of a compiled schema. It is empty if the federation plugin was off during compilation.
 */
export function federationOf(schema: Pick<SchemaModel, 'compiled'>): FederationBlock {
  return (blockOf(schema, 'federation') as FederationBlock | undefined) ?? NOTHING
}
