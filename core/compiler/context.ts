import type { Catalog } from '../contract/database.ts'
import type { AuthoredSchema, AutoParamFlags } from '../schema/authored.ts'
import type { CompiledFunction, CompiledSource } from '../schema/compiled.ts'
import type { Rule } from '../schema/rules.ts'
import type { DialectFacts } from './dialect-facts.ts'
import type { Report } from './report.ts'
import type { TypeIndex } from './type-index.ts'

/** Where a type's rows come from. */
export interface TypeSource {
  /** Key into `sources`; `null`: it lives in its parent's document, or in what a function returns. */
  readonly source: string | null
  /** JSON column of an `id` + `data` source. */
  readonly document: string | null
  /** It names one that the database does not have, which is reported there. */
  readonly missing: boolean
}

/** A database beside the default one, as far as a compile looks at it. */
export interface CompiledDatabase {
  /** Absent: PostgreSQL. */
  readonly dialect?: DialectFacts | undefined
}

/** What the passes of one compile share. */
export interface CompileContext {
  readonly schema: AuthoredSchema
  readonly index: TypeIndex
  /** Those of `[databases]`, by name. */
  readonly databases: ReadonlyMap<string, CompiledDatabase>
  /** Of all databases, under the names of `inDatabase`. `null`: offline. */
  readonly catalog: Catalog | null
  readonly queryDefaults: AutoParamFlags
  readonly report: Report
  /** Sources in use, filled while they are resolved. Keyed as `sql_source` writes them. */
  readonly sources: Map<string, CompiledSource>
  readonly functions: Map<string, CompiledFunction>
  /** By name of the object type, interface or union. */
  readonly typeSources: Map<string, TypeSource>
  /** Of inputs, operations, their fields and arguments, by the element itself. */
  readonly rules: Map<object, readonly Rule[]>
}
