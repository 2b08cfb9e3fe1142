import type { ArgumentShapes, OperationMaker } from '../../../core/doors/front.ts'
import type { MutationModel, QueryModel, Scope } from '../../../core/doors/plugin.ts'

export type CallableOperation = QueryModel | MutationModel

/** Default and maximum page size of a list query, in rows. */
export interface PageSizes {
  readonly byDefault: number
  readonly most: number
  /** Names of the arguments that limit the number of rows. */
  readonly bounds: ReadonlySet<string>
}

/** Configuration of an operation's MCP tool: its name and texts, and its hidden and fixed arguments. */
export interface Curation {
  readonly name?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Values of arguments that are the same in every call and that agents cannot set. */
  readonly fixed: Readonly<Record<string, unknown>>
  readonly hidden: readonly string[]
  readonly fields: readonly string[] | undefined
}

export const UNCURATED: Curation = { fixed: {}, hidden: [], fields: undefined }

export interface OperationToolParts {
  readonly scope: Pick<Scope, 'engine' | 'pipeline'>
  readonly maker: OperationMaker
  /**
   * Makes operations whose rows are streamed. Unlike paged operations, they do not read one more row to detect a next
   * page.
   */
  readonly streamMaker: OperationMaker
  readonly pages: Omit<PageSizes, 'bounds'>
}

/** An MCP tool for a query or mutation, with everything that does not depend on a call. */
export interface PreparedTool {
  readonly operation: CallableOperation
  readonly curation: Curation
  readonly shapes: ArgumentShapes
  /** Names of arguments that agents can neither see nor set. */
  readonly closed: ReadonlySet<string>
  readonly pages: PageSizes
  /** Name of the tool's argument with which agents choose fields; `null`: they cannot. */
  readonly fields: string | null
  readonly count: string | null
  /** `true` if results contain the offset of the next page. */
  readonly isPaged: boolean
  /** `true` if the tool can send progress notifications while it reads rows. */
  readonly streams: boolean
}
