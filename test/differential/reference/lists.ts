import type { FieldModel } from '../../../core/doors/plugin.ts'
import type { OutputComposite } from '../../../core/schema/type-model.ts'
import type { Json, OrderTerm, Where } from '../request.ts'
import type { Rule } from '../world/rules.ts'
import type { WordQuery } from '../world/words.ts'
import type { Row, Source } from './rows.ts'

/** Rows of one source, as the reference asks for them: one list, one statement. */
export interface ListOf {
  readonly source: Source
  readonly type: OutputComposite
  /** What holds for them, whoever asks. */
  readonly rules: readonly Rule[]
  readonly where: Where | null
  /** Columns or keys that hold a value: what ties rows to a row outside, arguments of queries. */
  readonly equals: readonly Equality[]
  /** Sort keys of the client. */
  readonly orderBy: readonly OrderTerm[]
  /** Columns that end every order, and their direction. */
  readonly last: readonly string[]
  readonly descending: boolean
  /** Behind which row, before which row of the order of `last`. */
  readonly after: readonly string[] | null
  readonly before: readonly string[] | null
  readonly limit: number | null
  readonly offset: number | null
}

export type Equality =
  /** By the text of a column, whatever its type. */
  | { readonly kind: 'column'; readonly column: string; readonly text: string }
  /** By rows of a join table: one that the caller may see has the own values and those of the row. */
  | {
      readonly kind: 'through'
      readonly join: Source
      readonly rules: readonly Rule[]
      readonly own: readonly { readonly column: string; readonly text: string }[]
      /** Columns of the join table, and those of the row that they equal. */
      readonly ends: readonly { readonly from: string; readonly to: string }[]
    }
  /** By search words in the column `words`. */
  | { readonly kind: 'words'; readonly query: WordQuery; readonly text: string }
  /** By values of a field; a list is one of. */
  | { readonly kind: 'field'; readonly field: FieldModel; readonly values: readonly Json[]; readonly whole: boolean }

/** What answers them: SQL, or a loop over the rows. */
export interface Lists {
  rows(list: ListOf): Promise<readonly Row[]>
  count(list: ListOf): Promise<string>
  /** What was asked, for the report of a difference; `null`: nobody keeps it. */
  log: string[] | null
}
