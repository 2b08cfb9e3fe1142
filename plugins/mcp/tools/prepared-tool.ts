import type { ArgumentShapes, OperationMaker } from '../../../core/doors/front.ts'
import type { MutationModel, QueryModel, Scope } from '../../../core/doors/plugin.ts'

export type CallableOperation = QueryModel | MutationModel

/** How many rows come at once. */
export interface PageSizes {
  readonly byDefault: number
  readonly most: number
  /** Arguments of the operation that bound its rows. */
  readonly bounds: ReadonlySet<string>
}

/** What a team says about an operation. */
export interface Curation {
  readonly name?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  /** Values of every call. */
  readonly fixed: Readonly<Record<string, unknown>>
  readonly hidden: readonly string[]
  readonly fields: readonly string[] | undefined
}

export const UNCURATED: Curation = { fixed: {}, hidden: [], fields: undefined }

export interface OperationToolParts {
  readonly scope: Pick<Scope, 'engine' | 'pipeline'>
  readonly maker: OperationMaker
  /** The same for rows that come one after another: no row looks ahead. */
  readonly streamMaker: OperationMaker
  readonly pages: Omit<PageSizes, 'bounds'>
}

/** All that a call needs to know of its tool. */
export interface PreparedTool {
  readonly operation: CallableOperation
  readonly curation: Curation
  readonly shapes: ArgumentShapes
  /** Arguments that agents neither see nor give. */
  readonly closed: ReadonlySet<string>
  readonly pages: PageSizes
  /** Names of the arguments that are the tool's own; `null`: it has none. */
  readonly fields: string | null
  readonly count: string | null
  /** Does the answer say where the next page begins? */
  readonly isPaged: boolean
  /** Can it tell how far it is? */
  readonly streams: boolean
}
