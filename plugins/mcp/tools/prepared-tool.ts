import type { ArgumentShapes, OperationMaker } from '../../../core/doors/front.ts'
import type { MutationModel, QueryModel, Scope } from '../../../core/doors/plugin.ts'

export type CallableOperation = QueryModel | MutationModel

/** Default and maximum page size of a list. */
export interface PageSizes {
  readonly byDefault: number
  readonly most: number
  /** Arguments of the operation that limit the number of rows. */
  readonly bounds: ReadonlySet<string>
}

/** Configuration of the tool for an operation: its names, hidden and fixed arguments. */
export interface Curation {
  readonly name?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Arguments with a fixed value in every call. */
  readonly fixed: Readonly<Record<string, unknown>>
  readonly hidden: readonly string[]
  readonly fields: readonly string[] | undefined
}

export const UNCURATED: Curation = { fixed: {}, hidden: [], fields: undefined }

export interface OperationToolParts {
  readonly scope: Pick<Scope, 'engine' | 'pipeline'>
  readonly maker: OperationMaker
  /**
   * Makes operations whose rows are streamed. Unlike paged operations, they do not read an extra row to detect a next
   * page.
   */
  readonly streamMaker: OperationMaker
  readonly pages: Omit<PageSizes, 'bounds'>
}

/** An MCP tool for one query or mutation, with everything that a call needs and that does not depend on the call. */
export interface PreparedTool {
  readonly operation: CallableOperation
  readonly curation: Curation
  readonly shapes: ArgumentShapes
  /** Names of arguments that agents can neither see nor set. */
  readonly closed: ReadonlySet<string>
  readonly pages: PageSizes
  /** Name of the argument that chooses fields; `null`: none. */
  readonly fields: string | null
  readonly count: string | null
  /** `true` if the result contains the offset of the next page. */
  readonly isPaged: boolean
  /** `true` if the tool can report progress. */
  readonly streams: boolean
}
