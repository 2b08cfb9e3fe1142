import type { Catalog } from '../../contract/database.ts'
import type { AuthoredSchema, AutoParamFlags } from '../../schema/authored.ts'
import type { CompiledFunction, CompiledSource } from '../../schema/compiled.ts'
import type { Rule } from '../../schema/rules.ts'
import type { DialectFacts } from './dialect-facts.ts'
import type { KeyFacts } from './key-facts.ts'
import type { Report } from './report.ts'
import type { TypeIndex } from './type-index.ts'

/** The source of a type's rows. */
export interface TypeSource {
  /** Key in `sources`; `null` when the values are part of a parent's document, or of the result of a function. */
  readonly source: string | null
  /** JSON column of an `id` + `data` source. */
  readonly document: string | null
  /** `true` if the database lacks the source, which has been reported as a fault. */
  readonly missing: boolean
}

/** The properties of a further database that a compile needs. */
export interface CompiledDatabase {
  /** Properties of the SQL dialect. Default: PostgreSQL. */
  readonly dialect?: DialectFacts | undefined
}

/** State that all passes of a compilation share. */
export interface CompileContext {
  readonly schema: AuthoredSchema
  readonly index: TypeIndex
  /** The databases of `[databases]`, by name. */
  readonly databases: ReadonlyMap<string, CompiledDatabase>
  /** The catalog of all databases, with names made by `inDatabase`. `null`: offline. */
  readonly catalog: Catalog | null
  readonly queryDefaults: AutoParamFlags
  /** Properties of types and fields that plugins derive from their schema keys. */
  readonly facts: Required<KeyFacts>
  readonly report: Report
  /** Sources that the schema uses, by their name in `sql_source`. Resolving a source adds it. */
  readonly sources: Map<string, CompiledSource>
  readonly functions: Map<string, CompiledFunction>
  /** Sources of object types, interfaces and unions, by name of the type. */
  readonly typeSources: Map<string, TypeSource>
  /** Validation rules; the keys are inputs, operations, and their fields and arguments. */
  readonly rules: Map<object, readonly Rule[]>
}
