import type { Catalog } from '../contract/database.ts'
import type { AuthoredSchema, AutoParamFlags } from '../schema/authored.ts'
import type { CompiledFunction, CompiledSource } from '../schema/compiled.ts'
import type { Rule } from '../schema/rules.ts'
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

/** What the passes of one compile share. */
export interface CompileContext {
  readonly schema: AuthoredSchema
  readonly index: TypeIndex
  /** `null`: offline. */
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
