import type {
  AuthoredArgument,
  AuthoredEnum,
  AuthoredField,
  AuthoredFunction,
  AuthoredInput,
  AuthoredInterface,
  AuthoredModule,
  AuthoredMutation,
  AuthoredObserver,
  AuthoredQuery,
  AuthoredScalar,
  AuthoredSubscription,
  AuthoredType,
  AuthoredUnion,
  AutoParamFlags,
} from './authored.ts'
import type { CompiledColumn } from './compiled-column.ts'
import type { CompiledHierarchy } from './compiled-hierarchy.ts'
import type { CompiledPair } from './compiled-pair.ts'
import type { Place } from './place.ts'
import type { Rule } from './rules.ts'

export type { CompiledColumn } from './compiled-column.ts'
export type { CompiledPair } from './compiled-pair.ts'

/** Version of the compiled schema that this build writes. A schema with a greater version is rejected. */
export const SCHEMA_FORMAT_VERSION = 1

/**
 * `schema.compiled.json`: the artifact that `svc run` loads. Canonical JSON (sorted keys) with all wire names, sources, access paths,
 * relations and call conventions resolved. Boot reads only this file, never the catalog.
 */
export interface CompiledSchema {
  readonly schema_format_version: number
  readonly version: string
  /** SHA-256 (hex) over the canonical JSON without this key. Schemas with equal hashes are the same. */
  readonly content_hash: string
  readonly naming_convention: 'camelCase'
  /** Plugins that the schema needs. Boot and reload fail when one of them is missing. */
  readonly requires: readonly string[]
  /** `true` if the catalog of a database was read; `false` with `--offline`, or without a configured database. */
  readonly catalog: boolean
  /** Name of the SQL dialect of the compiled schema; absent: `postgres`. */
  readonly dialect?: string
  /** The databases of `[databases]` that the schema uses; absent: only the default database. */
  readonly databases?: Readonly<Record<string, { readonly dialect: string }>>
  /** Operators of the table that the dialect does not have, by id; absent = none. */
  readonly lacking_operators?: readonly string[]
  readonly types: readonly CompiledType[]
  readonly enums: readonly Omit<AuthoredEnum, '$place'>[]
  readonly interfaces: readonly CompiledInterface[]
  readonly unions: readonly Omit<AuthoredUnion, '$place'>[]
  readonly input_types: readonly CompiledInput[]
  readonly custom_scalars: readonly CompiledScalar[]
  readonly queries: readonly CompiledQuery[]
  readonly mutations: readonly CompiledMutation[]
  readonly subscriptions: readonly CompiledSubscription[]
  readonly observers: readonly Omit<AuthoredObserver, '$place'>[]
  readonly modules: readonly AuthoredModule[]
  /** Functions of the author, which `svc run` loads with the generation. */
  readonly author_functions?: readonly Omit<AuthoredFunction, '$place'>[]
  /** Hierarchies, with wire names. Absent: there are none. */
  readonly hierarchies?: readonly CompiledHierarchy[]
  /** Results of the compile parts of plugins, by name of the plugin. */
  readonly plugins?: Readonly<Record<string, CompiledPart>>
  /** Views and tables by the name in `sql_source`. */
  readonly sources: Readonly<Record<string, CompiledSource>>
  /** Functions by the name in `sql_source`. */
  readonly functions: Readonly<Record<string, CompiledFunction>>
}

/** The result of a plugin's compile part. */
export interface CompiledPart {
  /** Data of the plugin, in JSON. */
  readonly block?: unknown
  /** Type definitions in SDL. */
  readonly sdl?: string
}

export interface CompiledScalar extends Omit<AuthoredScalar, '$place' | 'validation_rules'> {
  readonly rules?: readonly Rule[]
}

/** A view or table. */
export interface CompiledSource {
  /** Name of the source's database in `[databases]`; absent: the default database. */
  readonly database?: string
  readonly schema?: string
  readonly name: string
  readonly kind: 'view' | 'table' | 'unknown'
  /** Columns in the order of the catalog. Empty when compiled offline. */
  readonly columns: readonly CompiledColumn[]
  /** Columns of the primary key, or of the key that the compiler found (`pk_x`, `id`). */
  readonly key: readonly string[]
  /** The source calls a function that may change session settings. The driver resets them after each read. */
  readonly resets?: true
}

/** Access path of a field: the location of its value in a row of its source. */
export type CompiledRead =
  | {
      readonly from: 'column'
      readonly column: string
      readonly column_type: string | null
      readonly not_null: boolean
    }
  /**
   * `"document" -> 'key'`, cast by the declared type. For a type without a source of its own, `document` is the empty string: the key
   * belongs to the JSON object in the parent's field (or in a mutation's entity).
   */
  | { readonly from: 'document'; readonly document: string; readonly key: string }
  /** Rows of another source. */
  | ({
      readonly from: 'relation'
      readonly target: string
      readonly cardinality: 'one' | 'many'
      /** The other columns of a composite key. */
      readonly also?: readonly CompiledPair[]
      /** The rows are in another database. */
      readonly across?: true
    } & CompiledPair)

