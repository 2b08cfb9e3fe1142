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
import type { CompiledPair, CompiledThrough } from './compiled-pair.ts'
import type { Place } from './place.ts'
import type { Rule } from './rules.ts'

export type { CompiledColumn } from './compiled-column.ts'
export type { CompiledPair, CompiledThrough } from './compiled-pair.ts'

/** Format version of compiled schemas that this svc writes and reads. Other versions are rejected. */
export const SCHEMA_FORMAT_VERSION = 1

/**
 * Content of `schema.compiled.json`, which `svc compile` writes and `svc run` loads. A boot reads no database catalog.
 */
export interface CompiledSchema {
  readonly schema_format_version: number
  readonly version: string
  /** SHA-256 (hex) of this schema as JSON with sorted keys, without this key. Equal hashes mean equal schemas. */
  readonly content_hash: string
  readonly naming_convention: 'camelCase'
  /** Names of plugins that must be enabled to serve the schema. Boot and reload fail if one is missing. */
  readonly requires: readonly string[]
  /** `true` if the compiler read a database catalog; `false` with `--offline`. */
  readonly catalog: boolean
  /** Name of the SQL dialect that the schema was compiled for; absent: `postgres`. */
  readonly dialect?: string
  /** Further databases in `[databases]` of svc.toml that the schema uses, by name. Absent: none. */
  readonly databases?: Readonly<Record<string, { readonly dialect: string }>>
  /** Ids of filter operators that the SQL dialect does not support; absent: it supports all. */
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
  /** Functions of the schema author, such as middleware, which the service imports when it loads the schema. */
  readonly author_functions?: readonly Omit<AuthoredFunction, '$place'>[]
  /** Types whose rows form a tree. Absent: there are none. */
  readonly hierarchies?: readonly CompiledHierarchy[]
  /** What compile parts of plugins added, by name of the plugin. */
  readonly plugins?: Readonly<Record<string, CompiledPart>>
  /** Views and tables that the schema reads, by their name in `sql_source`. */
  readonly sources: Readonly<Record<string, CompiledSource>>
  /** SQL functions that mutations call, by their name in `sql_source`. */
  readonly functions: Readonly<Record<string, CompiledFunction>>
}

/** What a plugin's compile part added to the compiled schema. */
export interface CompiledPart {
  /** JSON data for the plugin, which it reads at run time with `blockOf`. */
  readonly block?: unknown
  /** GraphQL type definitions in SDL that the plugin adds to the API. */
  readonly sdl?: string
}

export interface CompiledScalar extends Omit<AuthoredScalar, '$place' | 'validation_rules'> {
  readonly rules?: readonly Rule[]
}

/** A view or table that the schema reads, with its columns and key. */
export interface CompiledSource {
  /** Name of the database in `[databases]` of svc.toml; absent: the default database. */
  readonly database?: string
  readonly schema?: string
  readonly name: string
  readonly kind: 'view' | 'table' | 'unknown'
  /** Columns in the order of the database catalog. Empty if compiled without a database. */
  readonly columns: readonly CompiledColumn[]
  /** Columns of the primary key, or of a key derived from names (`pk_x`, `id`). Empty: no key is known. */
  readonly key: readonly string[]
  /** `true`: the view calls a function that may change session settings. The driver resets them after a read. */
  readonly resets?: true
}

/** Where the value of a field is read from: a column, a key of a JSON document, or related rows. */
export type CompiledRead =
  | {
      readonly from: 'column'
      readonly column: string
      readonly column_type: string | null
      readonly not_null: boolean
    }
  /**
   * `"document" -> 'key'`, cast by the declared type. For a type without a source of its own, `document` is the empty
   * string: the key belongs to the JSON object in the parent's field (or in a mutation's entity).
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
      /** The join source of a many-to-many relation. Each `to_column` is then one of its columns. */
      readonly through?: CompiledThrough
    } & CompiledPair)

export interface CompiledField extends Omit<AuthoredField, '$place' | 'relation' | 'column'> {
  readonly wire_name: string
  readonly place?: Place
  /** Where the value is read from; `null`: not from the database (federation, payload of a mutation). */
  readonly read: CompiledRead | null
}

export interface CompiledType extends Omit<AuthoredType, 'fields' | '$place'> {
  readonly fields: readonly CompiledField[]
  /** Where the columns that must equal token claims (`inject`) are read from. Absent: there is no `inject`. */
  readonly inject_reads?: Readonly<Record<string, CompiledRead>>
  /** Sort key of Relay pages: the declared key, `pk_{entity}`, or a unique key. Absent: no pages of the type. */
  readonly cursor?: {
    readonly column: string
    readonly column_type: string | null
    readonly document?: string
    /** Second sort key, a column or document key. Set if the catalog does not prove `column` unique. */
    readonly tie?: string
    /** Columns that order a page instead of `column` and `tie`. Set if several, or one may be null. */
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

/** A parameter of the SQL function that a mutation calls, and where its value comes from, as compiled. */
export interface CompiledCallParameter {
  /** Name of the SQL parameter; `null`: it has none, or the schema was compiled without a database. */
  readonly name: string | null
  /** Type of the parameter in the database catalog: `uuid`, `jsonb`, `_text`; `null`: unknown. */
  readonly type: string | null
  readonly has_default: boolean
  readonly value: /** `path` of declared names: `["author_id"]`, or `["input", "title"]` when the input is flattened. */
    | { readonly from: 'argument'; readonly path: readonly string[] }
    /** A whole input object as JSON with snake_case keys. `path: []` = all arguments as one object. */
    | { readonly from: 'json'; readonly path: readonly string[] }
    | { readonly from: 'inject'; readonly source: string }
}

export interface CompiledFunction {
  /** Name of the database in `[databases]` of svc.toml; absent: the default database. */
  readonly database?: string
  readonly schema?: string
  readonly name: string
  readonly kind: 'function' | 'procedure' | 'unknown'
  /** `true`: the function may change the `search_path`. svc restores it after the call. */
  readonly moves_path?: true
  /** `true`: a CALL of the procedure returns its result (MariaDB, MySQL). */
  readonly yields?: true
  /** Parameters of the function in order; `null`: compiled without a database. */
  readonly parameters:
    | readonly { readonly name: string | null; readonly type: string; readonly has_default: boolean }[]
    | null
  /** Result type; `null`: compiled without a database, so the result columns are inspected at run time. */
  readonly returns: CompiledReturn | null
}

/** Result type of a SQL function. `set`: the function returns a set of rows (`SETOF`, `TABLE`). */
export interface CompiledReturn {
  readonly set: boolean
  readonly kind: 'void' | 'scalar' | 'composite'
  /** Type name in the database catalog: `uuid`, `_uuid` (an array), `mutation_response`, `v_user`, `record`. */
  readonly type: string
  /** Columns of a composite result, in order. Empty for other kinds of results. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}
