import type { Catalog } from '../contract/database.ts'
import type { AuthoredSchema, SourceLocation } from '../schema/authored.ts'
import type { SchemaModel } from '../schema/model.ts'

/** Elements of schema.json that can have keys of a plugin; `schema` is the top level. */
export type KeyPlace =
  | 'schema'
  | 'type'
  | 'field'
  | 'interface'
  | 'union'
  | 'enum'
  | 'input'
  | 'input_field'
  | 'scalar'
  | 'query'
  | 'mutation'
  | 'subscription'
  | 'argument'

/** The elements that a part may add. */
export type AddedElements = Partial<
  Pick<
    AuthoredSchema,
    'types' | 'enums' | 'interfaces' | 'unions' | 'input_types' | 'custom_scalars' | 'queries' | 'mutations'
  >
>

/** What a part sees of one compile. */
export interface PartContext<Options> {
  /** In its normal form; every key has the type that its JSON Schema says. Names may still lead nowhere. */
  readonly schema: AuthoredSchema
  /** What the database has; `null` offline. */
  readonly catalog: Catalog | null
  /** The plugin's options, checked, with their defaults. */
  readonly options: Options
  /**
   * Something is wrong: nothing is written.
   * @param id short name of the rule, kebab-case
   * @param message what is wrong, and what to write instead
   * @param at the element, and the ones around it where it carries no place of its own
   */
  fault(id: string, message: string, ...at: readonly ({ readonly $place?: SourceLocation } | undefined)[]): void
  /** The artifact is written all the same. */
  warn(id: string, message: string, ...at: readonly ({ readonly $place?: SourceLocation } | undefined)[]): void
}

/** What a part leaves in the artifact, under its plugin's name and the one hash. */
export interface PartResult {
  /** JSON; the plugin reads it with `blockOf(schema, name)`. */
  readonly block?: unknown
  /** Types in GraphQL's notation, which the GraphQL front shows beside those of the schema. */
  readonly sdl?: string
  /** Plugins that must run where this schema is served. Default: this one, where the part leaves anything. */
  readonly requires?: readonly string[]
}

/** The compile-time half of a plugin: all that `svc compile` loads of it. */
export interface CompilePart<Options = unknown> {
  /**
   * Keys it adds to elements of schema.json, in snake_case, each with its JSON Schema. Keys that neither core nor an
   * enabled plugin has stay refused.
   */
  readonly keys?: Readonly<Partial<Record<KeyPlace, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>>
  /** Kinds of the author's functions that the plugin runs (`authorFunction(kind, name, fn)`), each with what it is. */
  readonly functions?: Readonly<Record<string, string>>
  /** Those kinds of which several functions may have one name: they run in the order of their declaration. */
  readonly repeatable?: readonly string[]
  /** Adds elements, before anything is checked; what it adds is checked like what was written. */
  readonly extend?: (schema: AuthoredSchema, options: Options) => AddedElements
  /** Checks what it knows about, and says what the plugin wants to find in the artifact. */
  readonly compile?: (context: PartContext<Options>) => PartResult | undefined
  /** Checks the schema as it will be served, once nothing else is wrong with it. */
  readonly check?: (model: SchemaModel, context: Omit<PartContext<Options>, 'catalog'>) => void
}

/** Identity with types: `export default defineCompilePart({ keys, compile })` in `compile.ts`, beside the plugin. */
export function defineCompilePart<Options = unknown>(part: CompilePart<Options>): CompilePart<Options> {
  return Object.freeze(part)
}

/** The part of one enabled plugin. */
export interface EnabledPart {
  readonly plugin: string
  readonly part: CompilePart<never>
  readonly options: unknown
}