export interface CompiledField extends Omit<AuthoredField, '$place' | 'relation' | 'column'> {
  readonly wire_name: string
  readonly place?: Place
  /** Location of the field's value; `null`: the value is computed elsewhere (federation, mutation payload). */
  readonly read: CompiledRead | null
}

export interface CompiledType extends Omit<AuthoredType, 'fields' | '$place'> {
  readonly fields: readonly CompiledField[]
  /** Access paths of the columns of `inject`; absent without `inject`. */
  readonly inject_reads?: Readonly<Record<string, CompiledRead>>
  /** Sort key of relay connections: the declared key, else `pk_{entity}`, else the key of the source. */
  readonly cursor?: {
    readonly column: string
    readonly column_type: string | null
    readonly document?: string
    /** Second sort key, a column or a key of the document. Set when the catalog does not prove the cursor column unique. */
    readonly tie?: string
    /** Columns that order a page instead of `column` and `tie`. Set when there are several, or one of them may be null. */
    readonly by?: readonly string[]
    /** The columns do not identify a row: a digest of all its fields is the last sort key. */
    readonly digest?: true
  }
}

export interface CompiledInterface extends Omit<AuthoredInterface, 'fields' | '$place'> {
  readonly fields: readonly CompiledField[]
}

export interface CompiledInput extends Omit<AuthoredInput, 'fields' | '$place' | 'validate'> {
  readonly fields: readonly (Omit<AuthoredInput['fields'][number], '$place' | 'validate'> & WireInput)[]
  readonly rules?: readonly Rule[]
}

interface WireInput {
  readonly wire_name: string
  readonly rules?: readonly Rule[]
}

export interface CompiledArgument extends Omit<AuthoredArgument, 'validate'>, WireInput {}

export interface CompiledAutoParams extends AutoParamFlags {
  readonly total_count: boolean
}

type Compiled<T> = Omit<T, '$place' | 'arguments' | 'auto_params' | 'validate'> & {
  /** Rules about several arguments together. */
  readonly rules?: readonly Rule[]
  readonly wire_name: string
  readonly arguments: readonly CompiledArgument[]
}

export type CompiledQuery = Compiled<AuthoredQuery> & {
  /** Key into `sources`; `null` for a query without a source (never after a successful compile). */
  readonly source: string
  readonly auto_params: CompiledAutoParams
  /** Arguments that are equality conditions on a column or document key of the source. */
  readonly argument_reads: Readonly<Record<string, CompiledRead>>
  /** Injected parameters that are conditions on the source. */
  readonly inject_reads: Readonly<Record<string, CompiledRead>>
}

export type CompiledMutation = Omit<Compiled<AuthoredMutation>, 'call'> & {
  /** Key into `functions`. */
  readonly function: string
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CUSTOM'
  /** One entry per SQL parameter, in call order. */
  readonly call: readonly CompiledCallParameter[]
  /** `true`: `fn(name => $1, …)`, so parameters with defaults can be left out. */
  readonly named_call: boolean
  /** Call convention of `upsert_function`. */
  readonly upsert?: {
    readonly function: string
    readonly call: readonly CompiledCallParameter[]
    readonly named_call: boolean
    /** The function has a last parameter `resolution`, which decides how duplicates are handled. */
    readonly resolves: boolean
  }
}

export type CompiledSubscription = Compiled<AuthoredSubscription> & {
  /** Injected parameters, which are conditions on the source of the type. Absent: there are none. */
  readonly inject_reads?: Readonly<Record<string, CompiledRead>>
}

/** A parameter of a mutation's function, and the source of its value. Chosen at compile time. */
export interface CompiledCallParameter {
  /** Name of the SQL parameter; `null` when the catalog was not read or the parameter has none. */
  readonly name: string | null
  /** Catalog type, e.g. `uuid`, `jsonb`, `_text`; `null` when unknown. */
  readonly type: string | null
  readonly has_default: boolean
  readonly value: /** `path` of declared names: `["author_id"]`, or `["input", "title"]` when the input is flattened. */
    | { readonly from: 'argument'; readonly path: readonly string[] }
    /** A whole input object as JSON with snake_case keys. `path: []` = all arguments as one object. */
    | { readonly from: 'json'; readonly path: readonly string[] }
    | { readonly from: 'inject'; readonly source: string }
}

export interface CompiledFunction {
  /** Name of the database, as in {@link CompiledSource}. */
  readonly database?: string
  readonly schema?: string
  readonly name: string
  readonly kind: 'function' | 'procedure' | 'unknown'
  /** The function may change the `search_path` of its transaction. */
  readonly moves_path?: true
  /** Parameters of the function; `null` when the catalog was not read. */
  readonly parameters:
    | readonly { readonly name: string | null; readonly type: string; readonly has_default: boolean }[]
    | null
  /** Result type; `null` when the catalog was not read: then the result's columns are inspected at run time. */
  readonly returns: CompiledReturn | null
}

/** Result type of a function, as the database catalog describes it. `set`: it returns a set of rows (`SETOF`, `TABLE`). */
export interface CompiledReturn {
  readonly set: boolean
  readonly kind: 'void' | 'scalar' | 'composite'
  /** Type name: `uuid`, `_uuid`, `mutation_response`, `v_user`, `record`. */
  readonly type: string
  /** Columns of a composite, in order. Empty for other kinds. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}
