import { blockOf, type SchemaModel } from '../../core/doors/plugin.ts'
import type { ComposeDirective } from './check/check-composed.ts'
import type { EntityKey } from './check/owners.ts'

/** What lies in the artifact under the plugin's name. Names are those on the wire. */
export interface FederationBlock {
  /** Of the specification that `@link` names: `2.3`. */
  readonly version: string
  /** Of its directives, those that are used. */
  readonly imports: readonly string[]
  readonly compose: readonly ComposeDirective[]
  /** By type: the keys by which representations of it are found. */
  readonly entities: Readonly<Record<string, readonly EntityKey[]>>
  /** By `Type.field`: what it is computed of, as ways to leaves. */
  readonly required: Readonly<Record<string, readonly string[]>>
  /** By `Type` or `Type.field`: directives as they are printed. */
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

/** A schema that was compiled while the plugin was off declares nothing. */
export function federationOf(schema: Pick<SchemaModel, 'compiled'>): FederationBlock {
  return (blockOf(schema, 'federation') as FederationBlock | undefined) ?? NOTHING
}
