import type { Catalog } from '../contract/database.ts'
import type { AuthoredSchema, SourceLocation } from '../schema/authored.ts'
import type { KeyPlace } from '../schema/key-place.ts'
import type { SchemaModel } from '../schema/model.ts'

/** The elements that a part may add. */
export type AddedElements = Partial<
  Pick<
    AuthoredSchema,
    'types' | 'enums' | 'interfaces' | 'unions' | 'input_types' | 'custom_scalars' | 'queries' | 'mutations'
  >
>

/** The input of a compile part. */
export interface PartContext<Options> {
  /** The normalized schema. Its keys have valid types, but names in it may refer to nothing. */
  readonly schema: AuthoredSchema
  /** The catalog of the database; `null` offline. */
  readonly catalog: Catalog | null
  /** The options of the plugin, validated and with defaults. */
  readonly options: Options
  /**
   * Reports a fault. The artifact is not written.
   * @param id short name of the rule, kebab-case
   * @param message the problem, and the correction
   * @param at the element, then the elements that contain it, in case it has no location
   */
  fault(id: string, message: string, ...at: readonly ({ readonly $place?: SourceLocation } | undefined)[]): void
  /** Reports a warning. The artifact is still written. */
  warn(id: string, message: string, ...at: readonly ({ readonly $place?: SourceLocation } | undefined)[]): void
}

/**
 * The result of a compile part. It is stored in the artifact under the plugin's name and is part of the hash of the
 * artifact.
 */
export interface PartResult {
  /** JSON data for the plugin, which reads it at run time with `blockOf(schema, name)`. */
  readonly block?: unknown
  /** Type definitions in SDL that the GraphQL front adds to the schema. */
  readonly sdl?: string
  /** Names of plugins without which the schema is not served. Default: this plugin, if the part returns a block or SDL. */
  readonly requires?: readonly string[]
}

/** The compile part of a plugin. `svc compile` loads no other module of the plugin. */
export interface CompilePart<Options = unknown> {
  /**
   * Keys that the plugin adds to elements of schema.json, in snake_case, each with its JSON Schema. Keys that neither core nor an enabled
   * plugin declares are rejected.
   */
  readonly keys?: Readonly<Partial<Record<KeyPlace, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>>
  /** Kinds of the author's functions that the plugin runs (`authorFunction(kind, name, fn)`), each with a description. */
  readonly functions?: Readonly<Record<string, string>>
  /** Kinds of author functions that may share a name. They run in the order of their declaration. */
  readonly repeatable?: readonly string[]
  /** Returns elements to add to the schema. Runs before all checks, so that added elements are checked too. */
  readonly extend?: (schema: AuthoredSchema, options: Options) => AddedElements
  /** Checks the plugin's keys, and returns the data that the plugin needs in the artifact. */
  readonly compile?: (context: PartContext<Options>) => PartResult | undefined
  /** Checks the linked schema. Runs only when there are no other faults. */
  readonly check?: (model: SchemaModel, context: Omit<PartContext<Options>, 'catalog'>) => void
}

/**
 * Types the default export of `compile.ts`, beside the plugin: `export default defineCompilePart({ keys, compile })`. Returns its argument.
 */
export function defineCompilePart<Options = unknown>(part: CompilePart<Options>): CompilePart<Options> {
  return Object.freeze(part)
}

/** The part of one enabled plugin. */
export interface EnabledPart {
  readonly plugin: string
  readonly part: CompilePart<never>
  readonly options: unknown
}
