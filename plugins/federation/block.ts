import { blockOf, type SchemaModel } from '../../core/doors/plugin.ts'
import type { ComposeDirective } from './check/check-composed.ts'
import type { EntityKey } from './check/owners.ts'

/** The block of the plugin in the artifact. All names are wire names. */
export interface FederationBlock {
  /** Version of the specification in `@link`: `2.3`. */
  readonly version: string
  /** Directives of the Federation specification that the schema uses. */
  readonly imports: readonly string[]
  readonly compose: readonly ComposeDirective[]
  /** Keys of entities, by type. */
  readonly entities: Readonly<Record<string, readonly EntityKey[]>>
  /** Paths to the values that a field requires, by `Type.field`. */
  readonly required: Readonly<Record<string, readonly string[]>>
  /** Printed directives, by `Type` or `Type.field`. */
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

/** Returns the block of a schema. It is empty if the plugin was off during compilation. */
export function federationOf(schema: Pick<SchemaModel, 'compiled'>): FederationBlock {
  return (blockOf(schema, 'federation') as FederationBlock | undefined) ?? NOTHING
}
