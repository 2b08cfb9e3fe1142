import type { Catalog } from '../contract/database.ts'
import type { AuthoredSchema, SourceLocation } from '../schema/authored.ts'
import type { KeyPlace } from '../schema/key-place.ts'
import type { SchemaModel } from '../schema/model.ts'

/** The kinds of schema elements that a plugin can add with `CompilePart.extend`. */
export type AddedElements = Partial<
  Pick<
    AuthoredSchema,
    'types' | 'enums' | 'interfaces' | 'unions' | 'input_types' | 'custom_scalars' | 'queries' | 'mutations'
  >
>

/** What svc passes to the `compile` function of a plugin's compile part. */
export interface PartContext<Options> {
  /**
   * The authored schema in its normalized spelling. Its keys have valid types, but a name may refer to an element that
   * does not exist.
   */
  readonly schema: AuthoredSchema
  /**
   * What the database catalog says about the views, tables and functions of the schema; `null`: compiled without a
   * database.
   */
  readonly catalog: Catalog | null
  /** Options of the plugin from its section in svc.toml, validated and filled with defaults. */
  readonly options: Options
  /**
   * Reports an error in the schema, so that the compiled schema is not written.
   * @param id short name of the error, in kebab-case
   * @param message the problem, and how to correct it
   * @param at the element, then the elements that contain it; the first one with a location determines that of the
   * error
   */
  fault(id: string, message: string, ...at: readonly ({ readonly $place?: SourceLocation } | undefined)[]): void
  /** Reports a warning. The compiled schema is still written. The parameters are those of `fault`. */
  warn(id: string, message: string, ...at: readonly ({ readonly $place?: SourceLocation } | undefined)[]): void
}

/**
 * What a plugin's compile part returns. It is stored in the compiled schema under the plugin's name and is covered by
 * its content hash.
 */
export interface PartResult {
  /**
   * JSON data for the plugin, stored in the compiled schema. The plugin reads it at run time with `blockOf(schema,
   * name)`.
   */
  readonly block?: unknown
  /** Type definitions in SDL that the plugin `graphql` adds to the GraphQL schema. */
  readonly sdl?: string
  /**
   * Names of plugins that must be enabled; otherwise the service does not start with this schema. Default: this plugin,
   * if it returns a block or SDL.
   */
  readonly requires?: readonly string[]
}

/**
 * What a plugin adds to compilation: schema keys, elements and checks. It is in a file of its own, because
 * `svc compile` loads no other module of the plugin.
 */
export interface CompilePart<Options = unknown> {
  /**
   * Keys that authors may set on elements of `schema.json` while the plugin is enabled: the JSON Schema of each key in
   * snake_case, by kind of element. Keys that neither core nor an enabled plugin declares are rejected.
   */
  readonly keys?: Readonly<Partial<Record<KeyPlace, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>>
  /**
   * Kinds of author functions that the plugin runs, as in `authorFunction(kind, name, fn)`, each with a description.
   */
  readonly functions?: Readonly<Record<string, string>>
  /** Kinds in `functions` of which several may have the same name. They run in the order of their declaration. */
  readonly repeatable?: readonly string[]
  /**
   * Returns types, queries and other elements to add to the schema. It runs before all checks, so that added elements
   * are checked too.
   */
  readonly extend?: (schema: AuthoredSchema, options: Options) => AddedElements
  /** Checks the values of the plugin's keys, and returns the data that the plugin needs at run time. */
  readonly compile?: (context: PartContext<Options>) => PartResult | undefined
  /**
   * Checks the schema after its names were resolved (`SchemaModel`), and reports faults. It runs only if the compiler
   * found no faults before.
   */
  readonly check?: (model: SchemaModel, context: Omit<PartContext<Options>, 'catalog'>) => void
}

/**
 * Returns its argument, frozen, and checks its TypeScript type: `export default defineCompilePart({ keys, compile })`.
 * The file is `compile.ts`, beside the plugin's entry.
 */
export function defineCompilePart<Options = unknown>(part: CompilePart<Options>): CompilePart<Options> {
  return Object.freeze(part)
}

/** The compile part of an enabled plugin, with the name and the options of the plugin. */
export interface EnabledPart {
  readonly plugin: string
  readonly part: CompilePart<never>
  readonly options: unknown
}
