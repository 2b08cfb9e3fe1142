import type { Catalog } from '../../contract/database.ts'
import type { AuthoredSchema, AutoParamFlags } from '../../schema/authored.ts'
import type { CompiledFunction, CompiledSource } from '../../schema/compiled.ts'
import type { Rule } from '../../schema/rules.ts'
import type { DialectFacts } from './dialect-facts.ts'
import type { KeyFacts } from './key-facts.ts'
import type { Report } from './report.ts'
import type { TypeIndex } from './type-index.ts'

/** Where the rows of a type come from: a view or table, and its JSON column if it has documents. */
export interface TypeSource {
  /**
   * The view or table, by its key in `CompileContext.sources`. `null`: values of the type are part of another type's
   * document, or of a function's result.
   */
  readonly source: string | null
  /** Column that contains each row as a JSON document; `null`: the rows have a column for each field. */
  readonly document: string | null
  /** `true` if the database has no such view or table, which has been reported as a fault. */
  readonly missing: boolean
}

/** What the compiler needs to know about a database in `[databases]` of svc.toml. */
export interface CompiledDatabase {
  /** Properties of the SQL dialect of the database. Default: PostgreSQL. */
  readonly dialect?: DialectFacts | undefined
}

/** State of one compilation, which all checks and passes share. */
export interface CompileContext {
  readonly schema: AuthoredSchema
  readonly index: TypeIndex
  /** Properties of the databases in `[databases]` of svc.toml, by name. */
  readonly databases: ReadonlyMap<string, CompiledDatabase>
  /**
   * Catalog entries of all databases. Names outside the default database have the form `crm:v_customer`. `null`:
   * compiled without a database.
   */
  readonly catalog: Catalog | null
  readonly queryDefaults: AutoParamFlags
  /**
   * What plugins know about types and fields from their schema keys, such as fields whose values another service
   * provides.
   */
  readonly facts: Required<KeyFacts>
  readonly report: Report
  /**
   * Views and tables that the schema uses, by their name in `sql_source`. The compiler adds one when it first needs it.
   */
  readonly sources: Map<string, CompiledSource>
  readonly functions: Map<string, CompiledFunction>
  /** Where the rows of each object type, interface and union come from, by name of the type. */
  readonly typeSources: Map<string, TypeSource>
  /** Compiled validation rules, by the input, operation, field or argument object of the schema that has them. */
  readonly rules: Map<object, readonly Rule[]>
}
